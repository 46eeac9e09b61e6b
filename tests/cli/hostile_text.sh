#!/bin/bash
# Hostile text as name of machine, program, sweep, file, folder, suite, kernel and card, as parameter's value, note and
# description, through every command that writes a script, a page, a database, a picture or a terminal: nothing runs,
# nothing is drawn raw, no line is forged.  HOSTILE=all takes each text alone, too, and opens the pages in a browser.
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache LC_ALL=C
for tool in jq sqlite3 python3; do
    command -v $tool > /dev/null || { echo "$tool is missing"; exit 77; }
done
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

completion=$work/plumb.bash
"$plumb" help --bash > "$completion" || exit 1

export MARK=$work/RAN # what runs makes this file
long=$(printf 'x%.0s' {1..4096})
alone=(
    $'n\ntouch "$MARK"\n#'
    "'; touch \"\$MARK\"; '"
    '"; touch "$MARK"; "'
    '$(touch "$MARK")`touch "$MARK"`'
    '$(touch${IFS}$MARK)'
    '\'
    $'\e[31m\e]0;title\a\r\b'
    $'\xc2\x9b31m\x9b31m\x7f'
    '</script><script>alert(1)<!--&amp;'
    '<img src=x onerror=alert(1)>'
    $'\xe2\x80\xaegnp\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c\xe2\x80\xa8'
    '-o'
    '%s%n%d {1..9} * ~ ?'
)
together=$'n\ntouch "$MARK"\n#\e[31m\a\xc2\x9b31m\xe2\x80\xaegnp\xd8\x9c\'"\\`touch $MARK`;$(touch $MARK)<!--<img src=x onerror=alert(1)>&amp; -o %s%n' # without a slash: a file's name
texts=("$together")
[ "${HOSTILE:-}" = all ] && texts+=("${alone[@]}")

# No control but tab and line end, no C1 control, no mark that turns the direction of text.
raw=$'[\x01-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c'

unseen() { # WHAT FILE...: nothing ran, and the files hold nothing raw and no forged line
    local what=$1
    shift
    [ -e "$MARK" ] && { fail "$what: it ran"; rm -f "$MARK"; }
    grep -qaP "$raw" "$@" && { fail "$what: drawn raw:"; grep -aP "$raw" "$@" | head -3 | cat -v; }
    grep -qa '^ *touch ' "$@" && { fail "$what: a forged line:"; grep -a '^ *touch ' -B1 "$@" | head -3 | cat -v; }
}

seen() { # STATUS ARGUMENT...: plumb ends with it (any: 0 or 2), $work/out and $work/err are clean
    local want=$1 got
    shift
    timeout 60 "$plumb" "$@" > "$work/out" 2> "$work/err" < /dev/null
    got=$?
    [ "$want" = any ] && [ $((got | 2)) -eq 2 ] && want=$got
    [ $got -eq "$want" ] || fail "$(printf '%s ' "text $number: status $got, not $want:" "${@:1:5}" ": $(head -c 400 "$work/err")" | tr '\n' ' ' | cat -v)"
    unseen "$1 ${2-} (text $number)" "$work/out" "$work/err"
}

