#!/bin/bash
# Do textures, managed variables, cooperative launches, calls through pointers, device code of several sources, the libraries'
# headers and HIP programs work?  tests/data/cuda/features.cu and libraries.cu check their own results, as workloads/hip does;
# counts follow from the sources.  Status 77 without clang 14 or where plumb was built without it.
set -u
: "${PLUMB:?the program to test}"
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
PLUMB=$(realpath "$PLUMB")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=$(realpath tests/data/cuda)

if ! command -v clang++-14 > /dev/null || [ ! -f "$(dirname "$PLUMB")/trace/cuda/libplumb_cuda.so" ]; then
    echo "not tested: clang 14 or the pass plugin is missing"
    exit 77
fi

# capture NAME SOURCE OPTION...: compiles, runs, is right
capture() {
    local name=$1 source=$2
    shift 2
    status "$name: compile" 0 "$PLUMB" cc -O2 "$@" "$source" -o "$work/$name" || return
    status "$name: run" 0 "$PLUMB" trace capture -o "$work/$name.plt" -- "$work/$name"
    grep -q ': right$' "$work/out" || fail "$name: $(cat "$work/out")"
}

# counts NAME FILTER WANTED
counts() {
    local got
    got=$("$PLUMB" trace info --json "$work/$1.plt" | jq -c "$2")
    [ "$got" = "$3" ] || fail "$1: $2 is $got, expected $3"
}

capture features "$data/features.cu"
# Seven barriers of the grid: eight launches of 8 CTAs with 4 warps.
counts features '.kernels[] | select(.kernel == "turn") | [.launches, .warps, .mix.exit, .mix.store]' '[8,256,256,128]'
# Two warps: 1 load of linear memory, 1 of the object, 4 that are blended; 1 store to memory, 1 to the surface.
counts features '.kernels[] | select(.kernel == "fetch") | [.warps, .mix.load, .mix.store]' '[2,12,4]'
says -F 1 'a thread waits for the grid, and the launch is not cooperative' trace capture -o "$work/x.plt" -- "$work/features" x
capture libraries "$data/libraries.cu" -lcurand
capture tiles "$data/tiles.cu"

# HIP: warps of 64 lanes, and sources with the ending of C++.
for source in workloads/hip/*.cpp; do
    capture "hip_$(basename "$source" .cpp)" "$source" --hip
done
# 100,000 elements by 32 CTAs of 4 warps: each warp has 12 or 13 turns, and one atomic.
counts hip_reduction '[.warp_width, .total.warps, .total.mix.load, .total.mix.atomic]' '[64,128,1563,128]'
# 128 x 128: 256 warps of 64 lanes, 8 tiles, two elements of each lane in each.
counts hip_matmul '[.total.warps, .total.mix.load, .total.mix.store, .total.mix.shared_store]' '[256,4096,256,4096]'
# 40 CTAs of 4 warps, of which 157 have elements; each takes room once
counts hip_compact '[.total.warps, .total.mix.load, .total.mix.atomic]' '[160,157,160]'

# Device code of two sources, by objects and in one command.
cat > "$work/a.cu" << 'END'
#include <cstdio>
__device__ int f(int x);
extern __device__ int counter;
__global__ void k(int *p) { p[threadIdx.x] = f(threadIdx.x), atomicAdd(&counter, 1); }
int count();
int main()
{
    int *p, h[32];
    cudaMalloc(&p, 128);
    k<<<1, 32>>>(p);
    cudaMemcpy(h, p, 128, cudaMemcpyDeviceToHost);
    printf("%d %d: %s\n", h[31], count(), h[31] == 131 && count() == 35 ? "right" : "wrong");
}
END
cat > "$work/b.cu" << 'END'
__device__ int counter = 3;
__device__ int f(int x) { return x + 100; }
int count()
{
    int c;
    cudaMemcpyFromSymbol(&c, counter, 4);
    return c;
}
END
capture both "$work/a.cu" -rdc=true "$work/b.cu"
# Every word of a file of options counts; a file that names itself is refused.
printf 'int main() { return WORDS[0] != 0x61 || N != 3; }\n' > "$work/words.cu"
printf '%s\n' "-DN=3 '-DWORDS=\"a b\"'" "-O2 -o $work/words" > "$work/words.opt"
status 'options' 0 "$PLUMB" cc "@$work/words.opt" "$work/words.cu"
status 'words of options' 0 "$work/words"
echo "-O2 @$work/loop.opt" > "$work/loop.opt"
status 'options in a circle' 2 "$PLUMB" cc "@$work/loop.opt" "$work/words.cu"
status 'a.o' 0 "$PLUMB" cc -dc "$work/a.cu" -o "$work/a.o"
status 'b.o' 0 "$PLUMB" cc -rdc=true -c "$work/b.cu" -o "$work/b.o"
status 'link' 0 "$PLUMB" cc "$work/a.o" "$work/b.o" -o "$work/objects"
status 'objects' 0 "$work/objects"
grep -q ': right$' "$work/out" || fail "objects: $(cat "$work/out")"
status 'ar' 0 ar rc "$work/libb.a" "$work/b.o"
status 'library' 0 "$PLUMB" cc "$work/a.o" "$work/libb.a" -o "$work/archive"
status 'archive' 0 "$work/archive"
grep -q ': right$' "$work/out" || fail "archive: $(cat "$work/out")"
says -F 1 'the device function _Z1fi is not among' cc -rdc=true "$work/a.cu" -o "$work/x"

# CMake: two targets, one a static library whose device code the other calls
if command -v cmake > /dev/null; then
    cat > "$work/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.18)
project(demo LANGUAGES CXX CUDA)
add_library(part STATIC b.cu)
add_executable(demo a.cu)
target_link_libraries(demo part)
set_target_properties(demo part PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
END
    nvcc=$(dirname "$PLUMB")/plumb-nvcc
    status 'configure' 0 cmake -S "$work" -B "$work/build" -DCMAKE_CXX_COMPILER="$nvcc" \
        -DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_ARCHITECTURES=80
    status 'build' 0 cmake --build "$work/build"
    status 'demo' 0 "$work/build/demo"
    grep -q ': right$' "$work/out" || fail "cmake: $(cat "$work/out")"
fi
exit $((failed > 0))
