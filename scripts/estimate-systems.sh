#!/bin/bash
# Do estimates order the systems of QuickRelease's study (Hechtman 2014) as the cycle model does?
#   scripts/estimate-systems.sh FOLDER [SIMULATED]
# FOLDER has the programs (suite qr, *.plt); SIMULATED keeps the simulations' answers, which are made where they lack.
# Per program: Kendall's tau over the pairs of systems, their estimated cycles over the simulated ones; then the mean.
# Pairs whose simulated cycles differ by less than 1 % count as ordered right. Estimates are of exact profiles, as those of
# the systems that need all SMs are anyway; PROFILE= takes the profiles that 'plumb estimate' takes by itself.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
plumb=${PLUMB:-build/release/plumb}
profile=${PROFILE---exact-profile}
programs=${1:?a folder with programs}
simulated=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
simulated=${simulated:-$work}
mkdir -p "$simulated"

systems() { # name, machine and settings
    cat <<'LIST'
no-l1 apu-quickrelease-nol1
wt apu-quickrelease-wt
wt-32kb apu-quickrelease-wt l1.kb=32
qr apu-quickrelease
rfo apu-quickrelease-rfo
LIST
}

cycles() { # ENGINE MACHINE PROGRAM OPTION...
    "$plumb" "$1" "$2" "$programs/$3.plt" "${@:4}" --json -q 2> "$work/warnings" | jq .cycles
}

one_system() { # PROGRAM NAME MACHINE SETTING...: a row
    local sets=() kept="$simulated/$1-$2.cycles"
    for set in "${@:4}"; do sets+=(--set "$set"); done
    [ -s "$kept" ] || cycles simulate "$3" "$1" "${sets[@]}" > "$kept"
    # shellcheck disable=SC2086
    printf '%s,%s,%s,%s\n' "$1" "$2" "$(cat "$kept")" "$(cycles estimate "$3" "$1" "${sets[@]}" $profile)"
}

for file in "$programs"/*.plt; do
    while read -r name sets; do
        # shellcheck disable=SC2086
        one_system "$(basename "$file" .plt)" "$name" $sets
    done < <(systems)
done > "$work/all.csv"

sqlite3 -batch "$work/order.db" <<SQL
CREATE TABLE point (program, system, sim REAL, est REAL);
.mode csv
.import $work/all.csv point
.mode list
CREATE VIEW pair AS
SELECT a.program, CASE WHEN abs(a.sim / b.sim - 1) < 0.01 OR abs(b.sim / a.sim - 1) < 0.01 THEN 1
                       ELSE sign((a.sim - b.sim) * (a.est - b.est)) END AS agrees
FROM point a JOIN point b ON a.program = b.program AND a.system < b.system;
SELECT format('%-12s tau %5.2f  %s', program, (SELECT avg(agrees) FROM pair q WHERE q.program = p.program),
              group_concat(format('%s %.2f', system, est / sim), '  '))
FROM point p GROUP BY program;
SELECT format('mean         tau %5.3f', avg(tau)) FROM (SELECT avg(agrees) AS tau FROM pair GROUP BY program);
SELECT format('%-12s mean error %.0f %%', system, 100 * avg(abs(est / sim - 1))) FROM point GROUP BY system;
SQL
