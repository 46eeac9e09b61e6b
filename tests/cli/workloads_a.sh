#!/bin/bash
# Do the workloads of the APP SDK's kind (dense matrices, transforms, sorting, random numbers, options,
# pictures) read and write what their algorithms say?  Each is captured at its smallest and its loads and
# stores, counted per work-item, are compared with the formula beside it; a vector of 16 bytes counts once.
# Status 77 without Oclgrind, the plugin or the programs.
source "$(dirname "${BASH_SOURCE[0]}")/workloads.bash"
needs matmul

# Matrix product: (n / 4)^2 work-items read 8 vectors in each of n / 4 rounds and write 4; by tiles, A is
# stored to local memory once per 32 columns (4 reads) and read there.
n=64
blocks=$((n * n / 16))
capture matmul $n
kernel matmul matmul $((blocks * 8 * n / 4)) $((blocks * 4)) 0 0
capture matmul $n 1
kernel matmul matmul_tiled $((blocks * (n / 32) * (4 + 32))) $((blocks * 4)) \
    $((blocks * n)) $((blocks * n / 8))

# Transpose: n x n elements, by four through local memory or one by one
capture transpose $n
v=$((n * n / 4))
kernel transpose transpose_tiled $v $v $v $v
capture transpose $n 1
kernel transpose transpose_naive $((n * n)) $((n * n)) 0 0

# Reduction: n / 4 vectors, one result per 2,048 elements; a tree of 255 sums per group, two reads and a
# write each, beside the 256 writes before and the read after
n=8192 groups=4
capture reduction $n
kernel reduction reduction $((n / 4)) $groups $((groups * 511)) $((groups * 511))

# Scan: levels of n, n / 256, ... elements, each read and written once and a sum written per block; then all
# levels but the last again, with a sum read per element
n=1024 levels=$((1024 + 4)) blocks=$((4 + 1))
capture scan $n
kernel scan scan_blocks $levels $((levels + blocks))
kernel scan scan_add $((2 * n)) $n

# DCT: two sums of 8 products per element, the second with one factor from local memory
n=24
capture dct $n
kernel dct dct $((n * n * 24)) $((n * n)) $((n * n * 8)) $((n * n))

# Haar: each launch reads its samples and writes as many numbers; 2,048 samples leave 4, which leave 1.
# Shared: a block of m samples is written, m - 1 pairs are read and as many sums written, the last read.
capture dwthaar 2048
kernel dwthaar dwt_haar $((2048 + 4)) $((2048 + 4)) $((4 * (2 * 511 + 1) + 2 * 3 + 1)) \
    $((4 * (512 + 511) + 4 + 3))

# Mersenne twister: a seed per work-item, then `factor` vectors
n=512 factor=6
capture mersenne $n $factor
kernel mersenne mersenne $n $((n * factor)) 0 0

# Black-Scholes: four options in, four calls and four puts out
n=2048
capture blackscholes $n
kernel blackscholes black_scholes $((n / 4)) $((n / 2)) 0 0

# Histogram: words of 4 bytes; a local atomic (a shared store) per byte; 256 bins per group of 16,384 bytes
n=32768 groups=2
capture histogram $n
kernel histogram histogram_groups $((n / 4)) $((groups * 256)) $((groups * 256)) $((groups * 256 + n))
kernel histogram histogram_sum $((groups * 256)) 256 0 0

# Sobol: 32 direction numbers per group; an element reads one per set bit of its index: half of them
n=512 dimensions=5 bits=9
groups=$((n * dimensions / 256))
capture quasirandom $n $dimensions
kernel quasirandom quasi_random $((32 * groups)) $((n * dimensions)) $((n * dimensions * bits / 2)) \
    $((32 * groups))

# Sobel: eight neighbours of each pixel inside
width=48 height=32 inside=$((46 * 30))
capture sobel $width $height
kernel sobel sobel $((8 * inside)) $inside 0 0

# Convolution: along an axis n positions meet n s - r (r + 1) elements of a mask of side s = 2 r + 1
n=32 side=7 r=3
met=$((n * side - r * (r + 1)))
capture convolution $n $side
kernel convolution convolution $((2 * met * met)) $((n * n)) 0 0

# Floyd-Warshall: three reads per pair and step; each shorter way found writes two words
n=32
capture floydwarshall $n
got=$(jq '.total.lane_mix | [.load, .store % 2] == ['$((3 * n * n * n))', 0] and .store > 0' \
    "$work/floydwarshall.json")
[ "$got" = true ] || fail 'floydwarshall: loads are not 3 n^3'

# Binomial tree of s steps: s + 1 leaves read the option and write a leaf; s (s + 1) / 2 nodes read two and
# write one
options=12 steps=40
trees=$((options / 4)) nodes=$((steps * (steps + 1) / 2))
capture binomial $options $steps
kernel binomial binomial $((trees * (steps + 1))) $trees \
    $((trees * (2 * nodes + 1))) $((trees * (steps + 1 + nodes)))

# Recursive Gaussian: twice down (a read and a write) and up (two reads and a write), and two transposes
pixels=$((64 * 128))
capture recursivegaussian 64 128
kernel recursivegaussian blur_columns $((2 * 3 * pixels)) $((2 * 2 * pixels)) 0 0
kernel recursivegaussian transpose $((2 * pixels)) $((2 * pixels)) $((2 * pixels)) $((2 * pixels))

# Radix sort, four passes: keys read to count, and twice with a place each to move; 256 totals per group of
# 4,096 keys, which are read twice and written once to become places
n=8192
totals=$((256 * n / 4096))
capture radixsort $n
kernel radixsort radix_count $((4 * n)) $((4 * totals))
kernel radixsort radix_places $((4 * 2 * totals)) $((4 * totals))
kernel radixsort radix_move $((4 * 3 * n)) $((4 * n))

# URNG: a pixel in and out; a table of 16 written, one entry read
pixels=$((64 * 8))
capture urng 64 8
kernel urng urng $pixels $pixels $pixels $((16 * pixels))

# Eigenvalues: per round and interval its two ends, and for each the whole matrix of n + n - 1 numbers
n=64
capture eigenvalue $n
rounds=$(jq '.kernels[] | select(.kernel == "count_inside").launches' "$work/eigenvalue.json")
kernel eigenvalue count_inside $((rounds * n * (2 + 2 * (2 * n - 1)))) $((rounds * n)) 0 0

# What is not allowed is refused with the usage, in words.
refused 'matmul 33' 'scan 300' 'sobel 16 16 16' 'dct x' 'convolution 16 4'

finish 'loads and stores of eighteen programs as the algorithms say'
