#!/bin/bash
# Candel 2019, section 4.7, as CSV: all components on the HD 7870, and each left out, for the two programs that the section
# names.  SI's L2 merges stores by their masks, NMOESI's directory has an inclusive L2, as in study coh18.
#   PLUMB names the program
set -euo pipefail
plumb=${PLUMB:-build/release/plumb}
version=$(grep -ho 'SIM_MODEL_VERSION = [0-9]*' gpu/metrics/model_version.h | grep -o '[0-9]*$')
si=(coherence.protocol=si l2.write_miss=lazy_fetch)
files=(l1.mshr.entries=32 l2.mshr.entries=96)
list=$(mktemp)
trap 'rm -f "$list"' EXIT

without() { # PROGRAM PATH PART SETTING...
    local program=$1 path=$2 part=$3 sets=() s
    shift 3
    for s in sm.nonblocking_stores=true "$@"; do sets+=(--set "$s"); done
    "$plumb" simulate hd7870 "$path" -q --json "${sets[@]}" |
        jq -r --arg head "$program,$part" --arg version "$version" '"\($head),\(.cycles),\($version)"'
}

"$plumb" trace suite mshr --json > "$list"
echo program,part,cycles,model_version
jq -r '.programs[] | select(.program == "mersenne" or .program == "quasirandom") | "\(.program) \(.path)"' "$list" |
    while read -r program path; do
        run() { without "$program" "$path" "$@"; }
        run none "${si[@]}" "${files[@]}"
        run protocol coherence.protocol=nmoesi l2.inclusion=inclusive l2.write_miss=fetch "${files[@]}"
        run memory "${si[@]}" "${files[@]}" dram.model=fixed dram.clock_mhz=1000.0 dram.fixed_latency=100 dram.fixed_gbps=32.0
        run 'MSHR files' "${si[@]}" l1.mshr.entries=0 l2.mshr.entries=0
        run coalescing "${si[@]}" "${files[@]}" sm.coalesce_loads=false sm.coalesce_stores=false l1.merge_loads=true \
            l1.merge_stores=true l1.merge_stores_with=last
    done
