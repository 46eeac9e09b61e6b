#!/bin/bash
# plumb report: the page's data are the database's, whatever their names hold; odd databases give a page or one line.
set -u
plumb=$(realpath "${PLUMB:-build/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
for tool in jq sqlite3 python3; do
    command -v $tool > /dev/null || { echo "$tool is missing"; exit 77; }
done
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

data() { # HTML: the JSON inside
    sed -n '/<script type="application\/json" id="data">/,/<\/script>/p' "$1" | sed '1d;$d'
}

is() { # NAME JQ-EXPRESSION over $work/data.json
    jq -e "$2" "$work/data.json" > /dev/null 2>&1 || fail "$1: not $2"
}

page() { # DB: $work/page.html and $work/data.json
    status "report of $1" 0 "$plumb" report "$1" -o "$work/page.html"
    data "$work/page.html" > "$work/data.json"
    [ "$(jq -s length "$work/data.json" 2> /dev/null)" = 1 ] || fail "$1: the data are not one JSON document"
}

printf 'generator = "stream";\nctas = 24;\nwarps_per_cta = 2;\niterations = 6;\n' > "$work/a.cfg"
printf 'generator = "gather";\nctas = 8;\nwarps_per_cta = 2;\niterations = 3;\nfootprint = "256KB";\n' > "$work/b.cfg"
sweep() { # ENGINE FILE
    cat > "$work/$1.cfg" << END
machine   = "rx540";
workloads = ( "a.cfg", "b.cfg" );
axes      = ( { path = "sm.scheduler"; values = ["gto", "lrr"]; }, { path = "l2.bank_kb"; values = [1024, 64, 128]; } );
engine    = "$1";
objectives = ( { metric = "opc"; goal = "max"; }, { parameter = "l2.bank_kb"; goal = "min"; } );
output    = "$2";
anchor    = "none"; # every run of the file is a point's
END
    status "sweep by $1" 0 "$plumb" sweep run "$work/$1.cfg" -q
}
db=$work/r.db
sweep simulate "$db"
sweep estimate "$db"

# The data are the database's.
page "$db"
is 'engines, the dearest last' '.engines == ["estimate", "simulate"]'
is 'programs' '.programs == ["a", "b"]'
is 'axes in the order of the sweep' '[.axes[].path] == ["sm.scheduler", "l2.bank_kb"]'
is 'numbers by size, words by name' '[.axes[].values] == [["gto", "lrr"], ["64", "128", "1024"]]'
is 'numbers are told from words' '[.axes[].numeric] == [false, true]'
is 'points in the order and with the numbers of the sweep' '.machines.levels == [[0, 0, 0, 1, 1, 1], [2, 0, 1, 2, 0, 1]] and .machines.number == [0, 1, 2, 3, 4, 5]'
is 'the sweep run last' '.sweep | .engine == "estimate" and .points == 6 and .others == 1'
is 'goals have all their digits' '([.metrics[].key] | index("opc")) as $i | .runs.values[$i] | any(tostring | length > 12)'
is 'every run once' '.runs | (.machine | length) == 24 and ([.machine, .program, .engine] | transpose | unique | length) == 24'
is 'only the axes differ in the configurations' \
    '[.parameters[] | select(.of) | .path] | sort == ["l2.bank_kb", "sm.scheduler"]'
is 'the configurations are whole' '.parameters | length > 100'
is 'objectives' '.objectives == [{"name": "opc", "parameter": false, "goal": "max"}, {"name": "l2.bank_kb", "parameter": true, "goal": "min"}]'
is 'stations' '[.metrics[].key] | index("station.dram.utilization")'
is 'goals' '[.metrics[] | select(.key == "opc" or .key == "cycles") | .goal] == ["min", "max"]'
for metric in cycles opc l2.hit_rate energy_mj.total; do
    jq -r --arg k $metric '([.metrics[].key] | index($k)) as $i | . as $d | range(.runs.machine | length) |
        [$d.axes[0].values[$d.machines.levels[0][$d.runs.machine[.]]], $d.axes[1].values[$d.machines.levels[1][$d.runs.machine[.]]],
         $d.programs[$d.runs.program[.]], $d.engines[$d.runs.engine[.]], $d.runs.values[$i][.]] | @tsv' "$work/data.json" |
        tr '\t' ' ' | sort > "$work/seen"
    sqlite3 -separator ' ' "$db" "SELECT s.value, k.value, p.name, r.engine, printf('%.17g', m.value) FROM run r
        JOIN metric m ON m.run = r.id AND m.name = '$metric' JOIN program p ON p.digest = r.program
        JOIN point s ON s.machine = r.machine AND s.path = 'sm.scheduler'
        JOIN point k ON k.machine = r.machine AND k.path = 'l2.bank_kb'" | sort > "$work/stored"
    [ "$(wc -l < "$work/stored")" -eq 24 ] && paste -d ' ' "$work/seen" "$work/stored" | awk '
        { d = $5 / $10 - 1; bad += $1 $2 $3 $4 != $6 $7 $8 $9 || d * d > 1e-13 } END { exit !(NR == 24 && !bad) }' ||
        fail "$metric differs from the database"
done

# Self-contained: nothing is fetched; the same bytes again.
grep -q "Content-Security-Policy.*default-src 'none'" "$work/page.html" || fail 'no content security policy'
grep -q 'unsafe-' "$work/page.html" && fail 'the policy admits what it does not know'
python3 - "$work/page.html" << 'END' || fail 'the policy does not name the scripts and the style of the page'
import base64, hashlib, re, sys
page = open(sys.argv[1], encoding="utf-8", newline="").read()
policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1)
for kind, pattern in (("script-src", "<script>(.*?)</script>"), ("style-src", "<style>(.*?)</style>")):
    own = ["'sha256-" + base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() + "'" for s in re.findall(pattern, page, re.S)]
    assert own and re.search(kind + " ([^;]*)", policy).group(1).split() == own, kind
