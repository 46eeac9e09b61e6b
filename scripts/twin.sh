#!/bin/bash
# Compiles OpenCL programs of workloads/ with their kernels as CUDA: each the program's twin, with the same
# kernels, data and check of results, which runs without OpenCL.
#   scripts/twin.sh FOLDER NAME...     makes FOLDER/NAME of each
# PLUMB (build/opt/plumb). Refused: kernels with arguments in local memory, which CUDA has not.
set -euo pipefail
cd "$(dirname "$0")/.."
plumb=${PLUMB:-build/opt/plumb}
folder=$1
shift
mkdir -p "$folder/common"

# A pointer to local memory is a plain pointer in CUDA; a function of a kernel's file is one of the device.
spell() {
    sed -E \
        -e 's/__local (const )?([a-z0-9]+ ?\(?\*)/\1\2/g' -e 's/__local ([a-z0-9]+ [a-z_0-9]+(\[|;|,))/__shared__ \1/g' \
        -e 's/^__constant ([^*]*;|[^*]*\{|[^*]*=)/__constant__ const \1/' -e 's/__constant (const )?/const /g' -e 's/__global //g' \
        -e 's/\(((float|u?int|u?char|u?short)[0-9]+)\)\(/TWIN_MAKE(\1, /g' \
        -e 's/__attribute__\(\(reqd_work_group_size\(([0-9A-Z]+), ([0-9A-Z]+), ([0-9A-Z]+)\)\)\)/__launch_bounds__(\1 * \2 * \3)/' \
        -e 's/__kernel/extern "C" __global__/' \
        -e '/^(INLINE |__attribute__\(\(always_inline\)\) |static |inline )*(void|bool|(float|u?int|u?char|u?short|double)[0-9]*|struct [a-z]+) [a-z_0-9]+\(/s/^/__device__ /' "$1"
}

for source in workloads/common/*.c; do
    object=$folder/common/$(basename "$source").o
    [ "$object" -nt "$source" ] || "$plumb" cc -c -O2 -Iworkloads -DCL_USE_DEPRECATED_OPENCL_1_2_APIS \
        -DPLUMB_WORKLOADS_DIR="\"$PWD/workloads\"" -DPLUMB_KERNELS_FROM_BINARY='"."' "$source" -o "$object"
done
host=$folder/common/opencl_host.o
[ "$host" -nt workloads/twin/opencl_host.cpp ] ||
    "$plumb" cc -c -O2 workloads/twin/opencl_host.cpp -o "$host"
for name; do
    { echo '#include "twin/opencl_c.h"'; echo "#line 1 \"$name.cl\""; spell "workloads/$name/$name.cl"; } > "$folder/$name.cu"
    "$plumb" cc -c -O3 -Iworkloads "$folder/$name.cu" -o "$folder/$name.cu.o"
    "$plumb" cc -c -O2 -Iworkloads -DCL_USE_DEPRECATED_OPENCL_1_2_APIS "workloads/$name/$name.c" -o "$folder/$name.c.o"
    "$plumb" cc "$folder/$name.cu.o" "$folder/$name.c.o" "$folder"/common/*.o -Xlinker --export-dynamic -ldl -lm \
        -o "$folder/$name"
done
