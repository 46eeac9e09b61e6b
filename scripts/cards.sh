#!/bin/bash
# Sets presets beside the measured curves that their files name (evidence : { curves = ["CARD", ...]; }, for
# configs/curves/CARD.csv; without any: configs/curves/NAME.csv), as docs/results/cards.md.
#   scripts/cards.sh [NAME...]     these presets (all that have curves): a few minutes each on two cores
# What limits the features beyond their targets is said in scripts/cards-misses.json: causes, and which misses each
# explains (regular expressions of preset, experiment, feature, and x below which; the first that fits). A miss without any
# is called so.
# PLUMB (build/fast/plumb), OUT (docs/results/cards.md), WORK (build/cards, a folder for each version of the model: the answers, which are kept; a preset whose
# answer lies there is not run again), CURVES (configs/curves), MISSES (scripts/cards-misses.json), THREADS (all cores).
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
plumb=${PLUMB:-build/fast/plumb}
out=${OUT:-docs/results/cards.md}
# shellcheck source=scripts/models.bash
. scripts/models.bash
models=$(models_of "$plumb" SIM)
work=${WORK:-build/cards/${models//[, ]/}}
mkdir -p "$work"
curves=${CURVES:-configs/curves}
misses=${MISSES:-scripts/cards-misses.json}
experiments='["pchase_latency", "stream_init", "stream_read", "stream_scale", "stream_triad", "stream_3pt", "stream_5pt",
    "l2_read_bw", "shared_buffer_read_bw", "l1_stride_float", "l1_stride_double"]'

against() { # NAME: the options that name its curves; nothing without any
    local card named
    [ -f "configs/gpus/$1.cfg" ] || return 0 # a paper's
    named=$(grep -o 'curves *= *[[][^]]*' "configs/gpus/$1.cfg" | grep -o '"[^"]*"' | tr -d '"') || named=${1//-/_}
    for card in $named; do
        [ ! -f "$curves/$card.csv" ] || echo "--against $curves/$card.csv"
    done
}

names=("$@")
[ ${#names[@]} -gt 0 ] || mapfile -t names < <("$plumb" machine list --json | jq -r '.[].machine')
cards=()
for name in "${names[@]}"; do
    options=$(against "$name")
    [ -n "$options" ] || continue
    cards+=("$name")
    [ -s "$work/$name.json" ] && continue
    echo "$name" >&2
    # shellcheck disable=SC2086 # several words
    "$plumb" machine probe "$name" $options ${THREADS:+--threads "$THREADS"} --json > "$work/$name.part"
    mv "$work/$name.part" "$work/$name.json"
done
[ ${#cards[@]} -gt 0 ] || { echo "cards.sh: no preset has curves in configs/curves" >&2; exit 1; }

# Rows of all cards, each with the cause of its miss.
rows() {
    for name in "${cards[@]}"; do
        jq -c --arg name "$name" --slurpfile said "$misses" '.errors[] | . as $row | . + {preset: $name} +
            (if .passes then {} else {cause: (first($said[0].misses[] | . as $m | select(($name | test("^(\($m.preset))$"))
                and ($row.experiment | test("^(\($m.experiment))$")) and ($row.feature | test("^(\($m.feature))$"))
                and $row.x < ($m.below // 1e300)) | .cause)
                // null)} end)' "$work/$name.json"
    done
}
rows > "$work/rows.part"

# What begins all of the following programs.
functions='def percent: if . == null then "-" else ((. * 1000 | round) / 10 | "\(if . > 0 then "+" else "" end)\(.) %") end;
    def short: if . == null then "-" elif . >= 1000 then (. | round) else ((. * 10 | round) / 10) end | tostring;
    def excess: if .error == null then 1e9 else (.error | fabs) / .target end;
    def title: . as $cause | if . == null then "not explained" else first($said[0].causes[] | select(.name == $cause) | .title) end;'
table() { jq -rs --slurpfile said "$misses" "$functions $1" "$work/rows.part"; }
{
    cat << END
# Presets beside cards

Models: $models.

Made by \`scripts/cards.sh\`, which runs \`plumb machine probe\` with the curves that presets name. [Probes](../guide/probe.md) describes
each feature, how it is found, and the targets. Errors are relative, machine to card. Errors of ramps and strides are means of
absolute errors. Presets from data sheets have no curves; [their page](sheets.md) has what follows from each data sheet.

| preset | features within their targets | the worst beside its target |
| --- | --- | --- |
END
    table 'def worst: max_by(excess) | "\(.feature) of \(.experiment) at \(.x | short), \(.error | percent)";
        def line(name): "| \(name) | \(map(select(.passes)) | length) of \(length) | \(worst) |";
        . as $all | (group_by(.preset) | map({(.[0].preset): .}) | add) as $of |
        (($all | map(.preset) | reduce .[] as $p ([]; if index($p) then . else . + [$p] end))[] | . as $p | $of[$p] | line($p)),
        ($all | line("all") | sub("\\| (?<w>[^|]*) \\|$"; "| \($all | max_by(excess) | .preset): \(.w) |"))'
    printf '\n## What the misses are\n\n'
    table 'map(select(.passes | not)) as $off | ($said[0].causes[], {name: null, title: "not explained", text: "No cause is known."}) |
        . as $cause | ($off | map(select(.cause == $cause.name))) | select(length > 0) |
        "- **\($cause.title)** (\(length): \(map(.preset) | unique | join(", "))). \($cause.text)"'
    for name in "${cards[@]}"; do
        printf '\n## %s\n\n| experiment | feature | at | card | preset | error | target | beyond it |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n' "$name"
        table ".[] | select(.preset == \"$name\")"' | "| \(.experiment) | \(.feature) | \(.x | short) | \(.measured | short) | \(.value | short) | \(.error | percent) | \(.target * 100 | round) % | \(if .passes then "" else (.cause | title) end) |"'
        jq -r --argjson experiments "$experiments" '(.notes | map(capture("no curve of (?<x>[a-z0-9_]+)") | .x)) as $none | (.notes | map(select(test("no curve of") | not))) as $other |
            (.errors | map(.experiment)) as $run | ($experiments - $run - $none) as $rest |
            (if ($none | length) > 0 then "\nNot measured on the card: \($none | join(", "))." else "" end) +
            (if ($rest | length) > 0 then "\nNot run, or without a feature to compare: \($rest | join(", "))." else "" end) +
            (if ($other | length) > 0 then "\n\n" + ($other | map("- " + .) | join("\n")) else "" end)' "$work/$name.json"
    done
} > "$out.part"
rm "$work/rows.part"
mv "$out.part" "$out"
