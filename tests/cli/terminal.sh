#!/bin/bash
# Does a terminal of 80 columns hold what is printed to it, and does a pipe get whole lines?
set -u
: "${PLUMB:?the program to test}"
command -v script > /dev/null || { echo "script (of bsdutils) is missing"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
plumb=$(realpath "$PLUMB")

columns=80 commands=0
on_terminal() { # ARGUMENT...: what a terminal of so many columns shows to $work/shown
    SHELL=/bin/bash script -qec "stty cols $columns; $plumb $* 2> /dev/null" /dev/null < /dev/null | tr -d '\r' > "$work/drawn"
    sed 's/\x1b\[[0-9;]*m//g' "$work/drawn" > "$work/shown"
    commands=$((commands + (columns == 80)))
    [ "$(wc -l < "$work/shown")" -gt 1 ] || fail "plumb $*: nothing is shown"
    local wide
    wide=$(LC_ALL=C sed 's/[\x80-\xbf]//g' "$work/shown" | LC_ALL=C awk -v most=$columns 'length > most' | head -1)
    [ -z "$wide" ] || fail "plumb $*: wider than $columns columns: $wide"
}
on_terminal estimate rx540 quick/lud
on_terminal estimate rx540 quick/lud quick/kmeans quick/bfs quick/mersenne quick/apsp
on_terminal estimate rx540 quick/lud --per-kernel -v
on_terminal simulate rx540 quick/lud --per-load
on_terminal sample rx540 quick/lud
on_terminal compare rx540 quick/lud --vs l2.bank_kb=512
on_terminal compare rx540 quick/lud --with rx570 --with vega64 --with hd7870
on_terminal compare rx540 quick/lud --engine estimate,sample,simulate
on_terminal machine list
on_terminal machine params l2
on_terminal machine diff rx540 rx570
on_terminal program list
on_terminal metrics
on_terminal energy show rx540
on_terminal dram gddr5 --pattern seq --requests 1000
on_terminal machine diff a100-80 h100-sxm
on_terminal energy show h100-sxm
on_terminal program show ml/gemm
on_terminal trace profile quick/lud
on_terminal sweep check configs/sweeps/rx540-demo.cfg
for page in --help 'help estimate' 'help compare' 'help machine probe' 'help sweep run' 'help trace capture' 'operators --help'; do
    on_terminal $page
done
for preset in rx540 h100-sxm a100-80 mi300x; do on_terminal machine show $preset; done
on_terminal machine params dram
on_terminal machine mechanisms
on_terminal machine check rx540
on_terminal machine params noc
on_terminal sweep import --what-to-collect ncu
bash -n "$work/shown" || fail 'a folded command line is none'
[ "$(sed -z 's/\\\n//g' "$work/shown")" = "$("$plumb" sweep import --what-to-collect ncu)" ] || fail 'a folded command line is another'
on_terminal metrics hit_rate
on_terminal trace info quick/bfs
on_terminal estimate h100-sxm quick/bfs -v
columns=60
on_terminal help sweep run
on_terminal estimate rx540 quick/lud -v
on_terminal program show ml/gemm
on_terminal metrics
columns=80
on_terminal trace suite
on_terminal trace suite quick --list
on_terminal trace info quick/lud
sed 's:^workloads .*:workloads = ( "quick/lud", "quick/bfs" );:; s:values = \[8, 32, 128\]:values = [8, 32]:' configs/sweeps/rx540-demo.cfg > "$work/demo.cfg"
"$plumb" sweep run "$work/demo.cfg" --db "$work/demo.db" -q
on_terminal sweep status "$work/demo.cfg" --db "$work/demo.db"
on_terminal sweep check "$work/demo.cfg" --db "$work/demo.db" --simulate 2 -q
on_terminal calibrate rx540 quick/lud quick/bfs -o "$work/x.cal" --points 2 -q -v
[ $commands -ge 40 ] || fail "only $commands commands were shown at 80 columns"

# --- bold and colour: on a terminal alone, unless the user says otherwise ---
escapes() { grep -c $'\x1b\\[[0-9]*m' "$1"; }
on_terminal estimate rx540 quick/lud
[ "$(escapes "$work/drawn")" -ge 5 ] || fail 'a terminal shows no bold'
NO_COLOR=1 on_terminal estimate rx540 quick/lud
[ "$(escapes "$work/drawn")" = 0 ] || fail 'NO_COLOR shows bold'
TERM=dumb on_terminal estimate rx540 quick/lud
[ "$(escapes "$work/drawn")" = 0 ] || fail 'a dumb terminal is shown bold'
on_terminal estimate rx540 quick/lud --color=never
[ "$(escapes "$work/drawn")" = 0 ] || fail '--color=never shows bold'
"$plumb" estimate rx540 quick/lud > "$work/piped"
[ "$(escapes "$work/piped")" = 0 ] || fail 'a pipe gets bold'
"$plumb" estimate rx540 quick/lud --color=always > "$work/bold"
[ "$(escapes "$work/bold")" -ge 5 ] || fail '--color=always shows no bold'
cmp -s <(sed 's/\x1b\[[0-9;]*m//g' "$work/bold") "$work/piped" || fail 'bold output has other words'
"$plumb" estimate rx540 quick/lud --color=always -o "$work/file"
cmp -s "$work/file" "$work/piped" || fail 'a file gets more than the words'
"$plumb" estimate rx540 quick/lud --color=some 2> "$work/err" && fail '--color=some is taken'
grep -q 'auto' "$work/err" || fail "--color=some: $(cat "$work/err")"

# What takes long says so within a second or two, in lines that the terminal holds; so do warnings and errors.
watch() { # FILE COLUMNS COMMAND...: the lines that were drawn, each drawing of the last one a line, to $work/FILE
    local to=$work/$1 columns=$2
    shift 2
    TERM=xterm SHELL=/bin/bash script -qec "stty cols $columns; $* > /dev/null" /dev/null < /dev/null |
        tr '\r' '\n' | sed 's/\x1b\[[0-9;]*[mK]//g' | grep . > "$to"
}
shows() { # FILE COLUMNS TEXT
    grep -q "$3" "$work/$1" || fail "$1 does not show '$3': $(cat "$work/$1")"
    awk -v most="$2" 'length > most { print; bad = 1 } END { exit bad }' "$work/$1" || fail "$1 is wider than $2 columns"
}
gemm='ml/gemm --p M=4096 --p N=4096 --p K=4096'
watch slow-estimate 50 timeout 2.4 "$plumb" estimate h100-sxm $gemm &
watch slow-simulation 50 timeout 2.4 "$plumb" simulate h100-sxm $gemm &
watch error 40 "$plumb" estimate h100-sxm quick/lud quick/lvd
watch quiet 80 "$plumb" estimate rx540 quick/lud -q
wait
shows slow-estimate 50 'CTAs profiled, [12] s'
shows slow-simulation 50 '0/1024 CTAs, [12] s'
shows error 40 'closest'
[ ! -s "$work/quiet" ] || fail "-q shows $(cat "$work/quiet")"

# A configuration on a terminal is a configuration.
on_terminal_show=$(SHELL=/bin/bash script -qec "stty cols 60; $plumb machine show a100-80" /dev/null < /dev/null | tr -d '\r')
printf '%s\n' "$on_terminal_show" > "$work/shown.cfg"
awk '/^#/ && length > 60' "$work/shown.cfg" | grep -q . && fail 'comments are wider than the terminal'
[ "$("$plumb" machine show "$work/shown.cfg" --json | jq -r .digest)" = "$("$plumb" machine show a100-80 --json | jq -r .digest)" ] ||
    fail 'what a terminal shows of a machine is another machine'

# Words are broken apart nowhere, and nothing is lost: the terminal's words are the pipe's.
on_terminal machine list
"$plumb" machine list > "$work/piped"
cmp -s <(tr -s ' \n' '\n' < "$work/shown") <(tr -s ' \n' '\n' < "$work/piped") || fail 'the terminal shows other words'
[ "$(grep -vcE '^(#|$)' "$work/piped")" = "$(($("$plumb" machine list --json | grep -c '"machine"') + 1))" ] || fail 'a pipe gets broken lines'
exit $((failed > 0))
