#!/bin/bash
# The command line's contract: one JSON document, exit statuses, the same answer whatever the threads, compare.
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
failed=0

check() { # NAME STATUS COMMAND...
    local name=$1 status=$2
    shift 2
    "$@" > "$work/out" 2> "$work/err"
    local got=$?
    [ $got -eq "$status" ] && return
    echo "FAIL $name: exit status $got, expected $status"
    head -3 "$work/err"
    failed=$((failed + 1))
}

is() { # NAME JQ-EXPRESSION over the last output
    jq -es "$2" "$work/out" > /dev/null 2>&1 && return
    echo "FAIL $1: not $2"
    head -c 300 "$work/out"
    failed=$((failed + 1))
}

cat > "$work/a.cfg" << 'END'
generator = "stream";
ctas = 24;
warps_per_cta = 2;
iterations = 6;
END
sed 's/stream/gather/' "$work/a.cfg" > "$work/b.cfg"
printf 'generator = "nothing";\n' > "$work/bad.cfg"

# Also where a throttle learns or SMs have queues of CTAs: a short program is run whole, or refused where a budget forbids
# that; a longer one is sampled.
sed 's/iterations = 6/iterations = 400/' "$work/a.cfg" > "$work/middle.cfg"
for past in sm.throttle=iwl sm.throttle=ccws sm.dispatch=serial sm.dispatch=balanced; do
    check "sample with $past" 0 "$plumb" sample rx540 "$work/a.cfg" --set $past --json
    is "sample with $past says so" '.[0].warnings | any(contains("simulated whole"))'
    whole=$(jq .cycles "$work/out")
    check "simulate with $past" 0 "$plumb" simulate rx540 "$work/a.cfg" --set $past --json
    is "the whole with $past" ".[0].cycles == $whole"
    check "a budget with $past" 2 "$plumb" sample rx540 "$work/a.cfg" --set $past --budget 50
    check "sample more with $past" 0 "$plumb" sample rx540 "$work/middle.cfg" --set $past --budget 40000 --error 0.2 --json
    is "intervals with $past" '.[0] | .cycles > 0 and .confidence.intervals > 1 and .confidence.simulated_share < 0.5'
    check "estimate with $past" 0 "$plumb" estimate rx540 "$work/a.cfg" --set $past --json
    is "estimate has a term for $past" ".[0].not_modelled | index(\"${past%=*}\") == null"
done

for engine in estimate sample simulate; do
    check "$engine" 0 "$plumb" $engine rx540 "$work/a.cfg" --json
    is "$engine: one object" 'length == 1 and (.[0] | type == "object")'
    is "$engine: who and what" ".[0] | .engine == \"$engine\" and .machine == \"rx540\" and .program == \"a\""
    is "$engine: counts" '.[0] | .cycles > 0 and .warp_instructions > 0 and .l1.accesses > 0'
    is "$engine: ratios" '.[0] | (.ipc - .warp_instructions / .cycles | fabs) < 1e-9'
    check "$engine of two" 0 "$plumb" $engine rx540 "$work/a.cfg" "$work/b.cfg" --json
    is "$engine of two: an array" 'length == 1 and (.[0] | length == 2) and .[0][1].program == "b"'
    check "$engine with a broken program" 2 "$plumb" $engine rx540 "$work/a.cfg" "$work/bad.cfg" --json
    is "$engine: the broken one is told" '.[0][0].cycles > 0 and (.[0][1] | .program and .error)'
    check "$engine --csv" 0 "$plumb" $engine rx540 "$work/a.cfg" "$work/b.cfg" --csv
    [ "$(wc -l < "$work/out")" -eq 3 ] || { echo "FAIL $engine --csv: not three lines"; failed=$((failed + 1)); }
    [ "$(awk -F, '{ print NF }' "$work/out" | sort -u | wc -l)" -eq 1 ] ||
        { echo "FAIL $engine --csv: rows of different lengths"; failed=$((failed + 1)); }
    [[ $(head -1 "$work/out") == program,machine,engine,status,cycles,time_us,* ]] ||
        { echo "FAIL $engine --csv: other first columns"; failed=$((failed + 1)); }
    awk -F, 'NR == 1 { split($0, name) } NR > 1 { for (i = 1; i <= NF; i++) seen[i] += $i != "" }
        END { for (i in name) if (!seen[i]) { print "FAIL", name[i], "is a column of nothing"; empty = 1 }; exit empty }' \
        "$work/out" || failed=$((failed + 1))
    "$plumb" $engine rx540 "$work/b.cfg" --json --threads 1 -q | jq 'del(.host)' > "$work/one"
    "$plumb" $engine rx540 "$work/b.cfg" --json --threads 3 -q | jq 'del(.host)' > "$work/three"
    cmp "$work/one" "$work/three" || { echo "FAIL $engine: threads change the answer"; failed=$((failed + 1)); }
