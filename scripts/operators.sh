#!/bin/bash
# Sets estimates of PyTorch's operators beside their measured times (configs/curves/operators.csv, operators_hopper.csv), as
# docs/results/operators.md and docs/results/studies/operators.csv.
#   scripts/operators.sh [CARD...]     these cards of the table (those that have presets): about a second a row
# PLUMB (build/fast/plumb), WORK (build/operators, a folder for each version of the models: the answers, which are kept; a row whose answer lies there is not run
# again), OPERATORS (all; a list such as "softmax ln"), SAMPLES (10: rows of a card that are sampled, too; minutes each),
# LIMIT (600): seconds of a processor after which a row is given up.
# Only rows with an answer are in the tables.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
plumb=${PLUMB:-build/fast/plumb}
# shellcheck source=scripts/models.bash
. scripts/models.bash
models=$(models_of "$plumb" EST SAMPLE)
work=${WORK:-build/operators/${models//[, ]/}}
samples=${SAMPLES:-10}
operators=${OPERATORS:-add addu mul mulu div divu relu gelu tanh pow powu softmax ln bmm linear ln_bf16 linear_bf16
    attention_bf16 embedding_fp32}
tables=(configs/curves/operators.csv configs/curves/operators_hopper.csv)
study=docs/results/studies/operators.csv
page=docs/results/operators.md
mkdir -p "$work"
cards=("$@")
[ ${#cards[@]} -gt 0 ] || cards=(v100 a100_40 a100_80 t4 p100 h100_sxm h200)

# shellcheck source=scripts/gemm-kernel.sh
. scripts/gemm-kernel.sh

# The program of a row: the operator and its sizes. A product of B x M x N by B x N x K is B of M x K. Nothing for kernels
# that no program has.
program() { # OP B M N K H KERNEL BLOCK GRID DIMS
    local tile warpgroup fast d type=${1#*_} op=${1%_*}
    local -A size=()
    for d in ${10//+/ }; do size[${d%%=*}]=${d#*=}; done
    local two="--p inputs=2" n=0
    [ "$2" = - ] || [ "$6" = - ] || n=$(($2 * $6))
    case $1 in
    add | mul | div | pow) echo "ml/elementwise --p n=$n $two --p function=$1" ;;
    divu) echo "ml/elementwise --p n=$n --p function=mul" ;; # PyTorch multiplies by the reciprocal
    addu | mulu | powu) echo "ml/elementwise --p n=$n --p function=${1%u}" ;;
    relu | gelu | tanh) echo "ml/elementwise --p n=$n --p function=$1" ;;
    softmax)
        case $7 in
        *SoftMaxForwardReg* | *SoftMaxForwardSmem*) ;; # rows in registers of a CTA, in shared memory
        *softmax_warp*) [ "$6" -gt 1024 ] || echo "ml/softmax --p rows=$2 --p width=$6" ;;
        *) echo "ml/softmax --p rows=$2 --p width=$6 --p block_threads=${8%%x*}" ;; # newer releases have 1,024 threads
        esac
        ;;
    ln) echo "ml/layernorm --p rows=$2 --p width=$6" ;;
    bmm | linear)
        tile=$(gemm_kernel "$7" "$8" "$9" "$2" "$3" "$5")
        [ -z "$tile" ] || echo "ml/gemm --p batch=$2 --p M=$3 --p N=$5 --p K=$4 $tile"
        ;;
    ln_*) echo "ml/layernorm --p rows=$2 --p width=$6 --p type=$type" ;;
    linear_*) # y = x w', both with K along their rows: the transposed product has the same layout
        tile=$(gemm_nvjet "$7")
        [ -z "$tile" ] || echo "ml/gemm --p layout=tn --p M=$5 --p N=$3 --p K=$4 --p type=$type $tile"
        ;;
    attention_*)
        d=no
        [ "${size[causal]}" = 0 ] || d=yes
        warpgroup=1 fast=no # mma.sync, FlashAttention-2 as PyTorch builds it
        [ -z "${size[cudnn]:-}" ] || warpgroup=4 fast=yes
        echo "ml/attention --p batch=$2 --p heads=${size[heads]} --p queries=${size[Q]} --p warpgroup=$warpgroup" \
            "--p fast_math=$fast --p head_dim=${size[D]} --p causal=$d --p type=$type"
        ;;
    embedding_*)
        echo "ml/embedding-bag --p rows=${size[rows]} --p width=${size[W]} --p bags=${size[bags]}" \
            "--p lookups=${size[L]} --p exponent=0 --p type=$type"
        ;;
    esac
}

