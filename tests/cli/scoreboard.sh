#!/bin/bash
# The scoreboard of the papers' claims: is docs/results/validation.csv well formed, do its values come from the studies'
# figures, and do its verdicts follow from values and bands?  The rules are written a second time here, in awk.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
source scripts/papers.bash

tsv() { # SQL: over the two files, fields apart by tabs
    sqlite3 -separator $'\t' :memory: ".import --csv papers/claims.csv c" ".import --csv ${validation:-docs/results/validation.csv} v" "$1"
}

# id, measured, unit, dir, lo, hi, the paper's value, is something unmet -> id, verdict
cat > "$work/rules.awk" << 'END'
function ratio() { return $3 ~ /^% of / ? $2 / 100 : $2 }
function holds() {
    if ($4 == ">0") return $2 > 0
    if ($4 == "<0") return $2 < 0
    if ($4 == "~0") return $2 >= -3 && $2 <= 3
    if ($4 == ">1") return ratio() > 1
    if ($4 == "<1") return ratio() < 1
    if ($4 == ">2") return $2 > 2
    if ($4 == "<2") return $2 < 2
    if ($4 == "~1") return ratio() >= 0.97 && ratio() <= 1.03
    return $4 ~ /^(rising|falling|order|equal)$/ && $2 == 1
}
function abs(x) { return x < 0 ? -x : x }
function unmoved() { return $4 ~ /0/ ? 0 : $3 ~ /^% of / ? 100 : 1 }
function least() { return $7 != "" ? abs($7 - unmoved()) / 10 : $3 == "rho" || unmoved() == 1 ? 0.01 : 1 }
function moves() { return $4 !~ /^[<>][01]/ || abs($2 - unmoved()) >= least() * (1 - 1e-9) }
function is_figure() { return $4 == "" && $5 == "" && $7 != "" && abs($2 - $7) <= 1e-9 * abs($7) }
BEGIN { FS = "\t" }
{ print $1 "," (!$8 && ($5 != "" && $6 != "" && $2 >= $5 + 0 && $2 <= $6 + 0 || is_figure()) ? "size" : holds() && moves() ? "direction" : "no") }
END

verdicts_follow() { # are the verdicts of $validation those of the rules?
    tsv "SELECT v.id, v.value, unit, dir, lo, hi, c.value, note LIKE '%unmet: %' FROM v JOIN c USING (id)" | awk -f "$work/rules.awk" > "$work/ours"
    tsv "SELECT v.id || ',' || verdict FROM v JOIN c USING (id)" | cmp -s - "$work/ours"
}

