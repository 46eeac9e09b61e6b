#!/bin/bash
# Registers per lane, the most warps on an SM and CTAs of the launches of suite rf's programs, as their traces say: nothing is
# simulated.  A row for each kind of launch; CTAs are of one launch, in warps of 32 lanes.  The programs are captured first:
# plumb trace suite rf.
set -euo pipefail
plumb=${PLUMB:-build/release/plumb}
version=$(grep -ho 'SIM_MODEL_VERSION = [0-9]*' gpu/metrics/model_version.h | grep -o '[0-9]*$')
suite=$("$plumb" trace suite rf --json)
missing=$(jq -r '[.programs[] | select(.state == "missing") | .program] | join(" ")' <<< "$suite")
if [ -n "$missing" ]; then
    echo "registers.sh: not captured: $missing; run plumb trace suite rf" >&2
    exit 1
fi
echo program,registers,warps,warps_per_cta,ctas,launches,model_version
jq -r '.programs[] | "\(.program) \(.path)"' <<< "$suite" | while read -r name path; do
    "$plumb" trace info --json "$path" | jq -r --arg name "$name" --arg version "$version" '
        .launches | map({registers_per_lane, resident_warps, ctas, warps: (.block | .[0] * .[1] * .[2] / 32 | ceil)})
        | group_by(.)[] | [$name, .[0].registers_per_lane, .[0].resident_warps, .[0].warps, .[0].ctas, length, $version]
        | map(tostring) | join(",")'
done
