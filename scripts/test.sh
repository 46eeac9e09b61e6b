#!/bin/bash
# Installs what is missing, builds plumb with its conservation checks and runs the quick tests.
#   scripts/test.sh            the build is left in build/test, ./plumb leads to its program
# PLUMB_WERROR=ON makes warnings errors.
set -eu
cd "$(dirname "$0")/.."
source scripts/steps.bash

scripts/deps.sh
watched "configuring" cmake -S . -B build/test -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O1 -g" \
    -DPLUMB_WERROR="${PLUMB_WERROR:-OFF}" -DPLUMB_TESTS=ON
watched "building" cmake --build build/test
# scripts/demo.sh leaves a faster program there, which stays.
[ -x build/demo/plumb ] || ln -sf build/test/plumb plumb
echo "test.sh: ./plumb is the program"
exec ctest --test-dir build/test -LE long -j2 --output-on-failure
