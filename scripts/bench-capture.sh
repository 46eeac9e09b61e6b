#!/bin/bash
# How much slower does capturing make Oclgrind?  CPU time (user and system) of programs of ours run bare
# under Oclgrind and captured, the best of ROUNDS (3) runs each; one line per program, then the mean.
#   scripts/bench-capture.sh [BUILD (build/release)]
set -eu
build=$(realpath "${1:-build/release}")
icd=${PLUMB_OCLGRIND_ICD:-/usr/lib/oclgrind/liboclgrind-rt-icd.so}
rounds=${ROUNDS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
programs=('fwt 65536' 'lud 128' 'nw 256' 'hotspot 64' 'bfs rmat 12' 'spmv rmat 12' 'color rmat 9' 'histogram 65536' \
    'radixsort 16384' 'matmul 128')

# seconds COMMAND...: the least CPU time of the rounds
seconds() {
    local best='' now i
    TIMEFORMAT='%U %S'
    for ((i = 0; i < rounds; i++)); do
        now=$({ time "$@" > "$work/out" 2>&1; } 2>&1 | awk '{ print $1 + $2 }')
        best=$(awk -v a="$now" -v b="${best:-1e9}" 'BEGIN { print a < b ? a : b }')
    done
    echo "$best"
}

for program in "${programs[@]}"; do
    read -r name arguments <<< "$program"
    # shellcheck disable=SC2086
    bare=$(OCL_ICD_VENDORS=$icd OCLGRIND_NUM_THREADS=1 seconds "$build/workloads/$name" $arguments)
    # shellcheck disable=SC2086
    full=$(seconds "$build/plumb" trace capture -o "$work/x.plt" -- "$build/workloads/$name" $arguments)
    instructions=$("$build/plumb" trace info --json "$work/x.plt" | jq '.total | [.lane_mix[]] | add')
    awk -v n="$program" -v b="$bare" -v f="$full" -v i="$instructions" 'BEGIN {
        printf "%-16s %6.2f s bare %6.2f s captured: %3.0f %% of the speed, %.1f M lane instructions/s\n",
            n, b, f, 100 * b / f, i / f / 1e6 }'
done | tee "$work/lines"
awk '{ for (i = 1; i <= NF; i++) if ($i == "%") { s += $(i - 1); n++ } }
    END { printf "mean of %d: %.0f %% of the speed of bare Oclgrind\n", n, s / n }' "$work/lines"
