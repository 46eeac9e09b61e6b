#!/bin/bash
# The time line of Candel's figure 6.2 as unit.detailed_time_line sees it, as CSV: claim, value.  The test is looked
# for beside the program (PLUMB).
set -euo pipefail
test=$(dirname "${PLUMB:-build/release/plumb}")/unit_detailed_time_line
if [ ! -x "$test" ]; then
    echo "time-line.sh: there is no $test; build the tests" >&2
    exit 1
fi
version=$(grep -ho 'SIM_MODEL_VERSION = [0-9]*' detailed/sim.h | grep -o '[0-9]*$')
echo claim,value,model_version
"$test" 2>&1 | sed -n "s/^\(TL-[A-Z0-9-]*,[0-9]*\)$/\1,$version/p"
