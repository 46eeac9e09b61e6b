#!/bin/bash
# How long a store takes from its issue until the L1 has its answers, under NMOESI and SI as in coh18.cfg, as CSV:
# program, protocol, stores, cycles in the mean.  PLUMB names the program.
set -euo pipefail
plumb=${PLUMB:-build/release/plumb}
version=$(grep -ho 'SIM_MODEL_VERSION = [0-9]*' gpu/metrics/model_version.h | grep -o '[0-9]*$')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
alone=()
while read -r set; do
    alone+=(--set "$set")
done < <(sed -n '/^set /,/);/p' papers/candel/sweeps/coh18.cfg | grep -o '"[^"]*"' | tr -d '"')

stores() { # NAME TRACE PROTOCOL INCLUSION WRITE_MISS
    "$plumb" simulate hd7770-fgcs18 "$2" "${alone[@]}" --set coherence.protocol="$3" --set l2.inclusion="$4" \
        --set l2.write_miss="$5" --per-load --json -q > "$work/run.json"
    jq -r --arg name "$1" --arg protocol "$3" --arg version "$version" '
        [.loads[] | select(.class == "store" and .space == "global")]
        | select(length > 0)
        | [$name, $protocol, (map(.executions) | add),
           ((map(.executions * .latency_mean) | add) / (map(.executions) | add) * 1000 | round / 1000), $version]
        | map(tostring) | join(",")' "$work/run.json"
}

"$plumb" trace suite mshr --json > "$work/suite.json"
echo program,protocol,stores,latency,model_version
jq -r '.programs[] | "\(.program) \(.path)"' "$work/suite.json" | while read -r program path; do
    stores "$program" "$path" nmoesi inclusive fetch
    stores "$program" "$path" si non_inclusive lazy_fetch
done
