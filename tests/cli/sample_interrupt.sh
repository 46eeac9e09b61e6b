#!/bin/bash
# An interrupted sample: status 130, and what the intervals done so far say, marked as partial.
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
failed=0
fail() {
    echo "FAIL $*"
    failed=$((failed + 1))
}

cat > "$work/long.cfg" << 'END'
generator = "gather";
distribution = "zipf";
ctas = 320;
warps_per_cta = 4;
iterations = 24;
footprint = "4MB";
END

# Half of it: without a budget so short a program is simulated whole.
"$plumb" estimate rx540 "$work/long.cfg" --json -q > "$work/estimate" || fail estimate
budget=$(jq '.warp_instructions / 2 | floor' "$work/estimate")
# Starts plumb with the arguments and sends the signal when it has taken so much processor time, however busy the host.
send() { # SIGNAL MILLISECONDS ARGUMENT...: plumb's exit status
    local signal=$1 ticks=$(($2 * $(getconf CLK_TCK) / 1000)) pid stat
    "$plumb" "${@:3}" > "$work/out" 2> "$work/err" &
    pid=$!
    while read -ra stat < "/proc/$pid/stat" && [ "${stat[2]}" != Z ] && [ $((stat[13] + stat[14])) -lt $ticks ]; do
        sleep 0.02
    done
    kill -s "$signal" $pid
    wait $pid
}

after=1200 # ms
# Until some intervals have been run when the signal comes, and not all: later when it came too early, sooner when the
# sample was over (a pass that is kept makes it faster).
interrupted() { # SIGNAL OPTION...
    local signal=$1 try status
    shift
    for ((try = 0; try < 20; try++)); do
        send "$signal" $after sample rx540 "$work/long.cfg" --error 0.0001 --budget "$budget" --threads 1 --json "$@"
        status=$?
        [ $status -eq 0 ] && after=$((after * 5 / 8)) && continue
        [ $status -eq 130 ] || { fail "$signal after $after ms: status $status"; return 1; }
        jq -e '.error or .confidence.partial' "$work/out" > /dev/null ||
            fail "$signal after $after ms: neither an error nor a partial answer"
        jq -e '.confidence.intervals >= 2' "$work/out" > /dev/null && return 0
        after=$((after * 2))
    done
    fail "$signal: never came with two intervals done and more to do"
    return 1
}

for signal in INT TERM; do
    interrupted $signal -v || continue
    jq -e '.cycles > 0 and .confidence.half_width > 0 and .confidence.simulated_share < 1
        and (.warnings | any(test("partial estimate from [0-9]+ intervals")))' "$work/out" > /dev/null ||
        fail "$signal: what is known is not told"
    grep -q interrupted "$work/err" || fail "$signal: nothing on standard error"
    jq -es '.[0].cycles / .[1].cycles | . > 0.5 and . < 2' "$work/out" "$work/estimate" > /dev/null ||
        fail "$signal: cycles are far from the estimate"
done

timeout --preserve-status -s INT 64 "$plumb" sample rx540 "$work/long.cfg" --error 0.0001 --budget "$budget" -q > "$work/out" &
sleep 0.3
kill -INT $!
wait $!
[ $? -eq 130 ] || fail 'interrupted at once: not 130'

echo "$failed failures"
[ $failed -eq 0 ]
