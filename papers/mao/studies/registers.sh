#!/bin/bash
# Registers per lane, the most warps on an SM and CTAs of the launches of suite rf's programs, as their traces say: nothing is
# simulated.  A row for each kind of launch; CTAs are of one launch, in warps of 32 lanes.  The programs are captured first:
# plumb trace suite rf.
set -euo pipefail
source scripts/suite-programs.bash
programs=$(suite_programs rf)
echo program,registers,warps,warps_per_cta,ctas,launches,model_version
while read -r name path; do
    "$plumb" trace info --json "$path" | jq -r --arg name "$name" --arg version "$version" '
        .launches | map({registers_per_lane, resident_warps, ctas, warps: (.block | .[0] * .[1] * .[2] / 32 | ceil)})
        | group_by(.)[] | [$name, .[0].registers_per_lane, .[0].resident_warps, .[0].warps, .[0].ctas, length, $version]
        | map(tostring) | join(",")'
done <<< "$programs"
