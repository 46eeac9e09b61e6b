#!/bin/bash
# Does every preset run every engine on the generators, with totals that agree between engines?
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }

program() { echo "$2" > "$work/$1.cfg"; }
program stream 'generator = "stream"; ctas = 60; warps_per_cta = 4; iterations = 4; footprint = "2MB";'
program gather 'generator = "gather"; ctas = 40; warps_per_cta = 4; iterations = 3; footprint = "1MB";'
program reduction 'generator = "reduction"; ctas = 40; warps_per_cta = 4; launches = 2;'
program stride 'generator = "stride"; ctas = 40; warps_per_cta = 2; iterations = 6; stride = 8;'
program chase 'generator = "pointer_chase"; ctas = 4; warps_per_cta = 1; footprint = "64KB"; stride = 128; iterations = 100;'

names='stream gather reduction stride chase'
programs=$(printf "$work/%s.cfg " $names)
presets=$("$plumb" machine list --json 2> /dev/null | jq -r '.[].machine')
count=0
for machine in $presets; do
    count=$((count + 1))
    for engine in simulate sample estimate; do
        "$plumb" $engine "$machine" $programs --json -q > "$work/$engine.json" 2> "$work/err" ||
            fail "$engine $machine: $(head -1 "$work/err")"
    done
    jq -e 'length == 5 and all(.cycles > 0 and .l1.accesses >= 0 and .dram.reads > 0)' "$work/simulate.json" > /dev/null ||
        fail "simulate $machine: no cycles, accesses or reads: $(jq -c 'map([.cycles, .l1.accesses, .dram.reads])' "$work/simulate.json")"
    jq -s -e 'map(length == 5) == [true, true, true] and (transpose | all(.[0].warp_instructions == .[1].warp_instructions
              and .[1].warp_instructions == .[2].warp_instructions
              and .[2].cycles > .[0].cycles / 8 and .[2].cycles < .[0].cycles * 8))' \
        "$work/simulate.json" "$work/sample.json" "$work/estimate.json" > /dev/null ||
        fail "$machine: engines disagree: $(jq -s -c 'map(map([.warp_instructions, .cycles]))' "$work"/{simulate,sample,estimate}.json)"
done
echo "$count presets, $failed failures"
[ "$count" -ge 10 ] && [ "$failed" -eq 0 ]
