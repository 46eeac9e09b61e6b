#!/bin/bash
# Computes docs/validation.csv: what each study measured (docs/studies/*.csv, put together by scripts/studies/*.sql)
# against the papers' claims (docs/claims.csv).  Nothing is simulated and nothing is typed in.
#   scripts/scoreboard.sh [-o FILE]      -o -: to stdout, without the summary
#   scripts/scoreboard.sh --verdicts     reads CSV of id,value,unit,dir,lo,hi,measured; writes id,verdict
# A study whose figures are not all there has no rows.
set -eu
cd "$(dirname "$0")/.."
output=docs/validation.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. scripts/csv-tables.sh
csv() { sqlite3 -csv -separator , -newline $'\n' "$@"; }

# Verdicts from bands and directions (docs/validation.md): "size" in the band; else "direction"; else "no".
# Reads the table `judged`: id, value, unit, dir, lo, hi, measured.
cat > "$work/verdict.sql" << 'END'
CREATE VIEW verdict AS
WITH t AS (SELECT *, CASE WHEN unit LIKE '\% of %' ESCAPE '\' THEN measured / 100.0 ELSE measured END AS ratio
             FROM judged)
SELECT id, measured, CASE
    WHEN lo <> '' AND hi <> '' AND measured BETWEEN CAST(lo AS REAL) AND CAST(hi AS REAL) THEN 'size'
    WHEN dir = '>0' AND measured > 0 OR dir = '<0' AND measured < 0 OR dir = '~0' AND abs(measured) <= 3
      OR dir = '>1' AND ratio > 1 OR dir = '<1' AND ratio < 1 OR dir = '~1' AND abs(ratio - 1) <= 0.03
      OR dir IN ('rising', 'falling', 'order', 'equal') AND measured = 1 THEN 'direction'
    ELSE 'no' END AS verdict
FROM t;
END

if [ "${1:-}" = --verdicts ]; then
    cat > "$work/in.csv"
    csv :memory: ".import --csv --schema temp '$work/in.csv' read" \
        "CREATE TABLE judged AS SELECT id, value, unit, dir, lo, hi, CAST(measured AS REAL) AS measured FROM read" \
        ".read '$work/verdict.sql'" "SELECT id, verdict FROM verdict"
    exit
fi
[ "${1:-}" = -o ] && output=$2

# The measured values of one study as CSV, or nothing if a file of its figures is missing.  A database of its own
# for each: names in one study are nothing to another.
study() { # NAME
    local file=scripts/studies/$1.sql parts part
    mapfile -t parts < <(sed -nE 's/^-- (sweeps|scripts): *//p' "$file" | tr ' ' '\n')
    for part in "${parts[@]}"; do
        if [ ! -f "docs/studies/$part.csv" ]; then
            echo "scoreboard.sh: $1: docs/studies/$part.csv is not there; scripts/studies.sh $1 makes it" >&2
            return
        fi
        import_csv "docs/studies/$part.csv"
    done > "$work/$1.sql"
    csv -bail :memory: ".read '$work/$1.sql'" ".read '$file'" "
        SELECT id, CASE WHEN typeof(value) IN ('integer', 'real') THEN printf('%.17g', value) END,
            (SELECT max(model_version) FROM ${parts[0]//-/_}), 'scripts/studies.sh $1', note FROM claim"
}

for file in scripts/studies/*.sql; do study "$(basename "$file" .sql)"; done > "$work/measured.csv"
{
    echo ".import --csv docs/claims.csv claims"
    echo "CREATE TABLE measured (id TEXT PRIMARY KEY, value REAL, version INT, command TEXT, note TEXT);"
    echo ".import --csv '$work/measured.csv' measured"
    cat << 'END'
CREATE TABLE judged AS
    SELECT c.id, c.value, c.unit, c.dir, c.lo, c.hi, c.class, CAST(printf('%.6g', m.value) AS REAL) AS measured,
           m.version, m.command, m.note, c.rowid AS place
    FROM measured m JOIN claims c USING (id);
END
    cat "$work/verdict.sql"
} > "$work/all.sql"
sqlite3 -bail "$work/db" ".read '$work/all.sql'"

nothing=$(sqlite3 "$work/db" "SELECT id FROM measured WHERE value IS NULL OR typeof(value) = 'text'")
if [ -n "$nothing" ]; then
    echo "scoreboard.sh: no value for $nothing: a claim that fails has one, too" >&2
    exit 1
fi
unknown=$(sqlite3 "$work/db" "SELECT id FROM measured EXCEPT SELECT id FROM claims")
if [ -n "$unknown" ]; then
    echo "scoreboard.sh: no such claim: $unknown" >&2
    exit 1
fi
csv -header "$work/db" "SELECT id, printf('%.6g', v.measured) AS value, verdict, version AS model_version, command, note
    FROM judged JOIN verdict v USING (id) ORDER BY place" > "$work/validation.csv"
if [ "$output" = - ]; then
    cat "$work/validation.csv"
    exit
fi
mv "$work/validation.csv" "$output"
sqlite3 "$work/db" "SELECT printf('%-9s %4d of %d model claims', verdict, count(*),
        (SELECT count(*) FROM claims WHERE class = 'model'))
    FROM verdict JOIN judged USING (id) WHERE class = 'model' GROUP BY verdict ORDER BY verdict DESC"
