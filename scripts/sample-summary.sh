#!/bin/bash
# Adds up what scripts/sample-fresh.sh wrote, as Markdown.
# Usage: scripts/sample-summary.sh OUT.csv            a line a machine, and all
#        scripts/sample-summary.sh OUT.csv MACHINE    a line a program of the machine
# Whole: simulated whole by rule, one run, or after a try ("tried"), which costs more; exact both.  All figures are of
# the runs that ended as samples, but the error of all programs, where those that are whole count with 0.
set -euo pipefail
[ $# -ge 1 ] || { sed -n 3p "$0" | cut -c3- >&2; exit 2; }
machine=${2:-}
. "$(dirname "$0")/csv-tables.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "$(cut -d, -f1 "$1" | sort -u | wc -l)" -le 2 ] || { echo "$1: rows of several versions" >&2; exit 2; }
cp "$1" "$work/fresh.csv"
{
    import_csv "$work/fresh.csv"
    echo "CREATE TABLE asked AS SELECT '${machine//\'/}' AS machine;"
    echo ".read '$(dirname "$0")/sample-summary.sql'"
} > "$work/all.sql"
sqlite3 -bail "$work/db" ".read '$work/all.sql'"
table=machines
[ -z "$machine" ] || table=one_machine
sqlite3 -bail -header -separator ' | ' "$work/db" "SELECT * FROM $table" | sed 's/^/| /; s/$/ |/' |
    awk 'NR == 1 { print; gsub(/[^|]+/, " --- ") } { print }'
