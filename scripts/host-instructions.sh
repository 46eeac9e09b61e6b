#!/bin/bash
# How many host instructions plumb takes for six fixed runs, by callgrind, which counts the same on any day: the table in
# docs/results/speed.md that a change has to show.
#   scripts/host-instructions.sh            counts them, and says what rose by more than half a per cent since the table
#   scripts/host-instructions.sh --write    and writes the table
# PLUMB (build/release/plumb): the program, as users build it.
set -euo pipefail
export PLUMB_BANK=off
cd "$(dirname "$0")/.."
plumb=${PLUMB:-build/release/plumb}
page=docs/results/speed.md
# shellcheck source=scripts/models.bash
. scripts/models.bash
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
command -v valgrind > /dev/null || { echo "valgrind is missing" >&2; exit 1; }

# NAME | what it stands for | command
cases="copy | streams at the memory's limit | simulate qv100 ml/elementwise --p n=500000
gather | scattered loads | simulate rx540 gather --max-instructions 20000
matmul | products through shared memory | simulate qv100 ml/gemm --p M=256 --p N=256 --p K=256
fwt | a captured program | simulate rx540 fwt --max-instructions 100000
protocol | sharers of lines under NMOESI | simulate hd7770-pdp16 handoff --set coherence.protocol=nmoesi --max-instructions 60000
estimate | an estimate with a kept profile | estimate rx540 fwt --csv"

count() { # COMMAND: instructions of the host, in millions
    # shellcheck disable=SC2086 # several words
    valgrind --tool=callgrind --callgrind-out-file="$work/out" "$plumb" $1 -q > /dev/null 2> "$work/said" ||
        { tail -n 2 "$work/said" >&2; return 1; }
    awk '/^summary:|^totals:/ { n = $2 } END { printf "%.1f\n", n / 1e6 }' "$work/out"
}

before() { # NAME: the table's figure
    awk -F' *[|] *' -v n="$1" '/^## Host instructions/ { on = 1 } on && $2 == n { print $4; exit }' "$page"
}

risen=0
{
    echo "| run | stands for | millions of host instructions |"
    echo "| --- | --- | --- |"
} > "$work/table"
while IFS='|' read -r name what command; do
    name=${name// /}
    # shellcheck disable=SC2086
    [ "$name" != estimate ] || "$plumb" $command -q > /dev/null # keeps the profile
    n=$(count "$command")
    old=$(before "$name")
    echo "| $name |${what% } | $n |" >> "$work/table"
    awk -v n="$n" -v o="${old:-0}" -v name="$name" 'BEGIN {
        printf "%-10s %10.1f M", name, n
        if (o > 0) printf "  %+.2f %%", 100 * (n / o - 1)
        print ""
        exit o > 0 && n / o > 1.005 }' || risen=$((risen + 1))
done <<< "$cases"
[ "$risen" -eq 0 ] || echo "$risen rose by more than half a per cent: docs/notebook/performance.md is to say why"
[ "${1:-}" = --write ] || exit $((risen > 0))
{
    awk '/^## Host instructions/ { exit } { print; last = $0 } END { if (last != "") print "" }' "$page"
    printf '## Host instructions (`scripts/host-instructions.sh`)\n\nModels: %s.\n\n' "$(models_of "$plumb" SIM EST)"
    cat "$work/table"
    awk '/^## Host instructions/ { on = 1; next } on && /^## / { rest = 1 } rest { if (!begun++) print ""; print }' "$page"
} > "$work/page"
cp "$work/page" "$page"
