#!/bin/bash
# How many instructions of suite rf's programs have several of their registers in one of 16 banks, as plumb trace info counts
# them: nothing is simulated.  The programs are captured first: plumb trace suite rf.
set -euo pipefail
source scripts/suite-programs.bash
programs=$(suite_programs rf)
echo program,instructions,reads,results,two_in_a_bank,three_in_a_bank,model_version
while read -r name path; do
    "$plumb" trace info --json -q "$path" | jq -r --arg name "$name" --arg version "$version" '.total
        | [$name, .warp_instructions, (.registers | .reads, .results, .two_in_a_bank, .three_in_a_bank), $version]
        | map(tostring) | join(",")'
done <<< "$programs"
