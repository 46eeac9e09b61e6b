#!/bin/bash
# Do estimates order the configurations of a study as its simulations did?  Nothing is simulated: each sweep's points
# are estimated and laid beside the study's figures.
#   scripts/estimate-order.sh [SWEEP...]      frc-rx540 frc-hd7770 by default
# Per program: Kendall's tau over the pairs whose simulated cycles differ by more than 2 %, their number, the mean
# error of the cycles.  Then the same within all programs, and tau of the configurations' geometric means.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
source scripts/papers.bash
plumb=${PLUMB:-build/release/plumb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

estimated() { # SWEEP: program,configuration,cycles
    sed -e 's/^engine .*/engine = "estimate";/' -e "s|^output .*|output = \"$work/$1.db\";|" \
        "$(sweep_file "$1")" > "$work/$1.cfg"
    "$plumb" sweep run "$work/$1.cfg" -q
    "$plumb" sweep export "$work/$1.cfg" --json -o "$work/$1.json"
    # a point has the axes that apply to it, a study's row has all
    jq -r '(max_by(.at | length).at | keys_unsorted) as $axes
        | .[] | [.program, ([.at[$axes[]]] | map(if . == null then "" else tostring end) | join("/")), .metrics.cycles] | join(",")' "$work/$1.json"
}

simulated() { # SWEEP: the same from the study
    awk -F, 'NR == 1 { while ($(at + 1) != "cycles") at++; next }
             { key = $2; for (i = 3; i <= at; i++) key = key "/" $i; print $1 "," key "," $(at + 1) }' "$(figures_file "$1")"
}

order() { # SWEEP
    estimated "$1" > "$work/e.csv"
    simulated "$1" > "$work/s.csv"
    echo "$1"
    sqlite3 -batch "$work/$1.order" <<SQL
CREATE TABLE e (program, config, cycles REAL);
CREATE TABLE s (program, config, cycles REAL);
.mode csv
.import --csv $work/e.csv e
.import --csv $work/s.csv s
.mode list
.separator "  "
CREATE TABLE point AS SELECT program, config, s.cycles AS sim, e.cycles AS est FROM s JOIN e USING (program, config);
CREATE VIEW base AS SELECT program, config, sim, est FROM point WHERE rowid IN (SELECT min(rowid) FROM point GROUP BY program);
CREATE VIEW pair AS
SELECT a.program, sign((a.sim - b.sim) * (a.est - b.est)) AS agrees
FROM point a JOIN point b ON a.program = b.program AND a.config < b.config WHERE abs(ln(a.sim / b.sim)) > 0.02;
CREATE VIEW mean AS
SELECT p.config, exp(avg(ln(p.sim / b.sim))) AS sim, exp(avg(ln(p.est / b.est))) AS est
FROM point p JOIN base b USING (program) GROUP BY p.config;
SELECT format('%-14s tau %5.2f  %4d pairs  error %4.1f %%', program, (SELECT avg(agrees) FROM pair q WHERE q.program = p.program),
              (SELECT count(*) FROM pair q WHERE q.program = p.program), 100 * avg(abs(est / sim - 1)))
FROM point p GROUP BY program;
SELECT format('all            tau %5.3f %4d pairs  error %4.1f %%, worst %.0f %%', (SELECT avg(agrees) FROM pair), (SELECT count(*) FROM pair),
              100 * avg(abs(est / sim - 1)), 100 * max(abs(est / sim - 1))) FROM point;
SELECT format('mean over the first configuration, %s: simulated %.3f, estimated %.3f', config, sim, est) FROM mean;
SELECT format('means          tau %5.3f %4d pairs', avg(sign((a.sim - b.sim) * (a.est - b.est))), count(*))
FROM mean a JOIN mean b ON a.config < b.config WHERE abs(ln(a.sim / b.sim)) > 0.02;
SQL
}

[ $# -gt 0 ] || set -- frc-rx540 frc-hd7770
for sweep in "$@"; do order "$sweep"; done
