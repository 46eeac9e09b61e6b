#!/bin/bash
# Do CUDA programs compile, compute what they should, and leave the trace that follows from their source?  Each program of
# workloads/cuda checks its own results; counts of accesses are closed forms; faults of kernels are told with kernel, line, CTA
# and thread.  Status 77 without clang 14 or where plumb was built without it; what plumb cc then says is tested all the same.
set -u
: "${PLUMB:?the program to test}"
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
PLUMB=$(realpath "$PLUMB")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=$(realpath tests/data/cuda)
programs=$(realpath workloads/cuda)

mkdir "$work/empty"
PATH=$work/empty "$PLUMB" cc x.cu > "$work/out" 2>&1
[ $? -eq 1 ] && grep -q 'apt install clang-14 llvm-14-dev' "$work/out" || fail "without clang: $(cat "$work/out")"
says -F 2 'plumb has no cuBLAS' cc x.cu -lcublas
says -F 2 'plumb cc does not know this option' cc --no-such-option x.cu
says -F 2 'a value is missing' cc x.cu -o
says -F 2 'no source to compile' cc -O3
says -F 0 'release 11.5' cc --version

plugin=$(dirname "$PLUMB")/trace/cuda/libplumb_cuda.so
if ! command -v clang++-14 > /dev/null || ! command -v llc-14 > /dev/null || [ ! -f "$plugin" ]; then
    [ $failed -eq 0 ] || exit 1
    echo "CUDA itself not tested: clang 14 or $plugin is missing"
    exit 77
fi

# counts NAME FILTER WANTED: what `trace info` says of the whole program
counts() {
    local got
    got=$("$PLUMB" trace info --json "$work/$1.plt" | jq -c ".total | $2")
    [ "$got" = "$3" ] || fail "$1: $2 is $got, expected $3"
}

# capture NAME SOURCE ARGUMENT...: compiles, runs twice; the traces are the same
capture() {
    local name=$1 source=$2
    shift 2
    status "$name: compile" 0 "$PLUMB" cc -O2 "$source" -o "$work/$name" || return
    status "$name: first run" 0 "$PLUMB" trace capture -o "$work/$name.plt" -- "$work/$name" "$@"
    status "$name: second run" 0 "$PLUMB" trace capture -o "$work/$name.again.plt" -- "$work/$name" "$@"
    cmp -s "$work/$name.plt" "$work/$name.again.plt" || fail "$name: two captures differ"
}

