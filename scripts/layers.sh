#!/bin/bash
# Sets estimates of a language model's layers beside their measured times (configs/curves/layers.csv), operator by operator, as
# docs/results/layers.md and docs/results/studies/layers.csv.
#   scripts/layers.sh [CARD...]     these cards of the table (those that have presets): about a second a shape
# PLUMB (build/fast/plumb), WORK (build/layers, a folder for each version of the models: the answers, which are kept; a shape
# whose answer lies there is not run again), TOKENS (all; a list such as "1 512"), LIMIT (60): seconds of a processor after
# which a shape is given up, TABLES=1: makes the page of what lies in WORK.
# Products are given by M, N, K, type and layout alone: tiles and splits are what the program chooses.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
plumb=${PLUMB:-build/fast/plumb}
# shellcheck source=scripts/models.bash
. scripts/models.bash
models=$(models_of "$plumb" EST)
work=${WORK:-build/layers/${models//[, ]/}}
table=configs/curves/layers.csv
study=docs/results/studies/layers.csv
page=docs/results/layers.md
mkdir -p "$work"
cards=("$@")
[ ${#cards[@]} -gt 0 ] || cards=(h100 h100_sxm a100 rtx3090 rtxpro6000)

preset() { # CARD
    case $1 in
    h100*) echo h100-sxm ;;
    a100) echo a100-80 ;;
    *) echo "$1" ;;
    esac
}

# The program of a row. vLLM's kernels of one CTA per token go along its row of the layer's two halves (act_fn) or of the
# hidden state, an element per access; a layernorm of LLMServingSim's is the newer kernel: 16 bytes per access.
program() { # OP TOKENS N K TYPE INNER HIDDEN
    case $1 in
    *_proj | lm_head) echo "ml/gemm --p layout=tn --p M=$2 --p N=$3 --p K=$4 --p type=$5" ;;
    act_fn) echo "ml/elementwise --p n=$(($2 * $6)) --p inputs=2 --p function=silu --p type=$5 --p vector=1" \
        "--p work=$((($6 + 1023) / 1024)) --p rounds=$((($6 + 1023) / 1024)) --p block_threads=1024" ;;
    layernorm) echo "ml/rmsnorm --p rows=$2 --p width=$7 --p type=$5 --p vector=8" \
        "--p block_threads=$(($2 < 256 ? ($7 / 8 < 1024 ? $7 / 8 : 1024) : 256))" ;;
    rmsnorm) echo "ml/rmsnorm --p rows=$2 --p width=$7 --p type=$5 --p vector=1 --p block_threads=1024" ;;
    add) echo "ml/elementwise --p n=$(($2 * $7)) --p inputs=2 --p type=$5" ;;
    esac
}

answer() { # CARD FILE PROGRAM
    local part="$2.$$"
    [ ! -s "$2" ] || return 0
    # shellcheck disable=SC2086 # several words
    (ulimit -S -t "${LIMIT:-60}" && exec "$plumb" estimate "$1" $3 --cal none --json -q --threads 1) > "$part" ||
        { rm -f "$part"; return 0; }
    mv "$part" "$2"
}

# card model tp op tokens us N K type inner hidden, where inner is the width of act_fn, hidden that of the residual stream;
# times of equal rows are averaged.
rows() {
    tail -n +2 "$table" | awk -F, '
        { type = $10 == "fp16" ? "fp16" : "bf16"; layer = $1 "," $2 "," $3 }
        $4 == "gate_up_proj" { inner[layer] = $8 / 2 }
        $4 == "gate_proj" { inner[layer] = $8 }
        $4 == "o_proj" { hidden[layer] = $8 }
        { key = layer "," $4 "," $5; if (!(key in n)) order[++rows] = key; n[key]++; sum[key] += $6; size[key] = $8 " " $9 " " type; of[key] = layer }
        END {
            for (i = 1; i <= rows; i++) {
                k = order[i]; split(k, w, ",")
                if (split(size[k], s, " ") < 3) size[k] = "0 0 " s[1]
                print w[1], w[2], w[3], w[4], w[5], sum[k] / n[k], size[k], inner[of[k]], hidden[of[k]]
            }
        }'
}

: > "$work/rows.part"
for card in "${cards[@]}"; do
    while read -r name model tp op tokens us n k type inner hidden; do
        [ "$name" = "$card" ] || continue
        [ -z "${TOKENS:-}" ] || [[ " $TOKENS " = *" $tokens "* ]] || continue
        what=$(program "$op" "$tokens" "$n" "$k" "$type" "$inner" "$hidden")
        [ -n "$what" ] || continue
        file="$work/$(preset "$card")-$(tr -d ' /' <<< "${what//--p/}").json"
        [ -n "${TABLES:-}" ] || answer "$(preset "$card")" "$file" "$what"
        [ -s "$file" ] || continue
        echo "$card,$model,$tp,$op,$tokens,$n,$k,$us,$(jq -r .time_us "$file")" >> "$work/rows.part"
    done < <(rows)
done
{
    echo card,model,tp,op,tokens,N,K,measured_us,estimate_us
    awk -F, -v OFS=, '{ $8 = sprintf("%.4g", $8); $9 = sprintf("%.4g", $9); print }' "$work/rows.part"
} > "$study.part"
mv "$study.part" "$study"

# shellcheck source=scripts/csv-tables.sh
. scripts/csv-tables.sh
{ import_csv "$study"; cat scripts/layers.sql; } | sqlite3 -batch | with_models "$models" > "$page.part"
mv "$page.part" "$page"