done

check 'only a broken program' 2 "$plumb" estimate rx540 "$work/bad.cfg" --json
is 'it is an object with the error' '.[0] | .program and .error'
check '-o' 0 "$plumb" estimate rx540 "$work/a.cfg" --json -o "$work/file.json"
[ ! -s "$work/out" ] && jq -e .cycles "$work/file.json" > /dev/null || { echo 'FAIL -o'; failed=$((failed + 1)); }
check '-o into nowhere' 1 "$plumb" simulate rx540 "$work/a.cfg" -o "$work/nowhere/file.json" -q
mkdir -p "$work/etc/workloads/suites"
cp "$work/a.cfg" "$work/etc/workloads/a.cfg"
printf 'programs = ( "workloads/a.cfg" );\n' > "$work/etc/workloads/suites/single.cfg"
check 'a suite of one' 0 env PLUMB_CONFIG_PATH="$work/etc" "$plumb" estimate rx540 suite:single --json
is 'an array of one' '.[0] | type == "array" and length == 1'
check '--set' 0 "$plumb" simulate rx540 "$work/a.cfg" --set dram.clock_mhz=200 --json
slow=$(jq .cycles "$work/out")
check 'default clock' 0 "$plumb" simulate rx540 "$work/a.cfg" --json
is 'a slower memory takes longer' ".[0].cycles < $slow"
check 'compare' 0 "$plumb" compare rx540 "$work/a.cfg" --vs dram.clock_mhz=200 --engine simulate
grep -q 'times as slow' "$work/out" || { echo 'FAIL compare does not say which is slower'; failed=$((failed + 1)); }
grep -qE ' x [0-9.]+' "$work/out" || { echo 'FAIL compare shows no ratio'; failed=$((failed + 1)); }
check 'compare what has no term' 0 "$plumb" compare rx540 "$work/a.cfg" --vs noc.arbitration=round_robin
grep -q 'do not answer for noc.arbitration, of B' "$work/out" || { echo 'FAIL compare hides what has no term'; failed=$((failed + 1)); }
check 'no range without a term' 0 "$plumb" estimate rx540 "$work/a.cfg" --set dram.timing.tRTP=1000000 --json
is 'no range, and why' '.[0] | .confidence == null and (.not_modelled | index("dram.timing.tRTP"))
    and (.warnings | any(test("^no range: the estimate has no term for dram.timing.tRTP = 1000000")))'
check 'no range of the ratio' 0 "$plumb" compare rx540 "$work/a.cfg" --vs dram.timing.tRTP=1000000
grep -q 'no range: [AB] has none' "$work/out" || { echo 'FAIL compare says nothing of the range that the ratio lacks'; failed=$((failed + 1)); }
check 'no range in a table' 0 "$plumb" estimate rx540 "$work/a.cfg" --set sm.vmb_entries=2 --csv
cat > "$work/open.cfg" << END
machine = "rx540";
workloads = ( "$work/a.cfg" );
axes = ( { path = "dram.timing.tRTP"; values = [500000, 1000000]; } );
engine = "estimate";
objectives = ( { metric = "cycles"; goal = "min"; } );
output = "$work/open.db";
END
check 'a sweep without ranges' 0 "$plumb" sweep run "$work/open.cfg" -q
check 'its status' 0 "$plumb" sweep status "$work/open.cfg"
grep -q 'least cycles: .* no range at point' "$work/out" || { echo 'FAIL a sweep hides that a point has no range'; failed=$((failed + 1)); }
check 'its table' 0 "$plumb" sweep export "$work/open.cfg"
check 'its points' 0 "$plumb" sweep export "$work/open.cfg" --points --json
is 'a row for each point, one of them on the front' '.[0] | length == 2 and (map(select(.front)) | length == 1)
    and (min_by(.objectives.cycles).front) and all(.[]; .source == "estimate" and (.at | has("dram.timing.tRTP")))'
