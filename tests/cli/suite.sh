#!/bin/bash
# Suites: are they listed, read and refused as the documentation says; are captures whole, checked, resumed
# after kill -9, and used by the engines and sweeps?  What needs Oclgrind comes last and is left out without
# it (status 77).
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
mkdir -p "$work/etc/workloads/suites"
export PLUMB_CONFIG_PATH=$work/etc PLUMB_SUITES=$work/kept XDG_CACHE_HOME=$work/cache

# suite NAME TEXT
suite() {
    printf '%s\n' "$2" > "$work/etc/workloads/suites/$1.cfg"
}

# expect NAME STATUS TEXT COMMAND...: the last line (stdout, then stderr) holds TEXT
expect() {
    local name=$1 status=$2 text=$3 got
    shift 3
    "$@" > "$work/out" 2> "$work/err"
    got=$?
    [ $got -eq "$status" ] || fail "$name: status $got, expected $status: $(tail -n 1 "$work/err")"
    [ -z "$text" ] || cat "$work/out" "$work/err" | grep -qF -- "$text" || fail "$name: nothing says '$text': $(cat "$work/err")"
}

# --- what is shipped: every suite loads, names a machine that there is, and tells of each program why
"$plumb" trace suite --json > "$work/all.json" || fail "the shipped suites do not load"
presets=" $("$plumb" machine list | awk 'NR > 1 { print $1 }' | tr '\n' ' ') "
for machine in $(jq -r '.[].machine // empty' "$work/all.json"); do
    [[ $presets == *" $machine "* ]] || fail "a suite is for $machine, which is no preset"
done
untold=$(jq -r '.[] | select(.machine) | .suite as $s | .programs[] | select(.why and .class and .digest
    and (.digest | test("[1-9a-f]")) and .warp_instructions and .footprint_kb | not) | "\($s):\(.program)"' "$work/all.json")
[ -z "$untold" ] || fail "class, why, digest or size is missing: $untold"
large=$(jq -r '.[] | select(.suite != "long") | .programs[] | select(.warp_instructions > 20000000) | .program' "$work/all.json")
[ -z "$large" ] || fail "more than 20 million warp instructions: $large"
short=$(jq -r '.[] | select(.suite == "long") | .programs[] | select(.digest and .warp_instructions < 10000000) | .program' "$work/all.json")
[ -z "$short" ] || fail "suite long, less than 10 million warp instructions: $short"

# --- refused, with the place
suite wrong '
programs = ( { name = "a"; capture = "fwt 4096"; digest = "12"; },
             { name = "a b"; capture = "fwt"; } );'
expect 'a wrong file' 2 'wrong.cfg:2: digest: "12"; allowed are 32 hexadecimal digits' "$plumb" trace suite wrong
expect 'all faults' 2 'wrong.cfg:3: name: "a b"' "$plumb" trace suite wrong
expect 'all suites' 2 'wrong.cfg:2: ' "$plumb" trace suite
expect 'no such suite' 2 "'plumb trace suite' lists the suites" "$plumb" trace suite nowhere
expect 'threads' 2 'allowed are whole numbers from 1 to 64' "$plumb" trace suite quick --threads 0
expect 'force what' 2 'need the name' "$plumb" trace suite --force
rm "$work/etc/workloads/suites/wrong.cfg"

# --- what is missing is said once, with what to do
suite two 'description = "two captures"; machine = "rx540";
programs = ( { name = "small"; capture = "fwt 4096"; class = "multi-kernel"; why = "a reason"; },
             { name = "part"; capture = "fwt 4096"; options = "--launches 1-2"; } );'
for engine in estimate sample simulate; do
    expect "missing in $engine" 2 'run: plumb trace suite two' "$plumb" $engine rx540 suite:two
    [ "$(wc -l < "$work/err")" -eq 1 ] || fail "missing in $engine: more than one line"
