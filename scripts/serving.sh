#!/bin/bash
# Sets rows of `plumb operators` beside the measured times of the same layers (configs/curves/layers.csv), as
# docs/results/serving.md and docs/results/studies/serving.csv: how far they are off, and how many their ranges hold.
#   scripts/serving.sh [CARD...]   these cards of the table (all): some 20 s of a processor each
# PLUMB (build/fast/plumb), WORK (build/serving, a folder for each version of the models: tables, which are kept and gone on with),
# TOKENS (1,8,16,64,128,512).
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
plumb=${PLUMB:-build/fast/plumb}
# shellcheck source=scripts/models.bash
. scripts/models.bash
# shellcheck source=scripts/csv-tables.sh
. scripts/csv-tables.sh
models=$(models_of "$plumb" EST)
work=${WORK:-build/serving/${models//[, ]/}}
study=docs/results/studies/serving.csv
page=docs/results/serving.md
mkdir -p "$work"
wanted=" ${*:-h100 h100_sxm a100 rtx3090 rtxpro6000} "

# What was measured: its card and model in the table, the preset, and the model of ours with the same sizes.
layers() {
    local llama2="heads=32 kv_heads=32 cache_heads=32 qkv=12288 rope=8192 kv_width=8192 ffn=11008 vocab=32000"
    cat << END
h100 Llama-3.1-8B h100-sxm serving/llama-3.1-8b
rtx3090 Llama-3.1-8B rtx3090 serving/llama-3.1-8b
rtxpro6000 Llama-3.1-8B rtxpro6000 serving/llama-3.1-8b
a100 Meta-Llama-3-8B a100-80 serving/llama-3.1-8b
a100 Llama-2-7b-hf a100-80 serving/llama-3.1-8b $llama2
h100_sxm Llama-2-7b-hf h100-sxm serving/llama-3.1-8b $llama2
END
}

first=1
: > "$work/tables.part"
while read -r card model preset spec; do
    [[ "$wanted" = *" $card "* ]] || continue
    table=$work/$card-$model.csv
    "$plumb" operators "$preset" "$spec" --tokens "${TOKENS:-1,8,16,64,128,512}" --batch 1 --context 1 -q -o "$table" < /dev/null
    awk -v head="$card,$model" -v first=$first 'NR > 1 { print head "," $0 } NR == 1 && first { print "gpu,of," $0 }' "$table" >> "$work/tables.part"
    first=0
done < <(layers)
mv "$work/tables.part" "$work/served.csv"

{ import_csv configs/curves/layers.csv; import_csv "$work/served.csv"; cat scripts/serving.sql; } > "$work/sql"
{ cat "$work/sql"; echo ".mode csv"; echo ".headers on"; echo "SELECT * FROM study;"; } | sqlite3 -batch | tr -d '\r' > "$study.part"
mv "$study.part" "$study"
{ cat "$work/sql" scripts/serving-page.sql; } | sqlite3 -batch | with_models "$models" > "$page.part"
mv "$page.part" "$page"