assert not re.search(r"<[a-z][^<>]* (style|on[a-z]+)=", page.split("<script")[0])
END
awk 'length < 2000' "$work/page.html" | grep -E '(src|href)="[^"#]|url\(' && # long lines: the chart library and the data
    fail 'the page refers to something outside'
cp "$work/page.html" "$work/first.html"
page "$db"
cmp -s "$work/first.html" "$work/page.html" || fail 'the same database gives another page'

# Names are text, whatever they hold.
cp "$db" "$work/evil<b>.db"
evil='</script><script>alert(1)</script><!--"&'
sqlite3 "$work/evil<b>.db" "UPDATE program SET name = '$evil' WHERE name = 'a'; UPDATE machine SET name = '$evil';
    UPDATE run SET status = 'failed', error = '$evil' WHERE id = 1; UPDATE setting SET value = '$evil' WHERE value = 'lrr';
    UPDATE workload SET name = '$evil' WHERE name = 'a'; UPDATE sweep SET file = '$evil'"
page "$work/evil<b>.db"
is 'the name comes through' ".programs | index(\"${evil//\"/\\\"}\")"
is 'the message comes through' ".runs.failures[0][1] == \"${evil//\"/\\\"}\""
grep -q 'alert(1)<' "$work/page.html" && fail 'a name ends the script'
grep -q '<title>evil&lt;b&gt;.db</title>' "$work/page.html" || fail 'the title is not escaped'

# The file's own machine is the baseline; where it is no point, the nearest that there is.
own() { # NAME MACHINE BANK_KB... EXPECTED: the sweep's base, by l2.bank_kb of its point and of the nearest one
    cat > "$work/own.cfg" << END
machine   = "rx540";
set       = ( "l2.bank_kb=$2", "sm.scheduler=lrr" );
workloads = ( "a.cfg" );
axes      = ( { path = "l2.bank_kb"; values = [64, 128, 1024]; }, { path = "sm.scheduler"; values = ["gto", "lrr"]; } );
output    = "$work/own.db";
END
    rm -f "$work/own.db"
    status "sweep around $2" 0 "$plumb" sweep run "$work/own.cfg" -q
    page "$work/own.db"
    is "$1" ".sweep.base | [.values, .point, .nearest] == [[\"$2\", \"lrr\"], $3, $4]"
}
own 'the own machine is a point' 128 3 3
own 'the own machine is none: the nearest by the logarithm' 256 -1 3
own 'beyond the last' 2048 -1 5