done
expect 'one that is missing' 2 'suite:two: part is not captured yet; run: plumb trace suite two' "$plumb" estimate rx540 suite:two/part
expect 'none of the suite' 2 'suite two has no such program; the closest is part; ' "$plumb" estimate rx540 suite:two/par
expect 'without the prefix' 2 'did you mean suite:two/part?' "$plumb" estimate rx540 two/part
expect 'the list' 0 'small: a reason (fwt 4096)' "$plumb" trace suite two --list
expect 'one of a suite' 0 '' "$plumb" estimate rx540 suite:quick/bfs --json -q
jq -e 'type == "object" and .program == "bfs"' "$work/out" > /dev/null || fail 'suite:quick/bfs: not one answer'
expect 'one for a command of one' 0 '' "$plumb" trace info --brief suite:quick/bfs
printf 'machine = "rx540"; workloads = ( "suite:quick/lud", "suite:quick/bfs" ); output = "%s"; axes = ( { path = "l1.kb";
values = [16]; } );\n' "$work/one.db" > "$work/one.cfg"
expect 'one in a sweep' 0 '1 points x 2 programs' "$plumb" sweep check "$work/one.cfg"
expect 'all suites' 0 'two captures' "$plumb" trace suite

# --- without a place for captures suites are listed all the same, and capturing says what is missing
expect 'list without a cache' 0 'two captures' env -u HOME -u XDG_CACHE_HOME -u PLUMB_SUITES "$plumb" trace suite
expect 'capture without a cache' 1 'set PLUMB_SUITES' env -u HOME -u XDG_CACHE_HOME -u PLUMB_SUITES "$plumb" trace suite two
[ "$(wc -l < "$work/err")" -eq 1 ] || fail 'capture without a cache: more than one line'

# --- the quick suite through the engines: the estimator in the quick tests, all (ENGINES) in suite_long.sh
for engine in ${ENGINES:-estimate}; do
    expect "quick in $engine" 0 '' "$plumb" $engine rx540 suite:quick --json -q
    jq -e --slurpfile all "$work/all.json" '($all[0][] | select(.suite == "quick") | .programs | length) as $n
        | length == $n and all(.[]; .cycles > 0 and (.error | not))' "$work/out" > /dev/null ||
        fail "quick in $engine: not an answer for each program"
done
# what is bundled is what the suite records
jq -r '.[] | select(.suite == "quick") | .programs[] | "\(.path) \(.digest) \(.warp_instructions) \(.footprint_kb)"' \
    "$work/all.json" > "$work/quick"
while read -r path digest instructions footprint; do
    "$plumb" trace info --json "$path" > "$work/info.json"
    got=$(jq -r '"\(.digest) \(.total.warp_instructions) \([.total.lines / 8, 1] | max | floor)"' "$work/info.json")
    [ "$got" = "$digest $instructions $footprint" ] || fail "$path: $got, recorded $digest $instructions $footprint"
done < "$work/quick"

plugin=${PLUMB_PLUGIN_DIR:-$(dirname "$plumb")/trace/oclgrind}/libplumb_capture.so
programs=${PLUMB_WORKLOADS_BIN:-$(dirname "$plumb")/workloads}
if ! command -v oclgrind-kernel > /dev/null || [ ! -f "$plugin" ] || [ ! -x "$programs/fwt" ]; then
    [ $failed -eq 0 ] || exit 1
    echo "capture of suites not tested: Oclgrind, $plugin or $programs is missing"
    exit 77
fi
# where a program's capture lies
path_of() {
    "$plumb" trace suite "$1" --json | jq -r ".programs[] | select(.program == \"$2\") | .path"
}

# --- captured once, then used; again only when asked
expect 'capture' 0 'suite:two: 2 of 2 programs ready, 2 captured now' "$plumb" trace suite two --threads 2
expect 'nothing to do' 0 '2 of 2 programs ready, 0 captured now' "$plumb" trace suite two
"$plumb" trace info --json "$(path_of two part)" | jq -e '.total.launches == 2' > /dev/null || fail "not launches 1-2"
expect 'used' 0 '"program": "part"' "$plumb" estimate rx540 suite:two --json
expect 'by force' 0 '2 captured now' "$plumb" trace suite two --force
printf 'machine = "rx540"; workloads = ( "suite:two" ); engine = "estimate"; design = "grid"; output = "%s";
axes = ( { path = "l2.mshr.entries"; values = [16, 32]; } );\n' "$work/s.db" > "$work/s.cfg"
expect 'in a sweep' 0 '' "$plumb" sweep run "$work/s.cfg" -q
[ "$("$plumb" sweep export "$work/s.cfg" --csv | tail -n +2 | wc -l)" -eq 4 ] || fail "not 2 points x 2 programs"
expect 'another folder' 0 '2 captured now' "$plumb" trace suite two --dir "$work/elsewhere"
[ -n "$(ls "$work/elsewhere")" ] || fail "--dir: nothing there"

