#!/bin/bash
# Random machines over all parameters and their whole ranges, each with a small program: are simulated cycles within the
# ranges that estimates state, does nothing crash, is every metric one that can be?
# Usage: scripts/random-machines.sh ROWS.csv [FROM [COUNT]]     machines number FROM (0) to FROM + COUNT - 1 (2000)
#   BENCH names the binary (build/rel/bench_random_machines), THREADS processes at a time (2), SEED another series (1).
# A row a machine (bench/random_machines.c says what the columns hold); numbers that ROWS.csv has are not run again, so
# that a killed run goes on.  `command` is what comes behind `plumb estimate` or `plumb simulate`.  2,000 machines take
# two cores about ten minutes.  Printed, of all rows: outcomes, shares of ranges missed, the worst, metrics whose
# ranges are missed most, and what cannot be: failures and misfits.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
[ $# -ge 1 ] && [ $# -le 3 ] || { sed -n 4p "$0" | cut -c3- >&2; exit 2; }
bench=${BENCH:-$(dirname "$0")/../build/rel/bench_random_machines}
"$bench" "$1" "${2:-0}" "${3:-2000}"

ask() { sqlite3 -bail -separator '  ' "$work/db" "$1"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sqlite3 -bail -csv "$work/db" ".import '$1' rows"

ask "SELECT outcome, count(*) FROM rows GROUP BY outcome ORDER BY outcome;
    SELECT printf('cycles: %d ranges, %.1f %% missed, %d by more than three times', count(*),
        100.0 * sum(outcome = 'missed') / count(*), sum(beyond + 0 > 3)) FROM rows WHERE outcome IN ('held', 'missed');
    SELECT printf('all metrics: %d ranges, %.1f %% missed', sum(stated),
        100.0 * sum((outcome = 'missed') + (length(others) > 0) + length(others) - length(replace(others, ' ', '')))
        / sum(stated)) FROM rows WHERE stage = 'done';"
echo "ranges missed, farthest first:"
ask "SELECT printf('%6.2f', beyond), printf('%.0f simulated', simulated),
        printf('%s [%s; %s]', estimated, low, high), command
    FROM rows WHERE outcome = 'missed' ORDER BY beyond + 0 DESC;"
echo "metrics whose ranges are missed, besides cycles:"
ask "SELECT others FROM rows WHERE stage = 'done'" | tr ' ' '\n' |
    awk -F: 'NF == 2 { n[$1]++; if ($2 > most[$1]) most[$1] = $2 }
        END { for (m in n) printf "%6d  %-36s the worst %s times\n", n[m], m, most[m] }' | sort -rn
echo "without an answer, or with one that cannot be:"
ask "SELECT outcome, stage, misfit, words, command FROM rows
    WHERE outcome IN ('failed', 'refused', 'slow') OR misfit <> '' ORDER BY outcome, words;"
