#!/bin/bash
# Fresh samples, end to end, against one simulation of each program: how far off are they, and do the half widths hold?
# Usage: scripts/sample-fresh.sh PLUMB SEEDS MACHINE:PROGRAM[:BUDGET]...
# Prints for each row and for all: samples, mean and worst error of cycles, share whose interval holds the simulation,
# mean half width and share of the instructions simulated.  BUDGET: warp instructions, for programs that would else be
# simulated whole.  TRUTH: as for sample-cost.sh.  The same questions asked of 10,000 repetitions in memory: bench_sampler_coverage.
set -euo pipefail
[ $# -ge 3 ] || { sed -n 3p "$0" | cut -c3- >&2; exit 2; }
plumb=$1 seeds=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for row in "$@"; do
    IFS=: read -r machine program budget <<< "$row"
    name=$(basename "$program") known=${TRUTH:-$work}/$machine-${name%.*}.json
    [ -s "$known" ] || "$plumb" simulate "$machine" "$program" --json -q > "$known"
    truth=$(jq .cycles "$known")
    for ((seed = 1; seed <= seeds; seed++)); do
        "$plumb" sample "$machine" "$program" ${budget:+--budget "$budget"} --seed $seed --threads 1 --json -q |
            jq -r --arg row "$machine ${name%.*}" --argjson truth "$truth" \
                '[$row, .cycles / $truth - 1, .confidence.half_width, .confidence.simulated_share] | @tsv'
    done
done > "$work/runs"
awk -F'\t' '
    { off = $2 < 0 ? -$2 : $2
      held = off <= $3 * (1 + $2)
      split($1 "|all", name, "|")
      for (i = 1; i <= 2; i++) {
          k = name[i]
          if (!(k in n)) order[++keys] = k
          n[k]++; error[k] += off; hold[k] += held; half[k] += $3; share[k] += $4
          if (off > worst[k]) worst[k] = off
      } }
    END { for (j = 1; j <= keys; j++) {
              k = order[j]
              if (k == "all") continue
              line(k)
          }
          line("all") }
    function line(k) {
        printf "%-28s %4d samples  error %.2f %%, worst %.2f %%  holds %.1f %%  half width %.2f %%  simulated %.0f %%\n",
            k, n[k], 100 * error[k] / n[k], 100 * worst[k], 100 * hold[k] / n[k], 100 * half[k] / n[k],
            100 * share[k] / n[k] }' "$work/runs"
