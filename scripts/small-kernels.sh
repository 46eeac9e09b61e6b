#!/bin/bash
# Sets estimates of small kernels, queued and in graphs, beside their measured times (configs/curves/small_kernels.csv), as
# docs/results/small-kernels.md and docs/results/studies/small-kernels.csv.
#   scripts/small-kernels.sh [CARD...]     these cards of the table (a100_80 h200 rx6900xt): some seconds a row
# PLUMB (build/fast/plumb), WORK (build/small-kernels, a folder for each version of the models: the answers, which are kept), EVERY
# (8: of the numbers of elements from 16,384 on, so many apart), BLOCKS (32 128 512).
# A kernel scales one array of doubles into another, and the next one back; its time is a twentieth of what 21 launches take
# longer than one. The presets have what lies between queued launches; between those of a graph lies what the presets' evidence
# says.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
plumb=${PLUMB:-build/fast/plumb}
# shellcheck source=scripts/models.bash
. scripts/models.bash
models=$(models_of "$plumb" EST)
work=${WORK:-build/small-kernels/${models//[, ]/}}
study=docs/results/studies/small-kernels.csv
page=docs/results/small-kernels.md
mkdir -p "$work"
cards=("$@")
[ ${#cards[@]} -gt 0 ] || cards=(a100_80 h200 rx6900xt)

cat > "$work/ping-pong.cfg" << 'END'
parameters = { n = 16384; block = 128; pairs = 10; };
layer = (
    { op = "vectorized"; name = "there"; n = "n"; vector = 2; function = "mul"; block_threads = "block"; x = "a"; y = "b"; },
    { repeat = "pairs"; layer = (
        { op = "vectorized"; name = "back"; n = "n"; vector = 2; function = "mul"; block_threads = "block"; x = "b"; y = "a"; },
        { op = "vectorized"; name = "there"; n = "n"; vector = 2; function = "mul"; block_threads = "block"; x = "a"; y = "b"; }
    ); }
);
END

in_graph() { # CARD: cycles between launches of a graph
    case $1 in
    a100_80) echo 1149 ;;
    h200) echo 1614 ;;
    rx6900xt) echo 7570 ;;
    esac
}

answer() { # CARD FILE ELEMENTS BLOCK PAIRS OPTION...
    local part="$2.$$"
    [ ! -s "$2" ] || return 0
    "$plumb" estimate "${1//_/-}" "$work/ping-pong.cfg" --p n=$((2 * $3)) --p block="$4" --p pairs="$5" "${@:6}" --cal none --json \
        -q --threads 1 > "$part" || { rm -f "$part"; return 0; }
    mv "$part" "$2"
}

for card in "${cards[@]}"; do
    for block in ${BLOCKS:-32 128 512}; do
        while read -r elements; do
            file="$work/$card-$elements-$block"
            answer "$card" "$file.one" "$elements" "$block" 0
            answer "$card" "$file.queued" "$elements" "$block" 10
            answer "$card" "$file.graph" "$elements" "$block" 10 --set "sm.next_launch_cycles=$(in_graph "$card")"
        done < <(awk -F, -v card="$card" -v block="$block" '$1 == card && $2 == "small_scale" && $4 >= 16384 && $7 == block { print $4 }' \
            configs/curves/small_kernels.csv | sort -nu | awk -v every="${EVERY:-8}" 'NR % every == 1')
    done
done
{
    echo card,mode,elements,block,measured_us,estimate_us
    for card in "${cards[@]}"; do
        awk -F, -v card="$card" '$1 == card && $4 >= 16384 {
            print ($2 ~ /graph/ ? "graph" : "queued"), $4, $7, 16 * $4 / $5 / 1000 }' configs/curves/small_kernels.csv |
            while read -r mode elements block us; do
                file="$work/$card-$elements-$block"
                if ! [ -s "$file.$mode" ] || ! [ -s "$file.one" ]; then continue; fi
                jq -rs --arg head "$card,$mode,$elements,$block,$us" '$head + "," + ((.[1].time_us - .[0].time_us) / 20 | tostring)' \
                    "$file.one" "$file.$mode"
            done
    done | awk -F, -v OFS=, '{ $5 = sprintf("%.4g", $5); $6 = sprintf("%.4g", $6); print }'
} > "$study.part"
mv "$study.part" "$study"

# shellcheck source=scripts/csv-tables.sh
. scripts/csv-tables.sh
{ import_csv "$study"; cat scripts/small-kernels.sql; } | sqlite3 -batch | with_models "$models" > "$page.part"
mv "$page.part" "$page"
