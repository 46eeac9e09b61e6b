#!/bin/bash
# Accesses of 32 bytes that loads and stores become, program by program of suite agcb-default, as CSV: counted in the
# traces, no cycle of anything is simulated.  PLUMB names the program.
set -euo pipefail
plumb=${PLUMB:-build/release/plumb}
version=$(grep -ho 'SIM_MODEL_VERSION = [0-9]*' gpu/metrics/model_version.h | grep -o '[0-9]*$')
list=$(mktemp)
trap 'rm -f "$list"' EXIT
"$plumb" trace suite agcb-default --json > "$list"
echo program,launches,accesses,model_version
jq -r '.programs[] | "\(.program) \(.path)"' "$list" | while read -r program path; do
    "$plumb" trace info --json "$path" | jq -r --arg program "$program" --arg version "$version" '
        .total | [$program, .launches, ([.coalescing[] | .transactions["32"]] | add), $version] | map(tostring) | join(",")'
done
