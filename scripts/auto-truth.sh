#!/bin/bash
# The truth of bench_sweeps_auto: simulates the first POINTS points of bench/sweeps_auto.cfg in full (resumable; all
# 1,000 take an hour or two on two cores) and writes bench/sweeps_auto.csv: point,program,cycles.
#   scripts/auto-truth.sh [POINTS]        PLUMB: the program; TRUTH_DB: the database (build/sweeps-auto-truth.db)
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
plumb=${PLUMB:-build/release/plumb}
points=${1:-1000}
db=${TRUTH_DB:-build/sweeps-auto-truth.db}
sweep=$(mktemp --suffix .cfg)
trap 'rm -f "$sweep"' EXIT
awk -v points="$points" '/^points/ { rows = 1; print; next } rows && /^  \[/ && ++n > points { next }
    rows && n == points { sub(/,$/, "") } { sub(/"auto"/, "\"simulate\""); print }' bench/sweeps_auto.cfg > "$sweep"
"$plumb" sweep run "$sweep" --db "$db" -q
"$plumb" sweep export "$sweep" --db "$db" --json |
    jq -r '.[] | select(.status == "done") | [.point, .program, .metrics.cycles] | join(",")' > bench/sweeps_auto.csv.new
mv bench/sweeps_auto.csv.new bench/sweeps_auto.csv
