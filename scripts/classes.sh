#!/bin/bash
# Which program behaves as which class: docs/results/classes.csv and the tables of docs/results/classes.md from the studies' figures.
# `scripts/studies.sh classes mshr15 mshr18 mc18` runs what it needs.
#   scripts/classes.sh -o FOLDER   writes to FOLDER instead of docs/results
set -eu
cd "$(dirname "$0")/.."
output=docs/results
[ "${1:-}" = -o ] && output=$2
. scripts/csv-tables.sh
source scripts/papers.bash
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{
    for part in classes-runs classes-traces classes-statements mshr15 mshr18 mc18-banks mc18-fixed; do
        import_csv "$(figures_file "$part")"
    done
    echo ".import --csv $(figures_file classes-reasons) reasons"
    echo ".read scripts/classes.sql"
} > "$work/all.sql"
sqlite3 -bail "$work/db" ".read '$work/all.sql'"

sqlite3 -csv -header -separator , -newline $'\n' "$work/db" "
    SELECT program, machine, source, statement, measure, value, op, threshold, verdict, reason
    FROM told ORDER BY place" > "$work/classes.csv"

table() { # DATABASE QUERY: as Markdown, headed by the columns' names
    echo
    sqlite3 -header -separator ' | ' "$@" | sed 's/^/| /; s/$/ |/' |
        awk 'NR == 1 { print; gsub(/[^|]+/, " --- ") } { print }'
}

classified() {
    table "$work/db" "SELECT program, machine, stated AS suite, replace(classes, ' ', ', ') AS measured, round(l1x4, 2) AS l1x4,
            round(l2x4, 2) AS l2x4, round(channelsx2, 2) AS channelsx2, round(perfect, 2) AS perfect,
            coalesce(CAST(round(l1_hit) AS INT), '-') AS l1_hit, round(apki, 1) AS apki, round(mpko, 2) AS mpko,
            CAST(round(writes) AS INT) AS writes, CAST(round(utilization) AS INT) AS utilization,
            round(scattered, 2) AS scattered, round(sync, 1) AS sync, CAST(launches AS INT) AS launches
        FROM classified WHERE machine <> 'hd7770-europar18' GROUP BY program, machine ORDER BY machine DESC, program"
}

agreement() {
    table "$work/db" "
        SELECT stated AS class, count(*) AS programs, sum(fits) AS measured,
            coalesce(group_concat(CASE WHEN NOT fits THEN program || ' (' || machine || ')' END, ', '), '') AS 'not so'
        FROM (SELECT DISTINCT program, machine, stated, instr(' ' || classes || ' ', ' ' || stated || ' ') > 0 AS fits
              FROM classified ORDER BY program, machine)
        GROUP BY stated"
}

stated() {
    table "$work/db" "
        SELECT program, source, statement, measure || ' = ' || printf('%g', value) AS measured,
            op || ' ' || printf('%g', threshold) AS asked, machine, verdict, reason
        FROM told WHERE verdict <> 'not checkable' ORDER BY place"
}

unchecked() {
    table "$work/db" "
        SELECT group_concat(program, ', ') AS programs, source, statement, reason
        FROM told WHERE verdict = 'not checkable' GROUP BY source, statement, reason ORDER BY min(place)"
}

summary() {
    table "$work/db" "SELECT verdict, count(*) AS statements FROM judged GROUP BY verdict"
}

# Between `<!-- table: NAME -->` and `<!-- end -->` stands what NAME prints.
for name in agreement classified summary stated unchecked; do $name > "$work/$name"; done
awk -v folder="$work" '
    /^<!-- table: / { print; while ((getline line < (folder "/" $3)) > 0) print line; skip = 1; next }
    /^<!-- end -->/ { skip = 0; print "" }
    !skip { print }' docs/results/classes.md > "$work/classes.md"
mkdir -p "$output"
cp "$work/classes.csv" "$work/classes.md" "$output"