# A second sweep in the same file: the page is of the one run last, with its programs and points alone.
cat > "$work/second.cfg" << END
machine   = "rx540";
workloads = ( "b.cfg", "a.cfg" );
axes      = ( { path = "l2.bank_kb"; values = [128, 256]; } );
output    = "$work/own.db";
END
sleep 1.1 # sweeps are ordered by the second
status 'a second sweep' 0 "$plumb" sweep run "$work/second.cfg" -q
page "$work/own.db"
is 'its programs, in its order' '.programs == ["b", "a"]'
is 'its points and axes' '[.axes[].path] == ["l2.bank_kb"] and .machines.number == [0, 1]'
is 'its own machine' '.sweep.base.values == ["256"] and .sweep.base.point == 1'
sleep 1.1
status 'the first one again' 0 "$plumb" sweep run "$work/own.cfg" -q
page "$work/own.db"
is 'run again it is the last' '(.machines.number | length) == 6 and .programs == ["a"]'

# Engine auto: the answers are those of the export, whence they come, too.
cat > "$work/auto.cfg" << END
machine    = "rx540";
workloads  = ( "a.cfg", "b.cfg" );
axes       = ( { path = "l2.bank_kb"; values = [64, 128, 256, 512]; }, { path = "l2.mshr.entries"; values = [4, 16, 64]; } );
engine     = "auto";
budget     = { error = 0.001; points = 4; };
objectives = ( { metric = "cycles"; goal = "min"; }, { metric = "energy_mj.total"; goal = "min"; } );
output     = "$work/auto.db";
END
status 'sweep by auto' 0 "$plumb" sweep run "$work/auto.cfg" -q
page "$work/auto.db"
is 'answers of the goals, and of what goes with cycles' '[.answers[].metric] | sort == ["cycles", "energy_mj.total", "ipc", "opc", "time_us"]'
is 'rounds' '(.rounds | length) >= 2 and ([.rounds[].figures[0]] | add) == 4'
is 'which points each round simulated' '[.rounds[].figures[0]] == ([.round_of[] | select(. >= 0)] | group_by(.) | map(length))'
is 'those are the simulated ones' '(.programs | length) as $n | .answers[0].source as $s | [range(.round_of | length) as $m | (.round_of[$m] >= 0) == ($s[$m * $n] == 3)] | all'
is 'ranges of ratios to the best, itself first' '.rivals[0] | .metric == "cycles" and .points[0][1:] == [1, 1] and (.points[1:] | all(.[1] <= .[2]))'
"$plumb" sweep export "$work/auto.cfg" --json > "$work/export.json"
jq -e --slurpfile x "$work/export.json" '. as $d | (.answers | map({key: .metric, value: .}) | from_entries) as $a |
    ["unknown", "estimate", "calibrated", "simulate"] as $source |
    [$x[0][] | . as $row | ($d.machines.number | index($row.point)) as $m | ($d.programs | index($row.program)) as $p |
        ($m * ($d.programs | length) + $p) as $i |
        $a.cycles.value[$i] == $row.metrics.cycles and $a["energy_mj.total"].value[$i] == $row.metrics["energy_mj.total"] and
        $source[$a.cycles.source[$i]] == $row.source and
        ((($a.cycles.value[$i] * (1.959963984540054 * $a.cycles.log_sd[$i] | exp)) / $row.cycles_high - 1) | fabs) < 1e-6] |
    length == 24 and all' "$work/data.json" > /dev/null || fail 'the answers of auto are not those of the export'
is 'simulated, calibrated' '[.answers[0].source[]] | (map(select(. == 3)) | length) == 8 and (map(select(. == 2)) | length) == 16'

# Odd databases.
cp "$db" "$work/odd.db"
sqlite3 "$work/odd.db" "SELECT 'UPDATE metrics SET \"' || name || '\" = NULL' || CASE name WHEN 'opc' THEN ' WHERE run % 2' ELSE '' END || ';'
    FROM metric_name WHERE name = 'opc' OR name LIKE 'energy%'" | sqlite3 "$work/odd.db"
page "$work/odd.db"
is 'absent is null, not zero' '([.metrics[].key] | index("opc")) as $i | .runs.values[$i] | (map(select(. == null)) | length) == 12'
is 'nobody has it: no column' '[.metrics[].key] | index("energy_mj.total") == null'
sqlite3 "$work/odd.db" "DELETE FROM run WHERE id > 1; DELETE FROM metrics WHERE run > 1"
page "$work/odd.db"
is 'one run' '.runs.machine == [0] and (.machines.name | length) == 1'
sqlite3 "$work/odd.db" "UPDATE run SET status = 'failed', error = 'no'; DELETE FROM metrics; DELETE FROM station"
page "$work/odd.db"
is 'failures alone' '.metrics == [] and .runs.failures == [[0, "no"]]'
sqlite3 "$work/odd.db" "DELETE FROM run"
page "$work/odd.db"
is 'nothing at all' '.machines.name == [] and .runs.values == []'

