#!/bin/bash
# Area and leakage of the RX570's L2 and FRCs (Candel 2019, 6.6.4, 6.6.5), as the answers have them: no cycle of
# anything is simulated.  Of 4 entries the thesis says only that they are less than 8 ways.
set -euo pipefail
plumb=${PLUMB:-build/release/plumb}
program=configs/workloads/rx540-stream.cfg
version=$(grep -ho 'SIM_MODEL_VERSION = [0-9]*' gpu/metrics/model_version.h | grep -o '[0-9]*$')
echo entries,ways,bank_kb,l2_mm2,frc_mm2,leakage_mw,model_version
while read -r entries ways kb; do
    sets=(--set "l2.frc.entries=$entries" --set "l2.bank_kb=$kb")
    [ "$entries" -eq 0 ] || sets+=(--set "l2.frc.ways=$ways")
    "$plumb" estimate rx570 "$program" "${sets[@]}" --json -q |
        jq -r --arg entries "$entries" --arg ways "$ways" --arg kb "$kb" --arg version "$version" '[$entries, $ways, $kb, .area_mm2.l2,
            .area_mm2.frc // 0, (.energy_mj.l2_static + (.energy_mj.frc_static // 0)) / .time_us * 1e6, $version]
            | map(if type == "number" then . * 1e6 | round / 1e6 else . end | tostring) | join(",")'
done << 'END'
0 0 256
4 4 256
4 2 256
512 8 256
0 0 512
0 0 1024
END
