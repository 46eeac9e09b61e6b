#!/bin/bash
# What a test prints of the papers' worked examples, as CSV: claim, value.  The test is looked for beside the program
# (PLUMB).
#   printed.sh TEST PREFIX      the claims that begin so
set -euo pipefail
test=$(dirname "${PLUMB:-build/release/plumb}")/$1
if [ ! -x "$test" ]; then
    echo "printed.sh: there is no $test; build the tests" >&2
    exit 1
fi
version=$(grep -ho 'SIM_MODEL_VERSION = [0-9]*' detailed/sim.h | grep -o '[0-9]*$')
echo claim,value,model_version
"$test" 2>&1 | sed -n "s/^\($2[A-Z0-9-]*,[0-9]*\)$/\1,$version/p"
