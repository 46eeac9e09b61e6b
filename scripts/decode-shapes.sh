#!/bin/bash
# Which of two cards is faster on ten operators of Llama-3.1 that decodes, by estimates and by simulations, as
# docs/results/decode-shapes.md and docs/results/studies/decode-shapes.csv.
#   scripts/decode-shapes.sh        some three minutes of a core
# PLUMB (build/fast/plumb), WORK (build/decode-shapes, a folder for each version of the models: the answers, which are kept; what
# lies there is not run again), LIMIT (60): seconds of a processor after which a simulation is given up for a sample, ENGINES
# (estimate simulate), TABLES=1: makes the page of what lies in WORK.
# Products are given by M, N, K, type and layout alone: tiles and splits are what the program chooses for each card.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
plumb=${PLUMB:-build/fast/plumb}
# shellcheck source=scripts/models.bash
. scripts/models.bash
models=$(models_of "$plumb" EST SIM)
work=${WORK:-build/decode-shapes}/${models//[, ]/}
study=docs/results/studies/decode-shapes.csv
page=docs/results/decode-shapes.md
cards=(h100-sxm mi300x)
mkdir -p "$work"

# model tp operator tokens program: shards of tensor parallelism keep a simulation below 15 s of a processor.
shapes() {
    product() { echo "$1 $2 $3 $4 ml/gemm --p layout=tn --p type=bf16 --p M=$4 --p N=$5 --p K=$6"; }
    product 8B 1 q_proj 1 4096 4096
    product 8B 1 k_proj 1 1024 4096
    product 8B 1 o_proj 16 4096 4096
    product 8B 4 up_proj 8 3584 4096
    product 8B 4 down_proj 4 4096 3584
    product 70B 8 q_proj 16 1024 8192
    product 70B 8 down_proj 1 8192 3584
    echo "8B 1 attention 16 ml/attention-decode --p batch=16 --p keys=512"
    echo "8B 1 embedding 16 ml/embedding-bag --p rows=128256 --p width=4096 --p bags=16 --p lookups=1 --p type=bf16"
    echo "70B 1 rmsnorm 16 ml/rmsnorm --p rows=16 --p width=8192 --p type=bf16 --p vector=8 --p block_threads=1024"
}

run() { # ENGINE CARD FILE PROGRAM
    local part="$3.$$"
    # shellcheck disable=SC2086 # several words
    (ulimit -S -t "${LIMIT:-60}" && exec "$plumb" "$1" "$2" $4 --cal none --json -q --threads 1) > "$part" ||
        { rm -f "$part"; return 1; }
    mv "$part" "$3"
}

answers() { # FILE PROGRAM
    local card engine
    for card in "${cards[@]}"; do
        for engine in ${ENGINES:-estimate simulate}; do
            [ -s "$1-$card-$engine.json" ] || run "$engine" "$card" "$1-$card-$engine.json" "$2" ||
                [ "$engine" != simulate ] || run sample "$card" "$1-$card-$engine.json" "$2"
        done
    done
}

# An estimate's busiest station; of a simulation what most of the waits come from.
row() { # FILE
    local card file
    for card in "${cards[@]}"; do
        file="$1-$card"
        jq -r '[.time_us, .bottleneck] | join(",")' "$file-estimate.json"
        jq -r '[.time_us, (if .stall_roots then .stall_roots | to_entries | max_by(.value).key else "" end), .engine] | join(",")' \
            "$file-simulate.json"
    done | paste -sd ,
}

{
    printf 'model,tp,operator,tokens,program'
    for card in h100 mi300x; do printf ',%s' "${card}_estimate_us" "${card}_estimate_binds" "${card}_simulate_us" "${card}_simulate_binds" "${card}_engine"; done
    echo ,models
    while read -r model tp operator tokens program; do
        file="$work/$model-tp$tp-$operator-$tokens"
        [ -n "${TABLES:-}" ] || answers "$file" "$program"
        echo "$model,$tp,$operator,$tokens,${program//--p /},$(row "$file"),${models//, / }"
    done < <(shapes)
} | awk -F, -v OFS=, 'NR > 1 { for (i = 6; i <= NF; i++) if ($i ~ /^[0-9.]+$/) $i = sprintf("%.4g", $i) } { print }' > "$study.part"
mv "$study.part" "$study"

# shellcheck source=scripts/csv-tables.sh
. scripts/csv-tables.sh
{ import_csv "$study"; cat scripts/decode-shapes.sql; } | sqlite3 -batch | with_models "$models" > "$page.part"
mv "$page.part" "$page"
