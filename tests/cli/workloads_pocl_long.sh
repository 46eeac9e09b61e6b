#!/bin/bash
# Do the workloads compute the right thing on an OpenCL implementation other than Oclgrind?  Each runs with
# its standard arguments under PoCL, on the host's processor, and compares its result with the host's; those
# that change their work with an argument run the other way too.  Status 77 without PoCL or the programs.
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
programs=$(dirname "$plumb")/workloads
icd=${PLUMB_POCL_ICD:-/etc/OpenCL/vendors/pocl.icd}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 ran=0

if [ ! -f "$icd" ] || [ ! -x "$programs/fwt" ]; then
    echo "workloads not run under PoCL: $icd or $programs/fwt is missing"
    exit 77
fi
export OCL_ICD_VENDORS=$icd POCL_CACHE_DIR=$work/pocl

# right NAME [ARGUMENT...]: ends well and says that nothing is wrong
right() {
    timeout 300 "$programs/$1" "${@:2}" > "$work/out" 2>&1
    local status=$?
    ran=$((ran + 1))
    if [ $status -ne 0 ] || ! grep -q ' 0 wrong$' "$work/out"; then
        echo "FAIL $*: status $status: $(tail -n 1 "$work/out")"
        failed=$((failed + 1))
    fi
}

for source in workloads/*/; do
    name=$(basename "$source")
    [ "$name" != common ] && [ "$name" != probe ] || continue # probe.sh runs the probe
    if [ ! -x "$programs/$name" ]; then
        echo "FAIL $name: was not built"
        failed=$((failed + 1))
        continue
    fi
    right "$name"
done
right matmul 128 1
right transpose 512 1
right bfs grid 12
right bfs uniform 12
right pagerank grid 11

[ $failed -eq 0 ] && echo "workloads: $ran runs under PoCL, all right"
exit $((failed > 0))
