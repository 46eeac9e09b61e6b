#!/bin/bash
# A launch that leaves its work-groups' size to the driver (a local size of NULL) has groups as a GPU's driver
# makes them: the largest divisor in turn up to 256, a multiple of a warp where there is one, and what the kernel
# demands. The trace says so. Status 77 without Oclgrind, the plugin or a C compiler with OpenCL's headers.
source "$(dirname "${BASH_SOURCE[0]}")/workloads.bash"
needs
if ! "${CC:-cc}" -o "$work/groups" tests/data/capture/groups.c -lOpenCL 2> "$work/err"; then
    echo "capture_groups: tests/data/capture/groups.c does not build: $(head -n 1 "$work/err")"
    exit 77
fi

# groups BLOCK WIDTH ARGUMENT...: the launch has that block
groups() {
    local block=$1 width=$2 got
    shift 2
    "$plumb" trace capture -o "$work/g.plt" --width "$width" -- "$work/groups" "$@" > "$work/out" 2>&1 || fail "$*: $(tail -n 1 "$work/out")"
    grep -q 'the program ended' "$work/out" && fail "$*: $(tail -n 1 "$work/out")"
    "$plumb" trace info "$work/g.plt" --section launches > "$work/info" 2>&1
    got=$(awk '$1 == "0" {for (i = 1; i < NF; i++) if ($i == "x") {n++; if (n == 3) print $(i - 1) "x" $(i + 1) "x" $(i + 3)}}' "$work/info")
    [ "$got" = "$block" ] || fail "$*: groups of $got, expected $block"
}
groups 256x1x1 64 4096
groups 250x1x1 64 1000
groups 192x1x1 64 960  # 240 is a larger divisor and no multiple of a warp
groups 224x1x1 32 672
groups 16x16x1 64 16 48
groups 64x4x1 64 64 60
groups 48x4x1 64 48 64
groups 8x8x4 64 8 8 8
groups 1x1x1 64 257
grep -q 'launches without a local size: 1' "$work/out" || fail "no word: $(tail -n 1 "$work/out")"
groups 32x2x1 64 demanded 256 4
grep -q 'without a local size' "$work/out" && fail "a demanded size was chosen: $(tail -n 1 "$work/out")"
finish 'launches without a local size have the groups of a driver'