# Pictures: of the trade-off, along each numeric axis, of estimates against simulation, of all axes at once, of what
# matters and of the programs by each axis.
if ! "$plumb" report "$db" --svg "$work/svg" 2>&1 | grep -q 'gnuplot, which draws'; then
    [ "$(ls "$work/svg" | sed 's/\.svg$//' | tr '\n' ' ')" = 'correlation-estimate-simulate effect-l2.bank_kb parallel programs-l2.bank_kb programs-sm.scheduler trade-off what-matters ' ] ||
        fail "pictures: $(ls "$work/svg")"
    # one dot for each point and one in the legend; for each run that both engines have
    dots() { grep -c "<use xlink:href='#gpPt6'" "$work/svg/$1.svg"; }
    [ "$(dots trade-off)" = 7 ] || fail "trade-off: $(dots trade-off) dots for 6 points and a legend"
    [ "$(dots correlation-estimate-simulate)" = 13 ] || fail "correlation: $(dots correlation-estimate-simulate) dots for 12 runs and a legend"
    status 'page and pictures' 0 "$plumb" report "$db" -o "$work/page.html" --png "$work/png"
    [ "$(ls "$work/png" | wc -l)" = 7 ] && cmp -s "$work/page.html" "$work/first.html" || fail 'page and pictures together'
    cp "$db" "$work/alike.db" # names of axes that differ in what no file's name keeps
    sqlite3 "$work/alike.db" "UPDATE axis SET path = replace(replace(path, 'l2.bank_kb', 'a b'), 'sm.scheduler', 'a/b')"
    status 'axes of like names' 0 "$plumb" report "$work/alike.db" --svg "$work/alike"
    [ -e "$work/alike/programs-a-b.svg" ] && [ -e "$work/alike/programs-a-b-2.svg" ] || fail "axes of like names: $(ls "$work/alike")"
    # what matters: opc is 4 to the power of each level of both axes, so that shares are those of 0, 1 and of 0, 1, 2
    cp "$db" "$work/known.db"
    sqlite3 "$work/known.db" "UPDATE metrics SET opc = (SELECT 1 << 2 * sum(CASE p.value WHEN 'lrr' THEN 1 WHEN '128' THEN 1
        WHEN '1024' THEN 2 ELSE 0 END) FROM run r JOIN point p USING(machine) WHERE r.id = metrics.run)"
    status 'known effects' 0 "$plumb" report "$work/known.db" --svg "$work/known"
    for text in '72.7 % (x 16)' '27.3 % (x 4)'; do
        grep -qF "<text>$text</text>" "$work/known/what-matters.svg" || fail "what matters: no $text"
    done
    grep -qF ' x ' <(grep -o '<text>l2.*' "$work/known/what-matters.svg") && fail 'what matters: an interaction where there is none'
    for text in 16.0 4.00 1.00; do
        grep -qF "<text>$text</text>" "$work/known/programs-l2.bank_kb.svg" || fail "programs: no $text"
    done
    # names of 40 values: tilted, and no more than have a line's height between them
    sed "/axes/s/.*/axes = ( { path = \"l2.latency\"; values = [$(seq -s, 110 149)]; } );/" "$work/estimate.cfg" |
        sed "s|r.db|many.db|" > "$work/many.cfg"
    status 'a sweep of many values' 0 "$plumb" sweep run "$work/many.cfg" -q
    status 'pictures of many values' 0 "$plumb" report "$work/many.db" --svg "$work/many"
    names=$(grep -cE '<text>1[1-4][0-9]</text>' "$work/many/programs-l2.latency.svg")
    [ "$names" -ge 10 ] && [ "$names" -le 18 ] || fail "many values: $names names"
    grep -q 'x [0-9]' "$work/many/what-matters.svg" || fail 'many values: nothing matters'
    status 'pictures of failures alone' 0 "$plumb" report "$work/odd.db" --svg "$work/none"
fi

