#!/bin/bash
# What does a first estimate cost beside a simulation?  Processor time (user and system, one thread) of
# `plumb estimate` with an empty cache and of `plumb simulate`, the least of ROUNDS (2) runs each.
#   scripts/estimate-cost.sh MACHINE PROGRAM... > cost.csv
# Environment: PLUMB (./plumb), ROUNDS, LEAST: programs of fewer warp instructions are left out (100000),
# OPTIONS: of the estimate, for example --exact-profile.
# A row per program: both times, their ratio, cycles of both and how far the estimate is off.  At the end,
# on standard error: median, 90th percentile and worst of the ratios, mean error of the cycles.
set -eu
export PLUMB_BANK=off # figures are those without a bank of runs
plumb=${PLUMB:-./plumb}
rounds=${ROUNDS:-2}
least=${LEAST:-100000}
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
machine=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# seconds ENGINE PROGRAM: the least processor time; the answer is left in $work/ENGINE.json
seconds() {
    local best='' now i options=''
    [ "$1" = estimate ] && options=${OPTIONS:-}
    TIMEFORMAT='%U %S'
    for ((i = 0; i < rounds; i++)); do
        rm -rf "$work/cache"
        # shellcheck disable=SC2086
        now=$({ time XDG_CACHE_HOME=$work/cache "$plumb" "$1" "$machine" "$2" $options --threads 1 -q --json \
            -o "$work/$1.json" 2> /dev/null; } 2>&1 | awk '{ print $1 + $2 }')
        best=$(awk -v a="$now" -v b="${best:-1e9}" 'BEGIN { print a < b ? a : b }')
    done
    echo "$best"
}

value() { # FILE NAME: the first number of that name
    sed -n "s/^  \"$2\": \([0-9.e+-]*\),*\$/\1/p" "$work/$1.json" | head -1
}

echo "machine,program,warp_instructions,simulate_s,estimate_s,ratio,simulated_cycles,estimated_cycles,error"
for program; do
    simulate=$(seconds simulate "$program")
    n=$(value simulate warp_instructions)
    awk -v n="$n" -v least="$least" 'BEGIN { exit !(n >= least) }' || continue
    estimate=$(seconds estimate "$program")
    awk -v OFS=, -v m="$machine" -v p="$(basename "${program%.*}")" -v n="$n" -v s="$simulate" -v e="$estimate" \
        -v a="$(value simulate cycles)" -v b="$(value estimate cycles)" \
        'BEGIN { print m, p, n, s, e, sprintf("%.3f", e / s), a, b, sprintf("%.3f", b / a - 1) }'
done | tee "$work/rows"
sort -t, -k6,6n "$work/rows" | awk -F, '
    { ratio[NR] = $6; sum += $9 < 0 ? -$9 : $9 }
    END {
        if (!NR) exit
        printf "%d programs: ratio %.3f in the median, %.3f at the 90th percentile, %.3f at worst; mean error %.1f %%\n",
            NR, ratio[int((NR + 1) / 2)], ratio[int(0.9 * (NR - 1) + 1.5)], ratio[NR], 100 * sum / NR
    }' >&2
