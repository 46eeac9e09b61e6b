#!/bin/bash
# Do the workloads of the APP SDK's kind (dense matrices, transforms, sorting, random numbers, options,
# pictures) read and write what their algorithms say?  Each is captured at its smallest and its loads and
# stores, counted per work-item, are compared with the formula beside it; a vector of 16 bytes counts once.
# Status 77 without Oclgrind, the plugin or the programs.
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
programs=$(dirname "$plumb")/workloads
plugin=${PLUMB_PLUGIN_DIR:-$(dirname "$plumb")/trace/oclgrind}/libplumb_capture.so
if ! command -v oclgrind-kernel > /dev/null || [ ! -f "$plugin" ] || [ ! -x "$programs/matmul" ]; then
    echo "workloads not tested: Oclgrind, $plugin or $programs is missing"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# capture NAME ARGUMENT...: to $work/NAME.json
capture() {
    local name=$1
    shift
    if ! "$plumb" trace capture -o "$work/$name.plt" -- "$programs/$name" "$@" > "$work/out" 2>&1; then
        echo "FAIL $name: $(tail -n 1 "$work/out")"
        failed=$((failed + 1))
    fi
    "$plumb" trace info --json "$work/$name.plt" > "$work/$name.json"
}

# lanes NAME KERNEL LOADS STORES [SHARED_LOADS SHARED_STORES]: what the work-items of the kernel did
lanes() {
    local name=$1 kernel=$2 filter='.load, .store' wanted got
    [ $# -le 4 ] || filter+=', .shared_load, .shared_store'
    shift 2
    wanted=$(IFS=,; echo "[$*]")
    got=$(jq -c ".kernels[] | select(.kernel == \"$kernel\") | .lane_mix | [$filter]" "$work/$name.json")
    [ "$got" = "$wanted" ] && return
    echo "FAIL $name: $kernel: loads and stores are $got, expected $wanted"
    failed=$((failed + 1))
}

# Matrix product: (n / 4)^2 work-items read 8 vectors in each of n / 4 rounds and write 4; by tiles, A is
# stored to local memory once per 32 columns (4 reads) and read there.
n=64
blocks=$((n * n / 16))
capture matmul $n
lanes matmul matmul $((blocks * 8 * n / 4)) $((blocks * 4)) 0 0
capture matmul $n 1
lanes matmul matmul_tiled $((blocks * (n / 32) * (4 + 32))) $((blocks * 4)) \
    $((blocks * n)) $((blocks * n / 8))

# Transpose: n x n elements, by four through local memory or one by one
capture transpose $n
v=$((n * n / 4))
lanes transpose transpose_tiled $v $v $v $v
capture transpose $n 1
lanes transpose transpose_naive $((n * n)) $((n * n)) 0 0

# Reduction: n / 4 vectors, one result per 2,048 elements; a tree of 255 sums per group, two reads and a
# write each, beside the 256 writes before and the read after
n=8192 groups=4
capture reduction $n
lanes reduction reduction $((n / 4)) $groups $((groups * 511)) $((groups * 511))

# Scan: levels of n, n / 256, ... elements, each read and written once and a sum written per block; then all
# levels but the last again, with a sum read per element
n=1024 levels=$((1024 + 4)) blocks=$((4 + 1))
capture scan $n
lanes scan scan_blocks $levels $((levels + blocks))
lanes scan scan_add $((2 * n)) $n

# DCT: two sums of 8 products per element, the second with one factor from local memory
n=24
capture dct $n
lanes dct dct $((n * n * 24)) $((n * n)) $((n * n * 8)) $((n * n))

# Haar: each launch reads its samples and writes as many numbers; 2,048 samples leave 4, which leave 1.
# Shared: a block of m samples is written, m - 1 pairs are read and as many sums written, the last read.
capture dwthaar 2048
lanes dwthaar dwt_haar $((2048 + 4)) $((2048 + 4)) $((4 * (2 * 511 + 1) + 2 * 3 + 1)) \
    $((4 * (512 + 511) + 4 + 3))

# Mersenne twister: a seed per work-item, then `factor` vectors
n=512 factor=6
capture mersenne $n $factor
lanes mersenne mersenne $n $((n * factor)) 0 0

# Black-Scholes: four options in, four calls and four puts out
n=2048
capture blackscholes $n
lanes blackscholes black_scholes $((n / 4)) $((n / 2)) 0 0

# Histogram: words of 4 bytes; a local atomic (a shared store) per byte; 256 bins per group of 16,384 bytes
n=32768 groups=2
capture histogram $n
lanes histogram histogram_groups $((n / 4)) $((groups * 256)) $((groups * 256)) $((groups * 256 + n))
lanes histogram histogram_sum $((groups * 256)) 256 0 0

# Sobol: 32 direction numbers per group; an element reads one per set bit of its index: half of them
n=512 dimensions=5 bits=9
groups=$((n * dimensions / 256))
capture quasirandom $n $dimensions
lanes quasirandom quasi_random $((32 * groups)) $((n * dimensions)) $((n * dimensions * bits / 2)) \
    $((32 * groups))

# Sobel: eight neighbours of each pixel inside
width=48 height=32 inside=$((46 * 30))
capture sobel $width $height
lanes sobel sobel $((8 * inside)) $inside 0 0

# Convolution: along an axis n positions meet n s - r (r + 1) elements of a mask of side s = 2 r + 1
n=32 side=7 r=3
met=$((n * side - r * (r + 1)))
capture convolution $n $side
lanes convolution convolution $((2 * met * met)) $((n * n)) 0 0

# Floyd-Warshall: three reads per pair and step; each shorter way found writes two words
n=32
capture floydwarshall $n
got=$(jq '.total.lane_mix | [.load, .store % 2] == ['$((3 * n * n * n))', 0] and .store > 0' \
    "$work/floydwarshall.json")
[ "$got" = true ] || { echo "FAIL floydwarshall: loads are not 3 n^3"; failed=$((failed + 1)); }

# Binomial tree of s steps: s + 1 leaves read the option and write a leaf; s (s + 1) / 2 nodes read two and
# write one
options=12 steps=40
trees=$((options / 4)) nodes=$((steps * (steps + 1) / 2))
capture binomial $options $steps
lanes binomial binomial $((trees * (steps + 1))) $trees \
    $((trees * (2 * nodes + 1))) $((trees * (steps + 1 + nodes)))

# Recursive Gaussian: twice down (a read and a write) and up (two reads and a write), and two transposes
pixels=$((64 * 128))
capture recursivegaussian 64 128
lanes recursivegaussian blur_columns $((2 * 3 * pixels)) $((2 * 2 * pixels)) 0 0
lanes recursivegaussian transpose $((2 * pixels)) $((2 * pixels)) $((2 * pixels)) $((2 * pixels))

# Radix sort, four passes: keys read to count, and twice with a place each to move; 256 totals per group of
# 4,096 keys, which are read twice and written once to become places
n=8192
totals=$((256 * n / 4096))
capture radixsort $n
lanes radixsort radix_count $((4 * n)) $((4 * totals))
lanes radixsort radix_places $((4 * 2 * totals)) $((4 * totals))
lanes radixsort radix_move $((4 * 3 * n)) $((4 * n))

# URNG: a pixel in and out; a table of 16 written, one entry read
pixels=$((64 * 8))
capture urng 64 8
lanes urng urng $pixels $pixels $pixels $((16 * pixels))

# Eigenvalues: per round and interval its two ends, and for each the whole matrix of n + n - 1 numbers
n=64
capture eigenvalue $n
rounds=$(jq '.kernels[] | select(.kernel == "count_inside").launches' "$work/eigenvalue.json")
lanes eigenvalue count_inside $((rounds * n * (2 + 2 * (2 * n - 1)))) $((rounds * n)) 0 0

# What is not allowed is refused with the usage, in words.
for bad in 'matmul 33' 'scan 300' 'sobel 16 16 16' 'dct x' 'convolution 16 4'; do
    # shellcheck disable=SC2086
    "$programs/"$bad > "$work/out" 2>&1 && { echo "FAIL $bad was taken"; failed=$((failed + 1)); }
    grep -qE '^(usage|error): ' "$work/out" || { echo "FAIL $bad: no reason"; failed=$((failed + 1)); }
done

[ $failed -eq 0 ] && echo "workloads: loads and stores of eighteen programs as the algorithms say"
exit $((failed > 0))