check 'its points as CSV' 0 "$plumb" sweep export "$work/open.cfg" --points
[ "$(head -1 "$work/out")" = point,dram.timing.tRTP,cycles,cycles.low,cycles.high,source,front ] ||
    { echo "FAIL columns of the points: $(head -1 "$work/out")"; failed=$((failed + 1)); }
check 'points of an engine' 2 "$plumb" sweep export "$work/open.cfg" --points --engine simulate
check 'compare on the same intervals' 0 "$plumb" compare rx540 "$work/b.cfg" --vs l2.latency=40 --engine sample --json
is 'the ratio is that of the answers' '.[0] | (.[1].confidence.paired.ratio - .[1].cycles / .[0].cycles | fabs) < 1e-9
    and (.[0].confidence | has("paired") | not)'
check 'compare engines' 0 "$plumb" compare rx540 "$work/a.cfg" --engine estimate,sample,simulate --json
is 'three answers' '.[0] | map(.engine) == ["estimate", "sample", "simulate"]'
check 'compare with a broken program' 2 "$plumb" compare rx540 "$work/bad.cfg" "$work/a.cfg" --vs l1.kb=32 --json
is 'the broken one is told once' '.[0] | length == 3 and (.[0] | .program and .error) and .[2].cycles > 0'
check 'compare passes warnings on' 0 "$plumb" compare rx540 "$work/a.cfg" --max-instructions 10 --engine estimate,simulate
grep -q 'warning' "$work/err" || { echo 'FAIL compare hides the engines'"'"' warnings'; failed=$((failed + 1)); }
check 'sample beside the whole' 0 "$plumb" sample rx540 "$work/a.cfg" --compare-full --json
is 'what was simulated whole is not off' '.[0].compare_full | .error == 0 and .within and .values.cycles > 0'
check 'the same with few intervals' 0 "$plumb" sample rx540 "$work/middle.cfg" --budget 40000 --error 0.2 --compare-full --json
is 'its error is that of its cycles' '.[0] | (.cycles / .compare_full.values.cycles - 1 - .compare_full.error | fabs) < 1e-9
    and .compare_full.error != 0
    and .compare_full.within == ((.compare_full.values.cycles - .cycles | fabs) <= .confidence.half_width * .cycles)'
mersenne="configs/workloads/quick/mersenne.plt"
check 'a budget without a pilot' 0 "$plumb" sample rx540 "$mersenne" --budget 20000 --json
is 'it says so' '.[0].warnings | any(contains("no pilot told"))'
enough=$(sed -n 's/.*(a budget of \([0-9]*\) instructions would tell.*/\1/p' "$work/out")
check 'the budget that it names' 0 "$plumb" sample rx540 "$mersenne" --budget "$enough" --json
is 'a pilot tells' '.[0].warnings | any(contains("no pilot told")) | not'
check 'the intervals of a sample' 0 "$plumb" sample rx540 "$work/middle.cfg" --budget 40000 --error 0.2 --intervals "$work/intervals.csv" --json
awk -F, -v cycles="$(jq .cycles "$work/out")" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 { n++; sum += $at["weight"] * $at["cycles"]; instructions += $at["weight"] * $at["instructions"] }
    END { d = sum / cycles - 1; exit !(n >= 4 && d < 1e-9 && d > -1e-9 && instructions > 0) }' "$work/intervals.csv" || {
    echo 'FAIL the weighted cycles of the intervals are those of the answer'
    failed=$((failed + 1))
}
check 'intervals of what is simulated whole' 0 "$plumb" sample rx540 "$work/a.cfg" --intervals "$work/none.csv" -q
[ "$(wc -l < "$work/none.csv")" = 1 ] || {
    echo 'FAIL intervals of what is simulated whole: more than the head'
    failed=$((failed + 1))
}
check 'the whole is for sample alone' 2 "$plumb" estimate rx540 "$work/a.cfg" --compare-full
check 'metrics' 0 "$plumb" metrics --json
is 'metrics have names and units' '.[0] | length > 40 and all(.name and .unit)'
check 'full disk' 1 bash -c "'$plumb' metrics --json > /dev/full"
for command in estimate sample simulate compare calibrate sweep machine metrics; do
    check "$command --help" 0 "$plumb" $command --help
    grep -q "plumb $command" "$work/out" || { echo "FAIL $command --help"; failed=$((failed + 1)); }
