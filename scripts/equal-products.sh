#!/bin/bash
# Do launches with equal work have equal estimates?  Estimates each PROGRAM on each machine without a calibration and prints
#   - launches with as many instructions, operations and L1 accesses whose cycles differ by more than 3 %, with the shares that
#     hit in the L2 and the bursts read, which tell whether the caches explain the difference;
#   - launches on busy channels (10 %) whose rows always hit or never do: their samples may show too little.
#   scripts/equal-products.sh PROGRAM...
# PLUMB names the binary, MACHINES the machines, APART the ratio.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
plumb=${PLUMB:-build/release/plumb}
machines=${MACHINES:-h100-sxm a100-80 qv100}
[ $# -gt 0 ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 2; }

for machine in $machines; do
    for program in "$@"; do
        "$plumb" estimate "$machine" "$program" --cal none --per-kernel --json 2> /dev/null |
            jq -r --arg what "$machine $(basename "$program" .cfg)" --argjson apart "${APART:-1.03}" '
                def about: "\(.launch) \(.name) \(.cycles | round) (L2 \(.l2.hit_rate * 1000 | round / 10) %, "
                         + "\(.dram.reads | round) reads)";
                (.kernels | length) as $n | [.kernels | group_by([.warp_instructions, (.lane_operations | round),
                                                                  (.l1.accesses | round)])[] | select(length > 1)] as $equal
                | [$equal[] | select((map(.cycles) | max / min) > $apart)] as $differ
                | "\($what): \($n) launches, \($equal | length) groups of equal work, \($differ | length) differ",
                  ($differ[] | "    " + (map(about) | join(", "))),
                  (.kernels[] | select((.dram.row_hit_rate // 0.5) as $r | ($r <= 0 or $r >= 1) and .dram.utilization > 0.1)
                   | "    rows hit \(.dram.row_hit_rate * 100) %: \(about)")'
    done
done
