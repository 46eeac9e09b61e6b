#!/bin/bash
# Installs what is missing, builds plumb with its conservation checks and runs the quick tests.
#   scripts/test.sh            the build is left in build/test
# PLUMB_WERROR=ON makes warnings errors.
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake -S . -B build/test -G Ninja -DCMAKE_BUILD_TYPE=Debug \
        -DPLUMB_WERROR="${PLUMB_WERROR:-OFF}" -DPLUMB_BENCH=OFF &&
    cmake --build build/test; } > "$log" 2>&1; then
    cat "$log"
    exit 1
fi
exec ctest --test-dir build/test -LE long -j2 --output-on-failure
