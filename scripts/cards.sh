#!/bin/bash
# Sets presets beside the measured curves that their files name (evidence : { curves = ["CARD", ...]; }, for
# configs/curves/CARD.csv; without any: configs/curves/NAME.csv), as docs/results/cards.md.
#   scripts/cards.sh [NAME...]     these presets (all that have curves): a few minutes each on two cores
# PLUMB (build/fast/plumb), OUT (docs/results/cards.md), WORK (build/cards: the answers, which are kept; a preset whose
# answer lies there is not run again), CURVES (configs/curves).
set -euo pipefail
cd "$(dirname "$0")/.."
plumb=${PLUMB:-build/fast/plumb}
out=${OUT:-docs/results/cards.md}
work=${WORK:-build/cards}
mkdir -p "$work"
curves=${CURVES:-configs/curves}

against() { # NAME: the options that name its curves; nothing without any
    local card named
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
    "$plumb" machine probe "$name" $options --json > "$work/$name.part"
    mv "$work/$name.part" "$work/$name.json"
done
[ ${#cards[@]} -gt 0 ] || { echo "cards.sh: no preset has curves in configs/curves" >&2; exit 1; }

percent='def percent: if . == null then "-" else ((. * 1000 | round) / 10 | "\(if . > 0 then "+" else "" end)\(.) %") end;
    def short: if . == null then "-" elif . >= 1000 then (. | round) else ((. * 10 | round) / 10) end | tostring;'
{
    cat << END
# Presets beside cards

Made by \`scripts/cards.sh\`: \`plumb machine probe\`, with the curves that presets name. What each feature is, how it is
found, and the targets: [../guide/probe.md](../guide/probe.md). Errors are relative, the machine's to the card's; ramps and
strides are means of the errors' sizes.

| preset | features within their targets | the worst beside its target |
| --- | --- | --- |
END
    for name in "${cards[@]}"; do
        jq -r --arg name "$name" "$percent"' (.errors | map(select(.passes)) | length) as $good |
            (.errors | max_by(if .error == null then 1e9 else (.error | fabs) / .target end)) as $worst |
            "| \($name) | \($good) of \(.errors | length) | \($worst.feature) of \($worst.experiment) at \($worst.x | short), \($worst.error | percent) |"' \
            "$work/$name.json"
    done
    for name in "${cards[@]}"; do
        printf '\n## %s\n\n| experiment | feature | at | card | preset | error | target | |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n' "$name"
        jq -r "$percent"' .errors[] | "| \(.experiment) | \(.feature) | \(.x | short) | \(.measured | short) | \(.value | short) | \(.error | percent) | \(.target * 100 | round) % | \(if .passes then "" else "off" end) |"' \
            "$work/$name.json"
        jq -r '(.notes | map(capture("no curve of (?<x>[a-z0-9_]+)") | .x)) as $none | (.notes | map(select(test("no curve of") | not))) as $other |
            (if ($none | length) > 0 then "\nNot measured on the card: \($none | join(", "))." else "" end) +
            (if ($other | length) > 0 then "\n\n" + ($other | map("- " + .) | join("\n")) else "" end)' "$work/$name.json"
    done
} > "$out.part"
mv "$out.part" "$out"