done
check '--version' 0 "$plumb" --version
grep -qE '^plumb [0-9.]+(, commit [0-9a-f]{12}(-changed)?)?$' "$work/out" || { echo 'FAIL --version: no version'; failed=$((failed + 1)); }
grep -qE '^models: SIM [0-9]+, EST [0-9]+, PROFILE [0-9]+, SAMPLE [0-9]+, TRACK [0-9]+$' "$work/out" ||
    { echo 'FAIL --version: no versions of the models'; failed=$((failed + 1)); }

# An interrupted run: status 130, what is known is kept.
sed 's/iterations = 6/iterations = 60000/' "$work/b.cfg" > "$work/long.cfg"
timeout --preserve-status -s INT 1 "$plumb" simulate rx540 "$work/long.cfg" -q > "$work/out" 2> "$work/err"
[ $? -eq 130 ] || { echo 'FAIL interrupted: not 130'; failed=$((failed + 1)); }
check_interrupted() { # NAME JQ-EXPRESSION over what an interrupted run printed
    timeout --preserve-status -s INT 1 "$plumb" simulate rx540 "${@:3}" --json -q > "$work/out" 2> "$work/err"
    is "$1" "$2"
}
check_interrupted 'interrupted: says so' '.[0] | .cycles > 0 and (.warnings | any(test("interrupted")))' "$work/long.cfg"
check_interrupted 'interrupted: two programs are an array' '.[0] | type == "array"' "$work/long.cfg" "$work/a.cfg"

# Calibrating, then a sweep with it; the check compares with the cycle model.
cat > "$work/sweep.cfg" << END
machine   = "rx540";
workloads = ( "a.cfg", "b.cfg" );
axes      = ( { path = "l2.bank_kb"; values = [64, 128, 256, 512]; },
              { path = "dram.channels"; values = [2, 4, 8]; } );
output    = "$work/sweep.db";
END
check 'calibrate' 0 "$plumb" calibrate "$work/sweep.cfg" -o "$work/x.cal" --points 4 -q
check 'calibrate actively' 0 "$plumb" calibrate "$work/sweep.cfg" -o "$work/active.cal" --points 6 --choose active -q --threads 1
# As many runs as six machines with both programs take, of which each program has two at least.
grep -qE '12 sampled runs at ([6-9]|1[0-2]) machines' "$work/out" || { echo 'FAIL active: not twelve runs'; failed=$((failed + 1)); }
check 'the same on three threads' 0 "$plumb" calibrate "$work/sweep.cfg" -o "$work/again.cal" --points 6 --choose active -q --threads 3
cmp "$work/active.cal" "$work/again.cal" || { echo 'FAIL active: threads change the choice'; failed=$((failed + 1)); }
for how in spread random; do
    check "calibrate $how" 0 "$plumb" calibrate "$work/sweep.cfg" -o "$work/$how.cal" --points 6 --choose $how -q
    cmp -s "$work/active.cal" "$work/$how.cal" && { echo "FAIL active chooses as $how does"; failed=$((failed + 1)); }
