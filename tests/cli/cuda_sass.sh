#!/bin/bash
# Warp instructions of CUDA kernels beside the machine code that NVIDIA's compiler makes of the same source: as many
# accesses of each kind, and in all as many instructions within 15 % (docs/results/cuda.md has the sources).
# Status 77 without clang 14.
set -u
: "${PLUMB:?the program to test}"
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
PLUMB=$(realpath "$PLUMB")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! command -v clang++-14 > /dev/null || ! command -v llc-14 > /dev/null ||
    [ ! -f "$(dirname "$PLUMB")/trace/cuda/libplumb_cuda.so" ]; then
    echo "clang 14 or plumb's plugin is missing"
    exit 77
fi

# mix SOURCE ARGUMENT: load, store, shared_load, shared_store, barrier, fp32, all
mix() {
    local name
    name=$(basename "$1" .cu)
    [ -x "$work/$name" ] || "$PLUMB" cc -O3 "$1" -o "$work/$name" || return
    "$PLUMB" trace capture -o "$work/$name.plt" -- "$work/$name" "$2" > "$work/out" 2>&1 || return
    "$PLUMB" trace info --json "$work/$name.plt" |
        jq -r '.total.mix | [.load, .store, .shared_load, .shared_store, .barrier, .fp32, add] | @tsv'
}
# near WHAT GOT SASS: within 15 %
near() {
    awk -v a="$2" -v b="$3" 'BEGIN { exit !(a >= 0.85 * b && a <= 1.15 * b) }' ||
        fail "$1: $2 instructions, the machine code has $3"
}

# 32,768 elements: 1,024 warps, all of them full
read -r load store shared_load shared_store barrier fp32 all < <(mix workloads/cuda/vectoradd.cu 32768)
[ "$load $store $shared_load $fp32" = '2048 1024 0 1024' ] || fail "vectoradd: $load loads, $store stores, $fp32 additions"
near 'vectoradd (sm_75)' "$((all / 1024))" 15
near 'vectoradd (sm_80)' "$((all / 1024))" 16

# A tile more for each of 512 warps
read -r -a long < <(mix tests/data/cuda/gemm.cu 128)
read -r -a short < <(mix tests/data/cuda/gemm.cu 112)
tile=()
for i in "${!long[@]}"; do tile+=($(((long[i] - short[i]) / 512))); done
# 16 words of B and four quarters of a row of A
[ "${tile[*]:0:6}" = '2 0 20 2 2 16' ] || fail "gemm: a tile has ${tile[*]:0:6}"
near 'a tile of gemm (sm_80)' "${tile[6]}" 66
exit $((failed > 0))