# Of several runs of the same, the newest version's counts.
cp "$db" "$work/twice.db"
sqlite3 "$work/twice.db" "INSERT INTO run(key, machine, program, engine, engine_version, seed, settings, status, plumb, host,
    host_seconds, finished) SELECT 'newer', machine, program, engine, engine_version + 1, 0, '', 'done', plumb, host, 0, finished
    FROM run WHERE id = 1; INSERT INTO metrics(run, cycles) SELECT max(id), 4711 FROM run"
page "$work/twice.db"
is 'the newer one is taken' '([.metrics[].key] | index("cycles")) as $i | .runs.values[$i] | index(4711)'
is 'and it is told that there are more' '.stored == 25 and (.runs.machine | length) == 24'

# An axis that does not apply at a point has no value there, and stays one of numbers.
cat > "$work/when.cfg" << END
machine   = "rx540";
workloads = ( "a.cfg" );
axes      = ( { path = "l1.kb"; values = [8, 16]; }, { path = "l2.mshr.entries"; values = [16, 64]; when = "l1.kb > 8"; } );
output    = "$work/when.db";
END
status 'sweep with a condition' 0 "$plumb" sweep run "$work/when.cfg" -q
page "$work/when.db"
is 'values where the axis applies' '.axes[1] == {"path": "l2.mshr.entries", "numeric": true, "values": ["16", "64"]}'
is 'none elsewhere' '.machines.levels[1] | sort == [-1, 0, 1]'

# A parameter that only some machines have is none of the others'.
cat > "$work/some.cfg" << END
machine   = "rx540";
workloads = ( "a.cfg" );
axes      = ( { path = "noc.topology"; values = ["crossbar", "mesh"]; } );
output    = "$work/some.db";
END
status 'sweep of networks' 0 "$plumb" sweep run "$work/some.cfg" -q
page "$work/some.db"
is 'a mesh has columns' '[.parameters[] | select(.path == "noc.columns") | .of] == [[-1, 0]]'
is 'a crossbar has a latency' '[.parameters[] | select(.path == "noc.latency") | .of] == [[0, -1]]'

# Counters of hardware stand beside the results: sums of counts, means of rates, others as they are.
cp "$db" "$work/hw.db"
cat > "$work/a.csv" << 'END'
"Index","KernelName","gpu-id","TCC_HIT_sum","L2CacheHit","SQ_WAVES","DurationNs"
0,"k",0,500,20,7,2500
1,"k",0,700,40,9,1500
END
cp "$work/a.csv" "$work/elsewhere.csv"
status 'counters' 0 "$plumb" sweep import "$work/simulate.cfg" "$work/a.csv" --db "$work/hw.db"
sqlite3 "$work/hw.db" "INSERT INTO hardware SELECT 99, 'x', 'x.csv', tool, device, 'elsewhere', imported FROM hardware;
    INSERT INTO counter VALUES (99, 0, 'k', 'SQ_WAVES', NULL, 3)"
page "$work/hw.db"
is 'hardware by program' '[.hardware[] | [.name, .program, .tool, .launches]] == [["a", 0, "rocprof", 2], ["elsewhere", -1, "rocprof", 1]]'
is 'counts are summed, rates averaged' '[.hardware[0].counters[] | [.name, .metric, .value]] == [["L2CacheHit", "l2.hit_rate_as_rocprof", 0.275],
    ["TCC_HIT_sum", "l2.hits_as_rocprof", 1200], ["DurationNs", "time_us", 4], ["SQ_WAVES", null, 8]]'
page "$db"
is 'no hardware, no rows' '.hardware == []'

# What is wrong is told.
status 'no database' 2 "$plumb" report "$work/none.db" -o "$work/x.html"
status 'not a database' 2 "$plumb" report "$work/a.cfg" -o "$work/x.html"
status 'two kinds of pictures' 2 "$plumb" report "$db" --svg "$work/a" --png "$work/b"
status 'no output' 2 "$plumb" report "$db"
status 'two databases' 2 "$plumb" report "$db" "$db" -o "$work/x.html"
status 'output in no folder' 1 "$plumb" report "$db" -o "$work/no/x.html"
[ -e "$work/x.html" ] && fail 'a failed report leaves a file'

# The chart library is the official one.
(cd third_party/echarts && sha256sum --status -c SHA256) || fail 'third_party/echarts: the checksum differs'
grep -q 'echarts.min.js' third_party/echarts/SHA256 && [ -s third_party/echarts/LICENSE ] && [ -s third_party/echarts/NOTICE ] ||
    fail 'third_party/echarts: licence or checksum missing'
exit $((failed > 0))