# --- another digest: named with the recorded one, kept aside, not used; taken when told; others go on
wrong=00112233445566778899aabbccddeeff
right=$("$plumb" trace info --json "$(path_of two small)" | jq -r .digest)
suite three "programs = ( { name = \"other\"; capture = \"fwt 4096\"; digest = \"$wrong\"; },
    { name = \"none\"; capture = \"nosuch\"; }, { name = \"fails\"; capture = \"fwt 5\"; },
    { name = \"same\"; capture = \"fwt 4096\"; digest = \"$right\"; } );"
expect 'mismatch' 1 "digest is $right, the suite records $wrong; kept as" "$plumb" trace suite three
grep -q 'other: ' "$work/err" || fail "mismatch: the program is not named"
grep -q 'none: there is no program nosuch in .*deps.sh --capture' "$work/err" || fail "missing executable: not told"
grep -q 'fails: .*exit status' "$work/err" || fail "failing program: not told"
grep -q '1 of 4 programs ready' "$work/out" || fail "mismatch: the others did not go on"
ls "$(path_of three other)".*.other > /dev/null 2>&1 || fail "mismatch: not kept aside"
expect 'mismatch is missing' 2 'run: plumb trace suite three' "$plumb" estimate rx540 suite:three
suite three "programs = ( { name = \"other\"; capture = \"fwt 4096\"; digest = \"$wrong\"; } );"
expect 'accepted' 0 '1 of 1 program ready' "$plumb" trace suite three --accept
expect 'accepted is used' 0 '' "$plumb" estimate rx540 suite:three

# --- kill -9 at several moments: what has its place is whole, and is not captured again
suite long 'programs = ( { name = "p1"; capture = "fwt 16384"; }, { name = "p2"; capture = "fwt 32768"; },
    { name = "p3"; capture = "fwt 65536"; }, { name = "p4"; capture = "fwt 65536"; options = "--width 32"; } );'
for moment in 0.1 0.3 0.7 1.5; do
    setsid "$plumb" trace suite long --threads 1 -q > /dev/null 2>&1 &
    sleep $moment
    kill -9 -- -$! 2> /dev/null
    wait $! 2> /dev/null
    find "$PLUMB_SUITES" -path '*/.making/*' -prune -o -name 'p[1-4].plt' -printf '%p %T@\n' | sort > "$work/before"
    while read -r path _; do
        "$plumb" trace check "$path" > /dev/null 2>&1 || fail "after kill -9 at $moment s: $path is not whole"
    done < "$work/before"
done
expect 'resumed' 0 '4 of 4 programs ready' "$plumb" trace suite long
while read -r path time; do
    [ "$(stat -c %.10Y "$path")" = "$time" ] || fail "resumed: $path was captured again"
done < <(awk '{ printf "%s %s\n", $1, $2 }' "$work/before")
[ ! -e "$PLUMB_SUITES/.making" ] || fail "resumed: .making is left: $(find "$PLUMB_SUITES/.making")"

# --- stopped politely: status 130, nothing left under way
"$plumb" trace suite long --force --threads 2 -q > "$work/out" 2> "$work/err" &
sleep 0.5
kill -TERM $!
wait $!
status=$?
[ $status -eq 130 ] || fail "interrupted: status $status"
[ ! -e "$PLUMB_SUITES/.making" ] || fail "interrupted: .making is left"
expect 'still whole' 0 '4 of 4 programs ready, 0 captured' "$plumb" trace suite long

[ $failed -eq 0 ] && echo "suites: all as documented"
exit $((failed > 0))
