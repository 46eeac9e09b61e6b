#!/bin/bash
# How much faster is a sample on two threads?  In turns, at first use (empty cache) and with the pass that it left.
# Usage: scripts/sample-scaling.sh PLUMB MACHINE PROGRAM [TURNS] [sample's options...]
# Prints the medians of wall and processor time and their ratios, and ends with 1 if the answers differ.  On a quiet
# machine only: wall times beside others' work say nothing.
set -eu
export PLUMB_BANK=off # figures are those without a bank of runs
[ $# -ge 3 ] || { sed -n 3p "$0" | cut -c3- >&2; exit 2; }
plumb=$1 machine=$2 program=$3 turns=${4:-5}
shift $(($# < 4 ? $# : 4))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

one() { # THREADS WHEN OPTION...: a line "WHEN THREADS wall processor" and the answer without its host part
    local threads=$1 when=$2 TIMEFORMAT='%R %U %S'
    shift 2
    { time XDG_CACHE_HOME=$work/cache "$plumb" sample "$machine" "$program" --threads "$threads" --json -q "$@" \
        > "$work/answer"; } 2> "$work/time"
    awk -v when="$when" -v threads="$threads" '{ print when, threads, $1, $2 + $3 }' "$work/time" >> "$work/times"
    jq -S 'del(.host)' "$work/answer" | md5sum >> "$work/answers"
}

# Suites' captures are found where they are.
suites=${XDG_CACHE_HOME:-$HOME/.cache}/plumb/suites
for ((turn = 0; turn < turns; turn++)); do
    for threads in 1 2; do
        rm -rf "$work/cache"
        mkdir -p "$work/cache/plumb"
        [ -d "$suites" ] && ln -s "$suites" "$work/cache/plumb/suites"
        one $threads first "$@"
        one $threads kept "$@"
    done
done
sort -k1,1 -k2,2n -k3,3n "$work/times" | awk '
    { k = $1 " " $2; n[k]++; wall[k, n[k]] = $3; cpu[k] += $4 }
    function median(k) { return (wall[k, int((n[k] + 1) / 2)] + wall[k, int(n[k] / 2) + 1]) / 2 }
    END { for (i = 1; i <= 2; i++) {
              when = i == 1 ? "first" : "kept"; a = when " 1"; b = when " 2"
              printf "%-5s  1 thread %.2f s (%.2f s of processor time), 2 threads %.2f s (%.2f s): %.2fx\n", when,
                  median(a), cpu[a] / n[a], median(b), cpu[b] / n[b], median(a) / median(b) } }'
[ "$(sort -u "$work/answers" | wc -l)" -eq 1 ] || { echo "the answers differ"; exit 1; }