done
# What is given on the command line overrides the sweep's own, also where it names the default.
sed 's/, "b.cfg"//' "$work/sweep.cfg" > "$work/plain.cfg"
check 'calibrate by defaults' 0 "$plumb" calibrate "$work/plain.cfg" -o "$work/plain.cal" --points 3 -q
override() { # WHAT SWEEP-FILE-LINE OPTION...: as a sweep file says it, and with options the default of another's
    (cat "$work/plain.cfg"; echo 'engine = "sample";'; echo "$2") > "$work/own.cfg"
    check "calibrate with $1 of the file" 0 "$plumb" calibrate "$work/own.cfg" -o "$work/own.cal" --points 3 -q
    cmp -s "$work/plain.cal" "$work/own.cal" && { echo "FAIL the file's $1 is not read"; failed=$((failed + 1)); }
    check "calibrate with $1" 0 "$plumb" calibrate "$work/plain.cfg" -o "$work/given.cal" --points 3 -q "${@:3:2}"
    cmp "$work/own.cal" "$work/given.cal" || { echo "FAIL $1 of file and command line differ"; failed=$((failed + 1)); }
    [ $# -lt 5 ] && return
    check "calibrate with the default $1" 0 "$plumb" calibrate "$work/own.cfg" -o "$work/given.cal" --points 3 -q "${@:5}"
    cmp "$work/plain.cal" "$work/given.cal" || { echo "FAIL the default $1 does not override the file's"; failed=$((failed + 1)); }
}
override error 'budget = { error = 0.1; };' --error 0.1 --error 0.03
override confidence 'budget = { confidence = 0.9; };' --confidence 0.9 --confidence 0.95
override budget 'budget = { instructions = 100000; };' --budget 100000
override seed 'seed = 7;' --seed 7 --seed 1
# Of a program cut short there is no estimate to compare it with.
check 'calibrate on parts of programs' 2 "$plumb" calibrate "$work/plain.cfg" -o "$work/no.cal" --points 3 -q --max-instructions 200
grep -q 'needs whole programs' "$work/err" || { echo 'FAIL it does not say that whole programs are needed'; failed=$((failed + 1)); }
check 'a limit that no program reaches' 0 "$plumb" calibrate "$work/plain.cfg" -o "$work/given.cal" --points 3 -q --max-instructions 1000000000
cmp <(grep -v '^training' "$work/plain.cal") <(grep -v '^training' "$work/given.cal") || { echo 'FAIL a limit beyond the programs changes a calibration'; failed=$((failed + 1)); }
check 'calibrate by wish' 2 "$plumb" calibrate "$work/sweep.cfg" -o "$work/no.cal" --choose best
check 'minutes of what takes its time anyway' 2 "$plumb" calibrate "$work/sweep.cfg" -o "$work/no.cal" --minutes 3
check 'a simulation takes a calibration' 0 "$plumb" simulate rx540 "$work/a.cfg" --cal "$work/x.cal" --json -q
is 'and says that it is without effect' '.[0].warnings | any(test("estimates alone"))'
jq -S 'del(.host, .warnings)' "$work/out" > "$work/with.json"
check 'the same without' 0 "$plumb" simulate rx540 "$work/a.cfg" --json -q
jq -S 'del(.host, .warnings)' "$work/out" | cmp - "$work/with.json" || { echo 'FAIL a calibration changes a simulation'; failed=$((failed + 1)); }
check 'calibrated sweep' 0 "$plumb" sweep run "$work/sweep.cfg" --cal "$work/x.cal" -q
check 'its check' 0 "$plumb" sweep check "$work/sweep.cfg" --cal "$work/x.cal" --simulate 5 --seed 3 --json -q
is 'ten rows' '.[0].points | length == 10 and all(.estimate > 0 and .simulate > 0)'
is 'errors over all of them' '.[0] as $c | ($c.points | map((.estimate / .simulate - 1) | fabs) | add / length) as $m
    | ($c.all.mean - $m | fabs) < 1e-9'
check 'status' 0 "$plumb" sweep status "$work/sweep.cfg" --cal "$work/x.cal"
grep -q '24 runs done, 0 failed, 0 left' "$work/out" || { echo 'FAIL status'; failed=$((failed + 1)); }
check 'status without the calibration' 0 "$plumb" sweep status "$work/sweep.cfg"
grep -q '0 runs done, 0 failed, 24 left' "$work/out" ||
    { echo 'FAIL results with and without calibration are mixed'; failed=$((failed + 1)); }

# A point whose run fails is recorded and does not stop the others.
cat > "$work/wide.cfg" << 'END'
generator = "reduction";
ctas = 8;
warps_per_cta = 4;
element_bytes = 8;
iterations = 2;
END
sed 's/"a.cfg", "b.cfg"/"wide.cfg"/; s/sweep.db/fails.db/; s/path = "dram.channels"; values = \[2, 4, 8\]/path = "sm.shared_kb"; values = [1, 64]/' \
    "$work/sweep.cfg" > "$work/fails.cfg"
check 'a sweep with failing points' 1 "$plumb" sweep run "$work/fails.cfg" -q
check 'its export' 0 "$plumb" sweep export "$work/fails.cfg" --json
is 'four done, four failed with a message' '.[0] | (map(select(.status == "done")) | length == 4) and
    (map(select(.status == "failed" and (.error | length) > 10)) | length == 4)'

# --- what is said below the table: nothing, or under the program's name
"$plumb" simulate rx540 quick/lud quick/bfs -q > "$work/table" 2> /dev/null
[ -n "$(tail -1 "$work/table")" ] || { echo 'FAIL blank lines below a table'; failed=$((failed + 1)); }
"$plumb" simulate rx540 quick/lud quick/bfs -q --per-load > "$work/table" 2> /dev/null
[ "$(grep -cxE 'lud|bfs' "$work/table")" -eq 2 ] || { echo 'FAIL accesses by instruction without their program'; failed=$((failed + 1)); }

echo "$failed failures"
[ $failed -eq 0 ]
