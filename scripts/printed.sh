#!/bin/bash
# What a test prints of the papers' worked examples, as CSV: claim, value.  The test is looked for beside the program
# (PLUMB).
#   printed.sh TEST PREFIX      the claims that begin so
set -euo pipefail
[ $# -eq 2 ] || { sed -n 4p "$0" | cut -c3- >&2; exit 2; }
test=$(dirname "${PLUMB:-build/release/plumb}")/$1
if [ ! -x "$test" ]; then
    echo "printed.sh: there is no $test; build the tests" >&2
    exit 1
fi
version=$(grep -ho 'SIM_MODEL_VERSION = [0-9]*' gpu/metrics/model_version.h | grep -o '[0-9]*$')
claims=$("$test" 2>&1 | sed -n "s/^\($2[A-Z0-9-]*,[0-9]*\)$/\1,$version/p")
if [ -z "$claims" ]; then
    echo "printed.sh: $test prints no claim $2..." >&2
    exit 1
fi
echo claim,value,model_version
echo "$claims"
