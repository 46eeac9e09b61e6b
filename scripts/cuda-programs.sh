#!/bin/bash
# Sets simulations of the twins of OpenCL programs (scripts/twin.sh: their kernels compiled as CUDA) beside the times that
# cards measured and beside Oclgrind's captures (docs/results/studies/programs.csv), as
# docs/results/studies/cuda-programs.csv, and prints the mean of |ln(simulated / measured)|, empty launches taken off.
#   scripts/cuda-programs.sh [CARD...]      these cards of the table (h100_sxm h200): half an hour of one core
# BUILD (build/opt), WORK (build/cuda-programs: twins, captures and answers; what lies there is not made again), LIMIT (250 s), TABLES=1: only the table.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
plumb=${BUILD:-build/opt}/plumb
work=${WORK:-build/cuda-programs}
study=docs/results/studies/cuda-programs.csv
cards=("$@")
[ ${#cards[@]} -gt 0 ] || cards=(h100_sxm h200)
mkdir -p "$work"

# Programs, launches, measured and empty time, start of launches, simulated as captured and unrolled
rows() { # CARD
    awk -F, -v card="$1" 'NR > 1 && $2 == card && $10 != "" { print $1 "," $4 "," $7 "," $8 "," $10 "," $12 }' docs/results/studies/programs.csv
}
simulate() { # CARD PROGRAM ANSWER
    local trace="$work/${2// /-}.plt" name=${2%% *}
    [ -x "$work/twin/$name" ] || PLUMB=$plumb scripts/twin.sh "$work/twin" "$name" || return 0
    # shellcheck disable=SC2086 # several words
    [ -s "$trace" ] || "$plumb" trace capture -o "$trace" -- "$work/twin/"$2 > /dev/null 2>&1 || return 0
    timeout "${LIMIT:-250}" "$plumb" simulate "${1//_/-}" "$trace" --cal none --json -q --threads 1 -o "$3" || rm -f "$3"
}

echo 'program,device,measured_us,empty_us,launch_us,oclgrind_us,oclgrind_unrolled_us,cuda_us' > "$study.part"
for card in "${cards[@]}"; do
    while IFS=, read -r program measured empty launch captured unrolled; do
        answer="$work/${program// /-}.${card//_/-}.json"
        [ -s "$answer" ] || [ -n "${TABLES:-}" ] || simulate "$card" "$program" "$answer" < /dev/null
        [ ! -s "$answer" ] ||
            echo "$program,$card,$measured,$empty,$launch,$captured,$unrolled,$(jq '.time_us * 1000 | round / 1000' "$answer")" >> "$study.part"
    done < <(rows "$card")
done
mv "$study.part" "$study"
awk -F, 'function off(us) { v = log((us - $5) / ($3 - $4)); return v < 0 ? -v : v }
    NR > 1 && $3 > $4 && $7 != "" { n[$2]++; a[$2] += off($6); b[$2] += off($7); c[$2] += off($8) }
    END { for (k in n) printf "%s: %d programs, Oclgrind %.2f, unrolled %.2f, CUDA %.2f\n", k, n[k], a[k] / n[k], b[k] / n[k], c[k] / n[k] }' "$study"