# --- the claims
[ "$(tsv "SELECT count(*) = count(DISTINCT id) AND count(*) > 400 FROM c")" = 1 ] || fail "claims.csv: ids are not unique"
wrong=$(tsv "SELECT id FROM c WHERE class NOT IN ('model', 'parameter', 'hardware', 'lost') OR (lo = '') <> (hi = '')
    OR lo <> '' AND lo + 0 > hi + 0 OR source = '' OR statement = ''
    OR dir NOT IN ('', '>0', '<0', '~0', '>1', '<1', '~1', '>2', '<2', 'rising', 'falling', 'order', 'equal')")
[ -z "$wrong" ] || fail "claims.csv: $wrong"

# --- the form of the scoreboard
[ "$(head -n 1 docs/results/validation.csv)" = id,value,verdict,basis,model_version,command,note ] || fail "validation.csv: header"
[ "$(tsv "SELECT count(*) > 0 AND count(*) = count(DISTINCT id) FROM v")" = 1 ] || fail "validation.csv: ids are not unique"
unknown=$(tsv "SELECT id FROM v WHERE id NOT IN (SELECT id FROM c)")
[ -z "$unknown" ] || fail "no such claim: $unknown"
wrong=$(tsv "SELECT id FROM v WHERE value + 0 <> value OR model_version + 0 < 1 OR note = ''")
[ -z "$wrong" ] || fail "value, version or note: $wrong"
# --- what a paper does not state is in its table of assumptions: values of its machines, inputs of its suites
assumed() { # PAPER: machine|path's last name|value of each assumed value, suite:NAME|program|- of each input
    local file
    for file in "$1"/gpus/*.cfg; do
        [ -f "$file" ] || continue
        grep -E '=[^#]*#.*(\[A\]|\[K\]|M2S)' "$file" | sed 's/#.*//' | grep -oE '[A-Za-z_0-9]+ *= *[^;]+;' |
            sed -E "s/ *= */|/; s/[\";]//g; s/^/$(basename "$file" .cfg)|/"
    done
    for file in "$1"/workloads/suites/*.cfg; do
        [ -f "$file" ] || continue
        grep -oE '\{ name = "[^"]+"' "$file" | sed -E "s/.*\"(.*)\"/suite:$(basename "$file" .cfg)|\1|-/"
    done
}
unstated() { # PAPER TABLE: what of it has no row in the table
    sqlite3 -separator '|' :memory: ".import --csv $2 a" "SELECT of, what, value FROM a" |
        sed -E 's/\|([^|]*\.)?([^|.]+)\|/|\2|/; /^suite:/s/\|[^|]*$/|-/' | sort -u > "$work/rows"
    assumed "$1" | sort -u | comm -23 - "$work/rows"
}
for paper in papers/*/; do
    paper=${paper%/} table=${paper%/}/assumptions.csv
    [ -f "$table" ] || { [ -z "$(assumed "$paper")" ] || fail "$paper has no assumptions.csv"; continue; }
    [ "$(head -n 1 "$table")" = of,what,value,reason,since,alternatives,seen ] || fail "$table: header"
    missing=$(unstated "$paper" "$table")
    [ -z "$missing" ] || fail "$table lacks: $missing"
    seen=$(sqlite3 :memory: ".import --csv $table a" "SELECT seen FROM a WHERE seen <> '-'" | tr ' ' '\n' | sort -u)
    for name in $seen; do
        [ -f "$(study_file "$name.sql")" ] || grep -q "^$name," papers/claims.csv || fail "$table: seen: no study or claim $name"
    done
    sqlite3 :memory: ".import --csv $table a" "SELECT of, what FROM a WHERE since NOT LIKE '____-__-__ __:__' OR reason = ''" > "$work/odd"
    [ ! -s "$work/odd" ] || fail "$table: no date or no reason: $(cat "$work/odd")"
done
grep -v fixed_gbps papers/candel/assumptions.csv > "$work/short.csv"
[ "$(unstated papers/candel "$work/short.csv")" = 'hd7770-pdp16|fixed_gbps|32.0' ] || fail "a value without a row is not noticed"
[ "$(tsv "SELECT count(*) > 0 AND min(basis IN ('independent', 'calibrated')) FROM v")" = 1 ] || fail "a basis that there is not"
tsv "SELECT DISTINCT command FROM v" | while read -r script name; do
    { [ -x "$script" ] && [ -f "$(study_file "$name.sql")" ]; } || exit 1
done || fail "a command that there is not"

# --- do verdicts follow from values, and values from the studies' figures?
verdicts_follow || fail "verdicts do not follow from the bands"
scripts/scoreboard.sh -o "$work/again.csv" > "$work/totals"
cmp -s "$work/again.csv" docs/results/validation.csv || fail "docs/results/validation.csv is not what scripts/scoreboard.sh computes"
while read -r line; do # by class and basis
    grep -qxF -- "$line" docs/results/claims.md || fail "docs/results/claims.md: not '$line'"
done < "$work/totals"
[ "$(wc -l < "$work/totals")" -ge 3 ] || fail "totals: $(cat "$work/totals")"

# --- each claim that fails has one experiment that decides it (papers/experiments.csv), and none is kept for claims that hold
sqlite3 -separator ' ' :memory: ".import --csv papers/experiments.csv e" ".import --csv docs/results/validation.csv v" \
    "WITH RECURSIVE p(of, pattern, rest) AS (SELECT rowid, '', claims || ' ' FROM e WHERE root <> '' AND experiment <> '' UNION ALL
         SELECT of, substr(rest, 1, instr(rest, ' ') - 1), substr(rest, instr(rest, ' ') + 1) FROM p WHERE rest <> ''),
     named AS (SELECT of, pattern FROM p WHERE pattern <> '')
     SELECT id, 'has ' || count(pattern) || ' experiments' FROM v LEFT JOIN named ON id GLOB pattern WHERE verdict = 'no' GROUP BY id HAVING count(pattern) <> 1
     UNION ALL SELECT pattern, 'names no claim that fails' FROM named WHERE NOT EXISTS (SELECT 1 FROM v WHERE verdict = 'no' AND id GLOB pattern)" > "$work/undecided"
[ ! -s "$work/undecided" ] || fail "papers/experiments.csv: $(cat "$work/undecided")"

# --- would a changed verdict or value be seen?
sed '2s/,size,/,no,/; 2s/,direction,/,size,/' docs/results/validation.csv > "$work/tampered.csv"
if validation=$work/tampered.csv verdicts_follow; then fail "a changed verdict is not noticed"; fi

# --- the rules here on cases made by hand (cli.study asks papers/verdicts.sh the same): all directions, in the band, at its ends
cases=tests/data/verdicts.csv # id,value,unit,dir,lo,hi,measured,unmet,verdict
sed 's/,.*,/,/' $cases > "$work/by-hand"
awk -F, -v OFS='\t' '{ print $1, $7, $3, $4, $5, $6, $2, $8 }' $cases | awk -f "$work/rules.awk" |
    cmp -s - "$work/by-hand" || fail "the rules here are not those of the cases"

# --- what is not whole is told: a study without its figures has no rows, a claim in two studies is a fault
mkdir -p "$work/tree/scripts" "$work/tree/papers/a/studies" "$work/tree/papers/a/results"
cp scripts/scoreboard.sh scripts/papers.bash "$work/tree/scripts"
cp papers/claims.csv papers/verdicts.sh "$work/tree/papers"
study=$(sed -n 2p docs/results/validation.csv | grep -o 'studies.sh [^",]*' | cut -d' ' -f2)
cp "$(study_file "$study.sql")" "$work/tree/papers/a/studies/one.sql"
"$work/tree/scripts/scoreboard.sh" -o - > "$work/none" 2> "$work/err"
[ ! -s "$work/none" ] && grep -q 'is not there; scripts/studies.sh one makes it' "$work/err" || fail "no figures: $(cat "$work/err")"
cp papers/*/results/*.csv "$work/tree/papers/a/results"
cp "$(study_file "$study.sql")" "$work/tree/papers/a/studies/two.sql"
if "$work/tree/scripts/scoreboard.sh" -o - > /dev/null 2> "$work/err"; then fail "a claim in two studies is not told"; fi
grep -q 'stands in two studies' "$work/err" || fail "two studies: $(cat "$work/err")"

[ $failed -eq 0 ]
