#!/bin/bash
# Computes docs/results/validation.csv: what each study measured (papers/*/results/*.csv, put together by papers/*/studies/*.sql)
# against the papers' claims (papers/claims.csv), as papers/verdicts.sh judges them.  Nothing is simulated and
# nothing is typed in.
#   scripts/scoreboard.sh [-o FILE]      -o -: to stdout, without the summary
# A study whose figures are not all there has no rows.
set -eu
cd "$(dirname "$0")/.."
source scripts/papers.bash
output=docs/results/validation.csv
[ "${1:-}" = -o ] && output=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

figures_are_there() { # STUDY FOLDER
    local part
    for part in $(sed -nE 's/^-- (sweeps|scripts): *//p' "$1"); do
        [ -f "$2/$part.csv" ] && continue
        echo "scoreboard.sh: $2/$part.csv is not there; scripts/studies.sh $(basename "$1" .sql) makes it" >&2
        return 1
    done
}

for file in $(study_files); do
    folder=$(figures_folder "$file")
    figures_are_there "$file" "$folder" || continue
    papers/verdicts.sh --csv "$file" "$folder" > "$work/$(basename "$file" .sql).csv"
done

{
    echo "CREATE TABLE v (id TEXT PRIMARY KEY, value TEXT, verdict TEXT, basis TEXT, model_version TEXT, command TEXT, note TEXT);"
    echo ".import --csv papers/claims.csv claims"
    for file in "$work"/*.csv; do # a study without claims has a head alone
        if [ "$(wc -l < "$file")" -gt 1 ]; then echo ".import --csv --skip 1 '$file' v"; fi
    done
} > "$work/all.sql"
sqlite3 -bail "$work/db" ".read '$work/all.sql'" 2> "$work/twice" || true
if [ -s "$work/twice" ]; then # .import tells of rows that it leaves out
    echo "scoreboard.sh: a claim stands in two studies: $(head -1 "$work/twice")" >&2
    exit 1
fi
sqlite3 -csv -separator , -newline $'\n' -header "$work/db" \
    "SELECT v.* FROM v JOIN claims c USING (id) ORDER BY c.rowid" > "$work/validation"
if [ "$output" = - ]; then
    cat "$work/validation"
    exit
fi
mv "$work/validation" "$output"
echo '| class | basis | rows | size | direction | no | claims of the class |'
# Goals count model claims that are independent.
sqlite3 -separator " | " "$work/db" "SELECT '| ' || class, basis, count(*), sum(verdict = 'size'), sum(verdict = 'direction'), sum(verdict = 'no'),
        (SELECT count(*) FROM claims a WHERE a.class = c.class) || ' |'
    FROM v JOIN claims c USING (id) GROUP BY class, basis ORDER BY class, basis DESC"
