#!/bin/bash
# What the traces alone say of each program of the suites (docs/results/classes.md), as CSV.  Captures are 64 lanes wide.
#   PLUMB names the program
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "suite,program,class,launches,warp_instructions,lane_operations,active_lanes,lanes,blocks32,ideal32,lines128,\
stores32,ideal_stores32,shared,sync,line_accesses,first,cta_distance"
for suite in frc mshr coh qr vws rf temp agcb; do
    "$PLUMB" trace suite "$suite" --json > "$work/suite.json"
    jq -r '.programs[] | "\(.program) \(.class) \(.path)"' "$work/suite.json" | while read -r program class path; do
        "$PLUMB" trace info --json "$path" | jq -r --arg suite "$suite" --arg program "$program" --arg class "$class" '
            def median: (map(.accesses) | add // 0) as $all
                | reduce .[] as $bin ({sum: 0}; if .sum * 2 < $all then {sum: (.sum + $bin.accesses), from: $bin.from} else . end)
                | .from // "";
            .total | .mix as $mix | .coalescing as $c | [$c[]] as $kinds
            | [$suite, $program, $class, .launches, .warp_instructions, .lane_operations, .active_lanes,
               ($kinds | map(.lanes) | add), ($kinds | map(.transactions["32"]) | add),
               ($kinds | map(.ideal["32"]) | add), ($kinds | map(.transactions["128"]) | add),
               $c.stores.transactions["32"], $c.stores.ideal["32"], $mix.shared_load + $mix.shared_store,
               $mix.barrier + $mix.atomic + $mix.fence + $mix.acquire + $mix.release,
               .reuse.accesses, .reuse.first, (.sharing.cta_distance | median)]
            | map(if type == "number" then . * 1e6 | round / 1e6 else . end | tostring) | join(",")' || exit 1
    done
done