answer() { # ENGINE CARD FILE PROGRAM
    local part="$3.$$"
    [ -s "$3" ] && return
    # shellcheck disable=SC2086 # several words
    (ulimit -S -t "${LIMIT:-600}" && exec "$plumb" "$1" "${2//_/-}" $4 --cal none --json -q --threads 1) > "$part" ||
        { rm -f "$part"; return; }
    mv "$part" "$3"
}

# The lines of the tables without their heads, with the sizes apart: op device ms B M N K H block grid kernel dims.
rows() {
    tail -qn +2 "${tables[@]}" | awk -F, '{
        delete d
        n = split($4, words, " ")
        for (i = 1; i <= n; i++) { split(words[i], pair, "="); d[pair[1]] = pair[2] }
        dims = $4; gsub(/ /, "+", dims)
        kernel = $7; gsub(/["\r ]/, "", kernel)
        print $1, $2, $3, d["B"] ? d["B"] : "-", d["M"] ? d["M"] : "-", d["N"] ? d["N"] : "-", d["K"] ? d["K"] : "-", d["H"] ? d["H"] : "-", $6, $5, kernel, dims
    }'
}

: > "$work/rows.part"
for card in "${cards[@]}"; do
    sampled=0 last=
    for op in $operators; do
        while read -r name device ms b m n k h block grid kernel dims; do
            [ "$name/$device" = "$op/$card" ] || continue
            file="$work/$card-$op-$dims"
            what=$(program "$op" "$b" "$m" "$n" "$k" "$h" "$kernel" "$block" "$grid" "$dims")
            [ -n "$what" ] || continue
            [ -n "${TABLES:-}" ] || answer estimate "$card" "$file.json" "$what"
            # The first row of an operator below a millisecond is sampled.
            if [ "$sampled" -lt "$samples" ] && [ "$op" != "$last" ] && [ "${ms%.*}" = 0 ]; then
                [ -n "${TABLES:-}" ] || answer sample "$card" "$file.sample.json" "$what"
                sampled=$((sampled + 1))
                last=$op
            fi
            [ -s "$file.json" ] || continue
            sample=
            [ ! -s "$file.sample.json" ] || sample=$(jq -r '.time_us / 1000' "$file.sample.json")
            jq -r --arg head "$op,$card,${dims//+/ },${b#-},${m#-},${n#-},${k#-},${h#-},$ms" --arg sample "$sample" \
                '[$head, .time_us / 1000, $sample, .l1.hit_rate, .l2.hit_rate, .dram.utilization] | map(tostring) | join(",")' \
                "$file.json" >> "$work/rows.part"
        done < <(rows)
    done
done
{
    echo op,device,dims,B,M,N,K,H,measured_ms,estimate_ms,sample_ms,l1_hit_rate,l2_hit_rate,dram_utilization
    awk -F, -v OFS=, '{ for (i = 10; i <= NF; i++) if ($i != "") $i = sprintf("%.4g", $i); print }' "$work/rows.part"
} > "$study.part"
mv "$study.part" "$study"

# shellcheck source=scripts/csv-tables.sh
. scripts/csv-tables.sh
{ import_csv "$study"; cat scripts/operators.sql; } | sqlite3 -batch | with_models "$models" > "$page.part"
mv "$page.part" "$page"