offers() { # STATUS WORDS BEFORE ARGUMENT...: plumb ends with it; what it says behind BEFORE are so many words of a shell
    local want=$1 words=$2 before=$3 line command
    shift 3
    seen "$want" "$@"
    line=$(grep -aF -- "$before" "$work/err" | tail -1)
    command=${line#*"$before"}
    command=${command%"; see '"*}
    bash -nc "count $command" && [ "$(bash -c "count() { echo \$#; }; count $command" 2>&1)" = "$words" ] && [ ! -e "$MARK" ] ||
        fail "$1 ${2-} (text $number): not $words words: $(cat -v <<< "$command")"
    rm -f "$MARK"
}

json() { # ARGUMENT...: the same; what is printed is JSON
    seen 0 "$@" --json
    jq . "$work/out" > /dev/null 2>&1 || fail "$1 ${2-} (text $number): no JSON"
}

conf() { # TEXT: as a string of a configuration
    printf '"'
    printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../\\x&/g'
    printf '"'
}

trace() { # DIRECTORY KERNEL: one warp
    mkdir -p "$1"
    echo kernel-1.traceg > "$1/kernelslist.g"
    {
        printf -- '-kernel name = %s\n-kernel id = 1\n-grid dim = (1,1,1)\n' "${2//$'\n'/ }"
        printf -- '-block dim = (32,1,1)\n-shmem = 0\n-nregs = 32\n-binary version = 70\n'
        printf -- '-accelsim tracer version = 5\n#traces\n#BEGIN_TB\nthread block = 0,0,0\n'
        printf 'warp = 0\ninsts = 2\n0040 ffffffff 1 R16 LDG.E.SYS 1 R2 4 1 0x1000 4 0\n'
        printf '0070 ffffffff 0 EXIT 0 0 0\n#END_TB\n'
    } > "$1/kernel-1.traceg"
}

make_files() { # TEXT: files of that name, with that name in them, in a folder of that name
    here=$work/$number/$1
    mkdir -p "$here" && cd "$here" || exit 1
    machine=./m$1.cfg program=./g$1.cfg sweep=./s$1.cfg db=./o$1.db
    mkdir -p "$(dirname "./x$1")" "$(dirname "./y$1")" "$(dirname "./r$1")" "$(dirname "./f$1")" "$(dirname "$machine")" "$(dirname "$program")" "$(dirname "$sweep")" "$(dirname "$db")" "./t$1" "./etc/gpus" \
        ./etc/workloads/suites "$(dirname "./etc/gpus/p$1")" "$(dirname "./etc/workloads/suites/u$1")"
    printf 'base = "titanv"; description = %s;\n' "$(conf "${1//[$'\n\r']/ }")" > "$machine"
    cp "$machine" "./etc/gpus/p$1.cfg"
    cp "$machine" './etc/gpus/$(touch${IFS}$MARK).cfg' # a word of its own for a completion
    printf 'generator = "stream"; ctas = 4; warps_per_cta = 1; iterations = 1;\n' > "$program"
    trace "./t$1/d" "$1"
    cat > "$sweep" << END
machine = $(conf "$PWD/$machine"); workloads = ( $(conf "$PWD/$program") );
axes = ( { path = "l2.latency"; values = [100, 150]; }, { path = "sm.scheduler"; values = ["gto", "lrr"]; } );
engine = "estimate"; output = $(conf "$PWD/$db");
objectives = ( { metric = "cycles"; goal = "min"; }, { parameter = "l2.latency"; goal = "min"; } );
END
    printf 'description = %s;\nprograms = ( { name = "fwt"; capture = "fwt 64"; why = %s; } );\n' "$(conf "$1")" \
        "$(conf "$1")" > "./etc/workloads/suites/u$1.cfg"
}

machines() { # TEXT
    seen 0 machine check "$machine"
    seen 0 machine show "$machine"
    seen 0 machine show "$machine" -o ./shown.cfg
    unseen 'the file of machine show' ./shown.cfg
    seen 0 machine check ./shown.cfg
    json machine show "$machine"
    seen 0 machine diff "$machine" titanv
    PLUMB_CONFIG_PATH=$PWD/etc seen 0 machine list
    PLUMB_CONFIG_PATH=$PWD/etc json machine list
    seen 0 machine mechanisms "$machine"
    seen 0 energy show "$machine"
    seen 2 machine show "$1"
    seen 2 machine show rx540 --set "l1.kb=$1"
    seen 2 machine show rx540 --set "$1=1"
    seen 2 machine params "$1"
    printf 'base = %s; %s\n' "$(conf "$1")" 'x = 1;' > ./b.cfg
    seen 2 machine check ./b.cfg
    printf 'base = "rx540"; l2 = { replacement = %s; };\n' "$(conf "$1")" > ./v.cfg
    seen 2 machine check ./v.cfg
}

programs() { # TEXT
    seen 0 program show "$program"
    PLUMB_CONFIG_PATH=$PWD/etc seen 0 program list
    seen 0 trace import "./t$1/d" -o "./t$1.plt"
    seen 0 trace info "./t$1.plt"
    json trace info "./t$1.plt"
    seen 0 trace check "./t$1/d"
    seen 0 trace profile "./t$1/d" --machine "$machine"
    seen 0 trace export "./t$1.plt" "./x$1" --lossy
    seen 0 trace generate "$program" -o "./y$1.plt"
    seen 0 trace export "./y$1.plt" "./z$1" --lossy
    unseen 'an exported trace' "./z$1"/kernel*
    for engine in estimate simulate sample; do
        seen 0 $engine "$machine" "./t$1/d" "$program" --per-kernel --max-instructions 1000
        json $engine "$machine" "./t$1.plt"
        seen 0 $engine "$machine" "./t$1/d" --per-kernel --csv
    done
    seen 0 compare "$machine" "./t$1/d" --with titanv
    json compare "$machine" "$program" --vs l2.latency=150
    seen 2 estimate "$machine" "$1"
    seen 2 estimate "$machine" "$program" --p "ctas=$1"
    seen 2 estimate "$machine" "./t$1/d" --kernel "$1-none"
    seen 2 estimate "$machine" "$program" "--x$1"
    seen 2 "e$1"
    seen 2 trace "i$1"
    PLUMB_CONFIG_PATH=$PWD/etc PLUMB_SUITES=$PWD/kept seen any trace suite
    PLUMB_CONFIG_PATH=$PWD/etc PLUMB_SUITES=$PWD/kept seen any trace suite --json
    seen 0 simulate "$machine" "$program" --every 100 --series ./series.csv
    unseen 'a series' ./series.csv
}

scripts() { # TEXT: what submit prints is run, with commands that do nothing
    mkdir -p ./bin
    for command in plumb parallel sbatch qsub scontrol; do
        printf '#!/bin/sh\nexit 0\n' > ./bin/$command
    done
    chmod +x ./bin/*
    for how in '' --pbs --parallel '--slurm --dry-run'; do
        for words in sweep dir db; do
            local arguments=("$sweep")
            [ $words = sweep ] || arguments=(./plain.cfg "--$words" "$here/$1")
            timeout 60 "$plumb" sweep submit "${arguments[@]}" --workers 2 $how > ./job.sh 2> "$work/err"
            unseen "sweep submit $how (text $number)" ./job.sh "$work/err"
            PATH=$PWD/bin:$PATH timeout 60 bash ./job.sh > "$work/out" 2>&1 < /dev/null
            unseen "the script of submit $how (text $number)" "$work/out"
        done
    done
}

offered() { # TEXT: commands to copy
    offers 2 4 'for one: ' machine list "x$1"
    offers 2 4 'for one: ' program list "x$1"
    offers 2 4 'such as ' estimate "$machine"
    offers 2 4 'comes first: ' estimate "$program" "$machine"
    offers 2 6 'go after --with: ' compare "$machine" "$machine" "$program"
    offers 2 6 'a parameter: ' compare "$machine" "$program"
    offers 2 2 'such as ' calibrate "$machine" "$program"
    offers 2 5 'a page: ' report "$db"
    offers 2 5 'a page: ' report -- "$1"
    offers 2 2 'go after --set: ' estimate "$machine" "$program" --p "l2.${1//[= ]/}=1"
    offers 2 2 'goes after --p: ' estimate "$machine" "$program" "--x${1//[=.]/}"
    offers 0 5 'a page of them: ' sweep run "$sweep"
}

sweeps() { # TEXT
    seen 0 sweep check "$sweep"
    seen 0 sweep run "$sweep" --dry-run
    offered "$1"
    seen 0 sweep run "$sweep"
    seen 0 sweep status "$sweep"
    seen 0 sweep export "$sweep" --table
    seen 0 sweep export "$sweep" --csv
    python3 -c 'import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
assert len(rows) == 5 and len({len(r) for r in rows}) == 1' "$work/out" || fail "export as CSV (text $number)"
    json sweep export "$sweep"
    seen 0 sweep point "$sweep" 1 -o ./point.cfg
    unseen 'the file of a point' ./point.cfg
    seen 0 machine check ./point.cfg
    seen any sweep merge "$sweep"
    printf 'program,device,launch,kernel,items,group,us\ng,%s,0,%s,64,64,1.5\n' "${1//[\",$'\n\r']/ }" "${1//[\",$'\n\r']/ }" > ./times.csv
    seen 0 sweep import "$sweep" ./times.csv --program "$(basename "$program" .cfg)"
    sed "s/^machine = .*/machine = \"titanv\"; workloads = ( \"plain-g.cfg\" );/; s/output = .*/output = \"plain.db\";/" "$sweep" > ./plain.cfg
    cp "$program" ./plain-g.cfg
    scripts "$1"
    sed "s/\"gto\", \"lrr\"/$(conf "$1" | sed 's/\\/\\\\/g')/" "$sweep" > ./wrong.cfg
    seen 2 sweep run ./wrong.cfg
    seen any sweep work ./plain.cfg --dir "./w$1"
    seen any sweep status "./w$1"
    seen any sweep merge ./plain.cfg --dir "./w$1"
}

in_browser() { # PAGE: it comes up, and its policy and scripts have nothing to say
    local browser
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || return
    cp "$1" "$work/page.html"
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --user-data-dir="$work/profile" --enable-logging=stderr \
        --dump-dom "file://$work/page.html" > "$work/dom" 2> "$work/log"
    grep -qa 'data-ready="[0-9]' "$work/dom" || fail "a page (text $number) does not come up in a browser"
    grep -a CONSOLE "$work/log" | head -3 | grep . && fail "a page (text $number): messages on the console"
    grep -qaE '<script>alert|<img src="?x' "$work/dom" && fail "a page (text $number): markup of a name in the browser"
    grep -qaP "$raw" <(sed '/<script type="application\/json"/,$d' "$work/dom") && fail "a page (text $number) shows something raw"
}

pages() { # TEXT
    sqlite3 "$db" 'PRAGMA integrity_check' | grep -qx ok || fail "the database (text $number)"
    python3 - "$db" "$1</script><script>alert(1)</script>" << 'END'
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
text = os.fsencode(sys.argv[2])
for sql in ("UPDATE machine SET name = ?", "UPDATE setting SET value = ? WHERE value = 'lrr'", "UPDATE program SET name = ?",
            "UPDATE workload SET name = ?", "UPDATE sweep SET file = ?", "UPDATE axis SET path = ? WHERE path = 'sm.scheduler'",
            "UPDATE setting SET path = ? WHERE path = 'sm.scheduler'", "UPDATE point SET path = ? WHERE path = 'sm.scheduler'",
            "UPDATE run SET status = 'failed', error = ? WHERE id = 1"):
    try:
        db.execute(sql.replace("?", "CAST(? AS TEXT)"), (text,))
    except sqlite3.OperationalError:
        pass
db.commit()
END
    seen 0 report "$db" -o "./r$1.html"
    cp "./r$1.html" "$work/page$number.html"
    awk 'length < 100000' "$work/page$number.html" > "$work/short.html" # without the chart library
    unseen "a page (text $number)" "$work/short.html"
    grep -qaE '<script>alert|<img src=x' "$work/page$number.html" && fail "a page (text $number): markup of a name"
    [ "${HOSTILE:-}" = all ] && in_browser "$work/page$number.html"
    command -v gnuplot > /dev/null || return
    seen 0 report "$db" --svg "./f$1"
    for picture in "./f$1"/*.svg; do
        unseen "a picture (text $number)" "$picture"
        python3 -c 'import sys, xml.dom.minidom as m
d = m.parse(sys.argv[1])
assert not d.getElementsByTagName("script") and not d.getElementsByTagName("img")' "$picture" || fail "a picture (text $number): no SVG of its own"
    done
}

# Names of files are words for a completion, too.
completes() { # TEXT
    PATH=$PWD/none:$PATH PLUMB_CONFIG_PATH=$PWD/etc bash -c 'source "$1"; plumb=$2; compopt() { :; }
        for kind in machine program parameter energy; do COMPREPLY=(); _plumb_offer $kind ""; printf "%s\n" "${COMPREPLY[@]}"; done' \
        - "$completion" "$plumb" > "$work/out" 2> "$work/err"
    grep -qx titanv "$work/out" && grep -qx l2.latency= "$work/out" || fail "completion (text $number)"
    [ -e "$MARK" ] && fail "completion (text $number): it ran"
    rm -f "$MARK"
}

number=0
for text in "${texts[@]}"; do
    number=$((number + 1))
    make_files "$text"
    machines "$text"
    completes "$text"
    programs "$text"
    sweeps "$text"
    pages "$text"
done

# Four thousand letters where a name has room for them: in values, notes and words.
number=long
cd "$work" || exit 1
seen 2 machine show "$long"
seen 2 machine show rx540 --set "l1.kb=$long"
seen 2 machine show rx540 --set "$long=1"
seen 2 estimate rx540 "$long"
seen 2 estimate rx540 stream --p "ctas=$long"
seen 2 sweep run "$long"
seen 2 "$long"
trace "$work/letters" "$long"
seen 0 estimate titanv "$work/letters" --per-kernel
json estimate titanv "$work/letters"

[ $failed -eq 0 ] && echo 'hostile text: nothing ran, nothing was drawn raw'
exit $((failed > 0))
