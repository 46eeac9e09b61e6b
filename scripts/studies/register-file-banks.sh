#!/bin/bash
# How many instructions of suite rf's programs have several of their registers in one of 16 banks, as plumb trace info counts
# them: nothing is simulated.  The programs are captured first: plumb trace suite rf.
set -euo pipefail
plumb=${PLUMB:-build/release/plumb}
version=$(grep -ho 'SIM_MODEL_VERSION = [0-9]*' gpu/metrics/model_version.h | grep -o '[0-9]*$')
suite=$("$plumb" trace suite rf --json)
missing=$(jq -r '[.programs[] | select(.state == "missing") | .program] | join(" ")' <<< "$suite")
if [ -n "$missing" ]; then
    echo "register-file-banks.sh: not captured: $missing; run plumb trace suite rf" >&2
    exit 1
fi
echo program,instructions,reads,results,two_in_a_bank,three_in_a_bank,model_version
jq -r '.programs[] | "\(.program) \(.path)"' <<< "$suite" | while read -r name path; do
    "$plumb" trace info --json -q "$path" | jq -r --arg name "$name" --arg version "$version" '.total
        | [$name, .warp_instructions, (.registers | .reads, .results, .two_in_a_bank, .three_in_a_bank), $version]
        | map(tostring) | join(",")'
done
