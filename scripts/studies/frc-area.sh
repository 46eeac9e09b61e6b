#!/bin/bash
# Area and leakage of the RX570's L2 and FRCs (Candel 2019, 6.6.4, 6.6.5), as the answers have them: no cycle of
# anything is simulated.
set -euo pipefail
plumb=${PLUMB:-build/release/plumb}
program=configs/workloads/rx540-stream.cfg
version=$(grep -ho 'SIM_MODEL_VERSION = [0-9]*' detailed/sim.h | grep -o '[0-9]*$')
echo entries,bank_kb,l2_mm2,frc_mm2,leakage_mw,model_version
while read -r entries kb; do
    "$plumb" estimate rx570 "$program" --set "l2.frc.entries=$entries" --set "l2.bank_kb=$kb" --json -q |
        jq -r --arg entries "$entries" --arg kb "$kb" --arg version "$version" '[$entries, $kb, .area_mm2.l2, .area_mm2.frc // 0,
            (.energy_mj.l2_static + (.energy_mj.frc_static // 0)) / .time_us * 1e6, $version]
            | map(if type == "number" then . * 1e6 | round / 1e6 else . end | tostring) | join(",")'
done << 'END'
0 256
4 256
512 256
0 512
0 1024
END