for source in "$programs"/*.cu "$data/lockstep.cu"; do
    capture "$(basename "$source" .cu)" "$source"
    grep -q ': right$' "$work/out" || fail "$source: $(cat "$work/out")"
done

# 50,000 elements in CTAs of 256: 196 CTAs of 8 warps, of which 1,563 have work and 16 lanes of one.
counts vectoradd '[.launches, .ctas, .warps, .mix.load, .mix.store]' '[1,196,1568,3126,1563]'
# 128 x 128 by tiles of 16: 512 warps, 8 tiles; each loads one element of both matrices per tile.
counts matmul '[.warps, .mix.load, .mix.store, .mix.atomic]' "[512,$((512 * 8 * 2)),512,0]"
counts matmul '[.mix.shared_store, .mix.barrier, .mix.exit]' "[$((512 * 16)),$((512 * 16)),512]"
# 256 x 256 by tiles of 32 rows of 8: 512 warps, 4 rows each, moved through shared memory without conflicts.
counts transpose '[.mix.load, .mix.store, .mix.shared_load, .mix.shared_store]' '[2048,2048,2048,2048]'
# a bin per thread and CTA at the end: 16 CTAs of 6 warps, 256 bins by 192 threads
counts histogram '[.ctas, .mix.atomic]' "[16,$((16 * 8))]"
# two launches; in the first 8 warps of 32 CTAs store one sum each, and a lane of each CTA one more
counts reduction '[.launches, .mix.shared_store, .mix.store]' "[2,$((33 * 8)),33]"
# every body is loaded once by each thread and once more by each tile's threads
counts nbody '[.mix.load, .mix.store]' "[$((16 + 16 * 4)),16]"
# 128 x 128 by tiles of 16: 64 warps, 8 steps; two fragments loaded by 16 bytes a lane, two matrix instructions in each
counts wmma '[.warps, .mix.tensor, .mix.load, .mix.store]' "[64,$((64 * 8 * 2)),$((64 * 8 * 2)),128]"
# 128 tokens: 4 warps, 8 tiles; 4 copies of 16 bytes in each, none of them a store; 32 loads of q
counts attention '[.mix.load, .asynchronous_copies, .mix.copy_commit, .mix.copy_wait, .mix.shared_store]' '[256,128,36,32,0]'
# 8,000 elements: 32 CTAs of 8 warps, of which 250 have elements; the grid's barrier makes two launches
counts scan '[.launches, .warps, .mix.shared_store, .mix.exit]' '[2,512,256,512]'
"$PLUMB" simulate h100-sxm "$work/reduction.plt" > "$work/out" 2>&1 || fail "reduction: not simulated: $(cat "$work/out")"

# One source, compiled on the way.
status 'one step' 0 "$PLUMB" trace capture -o "$work/step.plt" --cuda "$programs/vectoradd.cu" -- 1000
grep -q 'vectoradd: right' "$work/out" || fail "one step: $(cat "$work/out")"
status 'some CTAs' 0 "$PLUMB" trace capture -o "$work/some.plt" --ctas 2-3 -- "$work/vectoradd"
counts some '[.ctas, .mix.store]' '[2,16]'

# Two sources and a C source, by objects, as makefiles do.
cat > "$work/one.cu" << 'END'
#include <cstdio>
extern "C" int two(int *p);
static __global__ void set(int *p) { p[threadIdx.x] = 1 + threadIdx.x; }
int main()
{
    int *p, sum = 0;
    cudaMalloc(&p, 128);
    set<<<1, 32>>>(p);
    sum = two(p);
    printf("sum %d\n", sum);
    return sum != 528 + 32;
}
END
cat > "$work/two.cu" << 'END'
static __global__ void set(int *p) { p[threadIdx.x] += 1; }
extern "C" int add(const int *p, int n);
extern "C" int two(int *p)
{
    int host[32];
    set<<<1, 32>>>(p);
    cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
    return add(host, 32);
}
END
echo 'int add(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }' > "$work/add.c"
for source in one.cu two.cu add.c; do
    status "$source" 0 "$PLUMB" cc -c -O2 -arch=sm_80 -Xcompiler -Wall,-Wextra "$work/$source" -o "$work/$source.o"
done
status 'link' 0 "$PLUMB" cc "$work"/{one.cu,two.cu,add.c}.o -o "$work/parts" -lcudart -lm
status 'parts' 0 "$PLUMB" trace capture -o "$work/parts.plt" -- "$work/parts"
counts parts '[.launches, .mix.store]' '[2,2]'

# Faults: each ends with one line that names the source line.
status 'faults: compile' 0 "$PLUMB" cc "$data/faults.cu" -o "$work/faults"
while read -r name text; do
    line=$(grep -n "// line.*fault $name\$" "$data/faults.cu" | cut -d: -f1)
    says -E 1 "^plumb: .*$text.*\(kernel $name, .*faults.cu:$line, CTA [0-9,]+, thread [0-9,]+\)" \
        trace capture -o "$work/fault.plt" -- "$work/faults" "$name"
    [ "$(grep -c '^plumb: ' "$work/err")" -eq 1 ] || fail "$name: says $(grep -c '^plumb: ' "$work/err") lines"
    [ ! -e "$work/fault.plt" ] || fail "$name: leaves a trace"
done << 'END'
beyond writes 4 bytes at offset 400 of an allocation of 400 bytes
far at offset 1073741824 of an allocation of 400 bytes
null a null pointer
shared writes 4 bytes at offset 128 of 128 bytes of shared memory
barriers wait at different barriers
warp waits in a function of the warp for threads that do not come
spin waits for a value that no thread of its CTA writes
other CTAs run in order
divide divides a whole number by 0
trap executes a trap
END
"$work/faults" beyond > "$work/out" 2> "$work/err"
grep -q cudaErrorIllegalAddress "$work/out" || fail "a fault is not returned by the runtime"

# What is not there is refused by name when the program is compiled.
echo '__global__ void k(int *p) { asm volatile("mov.u32 %0, %%smid;" : "=r"(p[0])); }
int main() { k<<<1, 1>>>(nullptr); }' > "$work/asm.cu"
says -F 1 'asm.cu:1: inline PTX assembly is not supported' cc "$work/asm.cu" -o "$work/x"
echo '__global__ void k(float *p) { p[0] = __fadd_rd(p[1], p[2]); }
int main() { k<<<1, 1>>>(nullptr); }' > "$work/missing.cu"
says -F 1 'the device function __nv_fadd_rd is not among those that plumb has' cc "$work/missing.cu" -o "$work/x"
echo '__device__ void f(int); __global__ void k() { f(1); } int main() { k<<<1, 1>>>(); }' > "$work/far.cu"
says -F 1 'the device function _Z1fi' cc "$work/far.cu" -o "$work/x"
says -F 1 'launched no kernel' trace capture -o "$work/x.plt" -- "$work/faults" nothing
exit $((failed > 0))
