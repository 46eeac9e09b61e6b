#!/bin/bash
# Warp instructions per second of a processor that recording kernels takes, compiled as CUDA and under Oclgrind:
# programs of workloads/ and their twins (scripts/twin.sh), in turns; the fastest of TURNS (5) counts.
#   scripts/cuda-speed.sh FOLDER       FOLDER: where the twins are built
# BUILD (build/opt), PROGRAMS: with their arguments, by commas. Times are of the whole program, user time.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build/opt}
turns=${TURNS:-5}
folder=$1
IFS=, read -r -a programs <<< "${PROGRAMS:-matmul 256 1,fwt 262144,bfs uniform 16,bfs rmat 14,hotspot 512 2 1}"
user() { # COMMAND...: seconds
    { TIMEFORMAT=%U; time "$@" > /dev/null 2>&1; } 2>&1
}
least() { printf '%s\n' "$@" | sort -g | head -n 1; }
instructions() { "$build/plumb" trace info --json "$1" | jq '.total.mix | add'; }

printf '| program | Oclgrind: warp instructions | s | CUDA: warp instructions | s | s without recording | factor in warp instructions per s |\n'
printf '| --- | --- | --- | --- | --- | --- | --- |\n'
for program in "${programs[@]}"; do
    read -r -a words <<< "$program"
    PLUMB=$build/plumb scripts/twin.sh "$folder" "${words[0]}"
    a=() b=() bare=()
    for ((i = 0; i < turns; i++)); do
        a+=("$(user "$build/plumb" trace capture --width 32 -o "$folder/a.plt" -- "$build/workloads/${words[0]}" "${words[@]:1}")")
        b+=("$(user "$build/plumb" trace capture -o "$folder/b.plt" -- "$folder/${words[0]}" "${words[@]:1}")")
        bare+=("$(user "$folder/${words[0]}" "${words[@]:1}")")
    done
    x=$(instructions "$folder/a.plt") y=$(instructions "$folder/b.plt")
    awk -v p="$program" -v x="$x" -v y="$y" -v s="$(least "${a[@]}")" -v t="$(least "${b[@]}")" -v n="$(least "${bare[@]}")" \
        'BEGIN { printf "| `%s` | %d | %.2f | %d | %.2f | %.2f | %.1f |\n", p, x, s, y, t, n, (y / t) / (x / s) }'
done
