#!/bin/bash
# Can programs that nobody here wrote be captured, unchanged?  CLBlast's tests and tuner, clFFT's client and
# examples, ViennaCL's and Boost.Compute's examples, as Debian 12 ships them (scripts/deps.sh --capture
# --thirdparty).  Each trace must be whole, run on rx540 in both engines, and count what follows from the
# algorithm; work-items' accesses, not transactions.  Status 77 where packages, Oclgrind or the plugin are
# missing.
source "$(dirname "${BASH_SOURCE[0]}")/workloads.bash"
boost=/usr/share/doc/libboost1.74-doc/examples/libs/compute/example
clfft=/usr/share/doc/libclfft-dev/examples
viennacl=/usr/share/doc/libviennacl-dev/html

missing=''
for needed in /usr/bin/oclgrind-kernel "$plugin" /usr/bin/clblast_test_xaxpy /usr/bin/clFFT-client \
    /usr/bin/g++ $boost/vector_addition.cpp $clfft/fft1d.c /usr/include/viennacl/vector.hpp \
    $viennacl/blas1_8cpp-example.html; do
    [ -e "$needed" ] || missing+=" $needed"
done
if [ -n "$missing" ]; then
    echo "other people's programs not tested, missing:$missing"
    exit 77
fi
cd "$work" || exit 1 # tuners write files

# taken NAME PROGRAM ARGUMENT...: captured, whole, answered by both engines
taken() {
    local name=$1
    shift
    echo '{}' > "$name.json"
    if ! timeout 600 "$plumb" trace capture -o "$name.plt" -- "$@" > out 2> err; then
        fail "$name: $(tail -n 1 err)"
        return
    fi
    "$plumb" trace check "$name.plt" > out 2>&1 || fail "$name: $(tail -n 1 out)"
    "$plumb" trace info --json "$name.plt" > "$name.json"
    "$plumb" simulate rx540 --json "$name.plt" > simulated 2> err || fail "$name: $(tail -n 1 err)"
    "$plumb" estimate rx540 --json "$name.plt" > estimated 2> err || fail "$name: $(tail -n 1 err)"
    # both count the trace's own instructions, and neither takes no time
    [ "$(jq '.total.warp_instructions' "$name.json")" = "$(jq .warp_instructions simulated)" ] &&
        [ "$(jq .warp_instructions simulated)" = "$(jq .warp_instructions estimated)" ] &&
        jq -e '.cycles > 0 and .l1.accesses > 0' simulated > /dev/null ||
        fail "$name: the engines do not count the trace's instructions"
}

# between NAME CLASS LEAST MOST
between() {
    local got
    got=$(lanes "$1" "$2")
    [ "$got" -ge "$3" ] && [ "$got" -le "$4" ] || fail "$1: $got x $2, expected $3 to $4"
}

# bytes NAME LOADED STORED: what all work-items read and wrote, in global and constant memory
bytes() {
    local got
    got=$(jq -c '.total.coalescing | [.loads.bytes, .stores.bytes]' "$1.json")
    [ "$got" = "[$2,$3]" ] || fail "$1: $got bytes, expected [$2,$3]"
}

# CLBlast's vectors have 7, 93, 144 and 4,096 elements of 4, 8, 8 and 16 bytes, and strides of 1, 2 and 7:
# 9 pairs of them.  Elements are read and written once, but a complex one is written twice where its parts
# are assigned one after the other, which axpy does unless both strides are 1.
n=$((7 + 93 + 144 + 4096)) size=$((4 + 8 + 8 + 16)) complex=$((8 + 16))
taken xcopy clblast_test_xcopy
bytes xcopy $((9 * n * size)) $((9 * n * size))
taken xswap clblast_test_xswap
bytes xswap $((2 * 9 * n * size)) $((2 * 9 * n * size))
taken xaxpy clblast_test_xaxpy
bytes xaxpy $((2 * 9 * n * size)) $((9 * n * size + 8 * n * complex))

# Products of 32 x 32 matrices, in as many ways as the tuner tries, other ones in each run: a write per element
# of the result, 2 x 32^3 operations and three per element, or fewer where multiply-adds are one
taken xgemm clblast_tuner_xgemm_direct -m 32 -n 32 -k 32 -fraction 400 -runs 1
ways=$(jq .total.launches xgemm.json)
[ "$ways" -gt 10 ] || fail "xgemm: $ways ways"
between xgemm fp32 $((ways * 32768)) $((ways * (2 * 32768 + 3 * 1024)))
expect xgemm store $((ways * 1024))

# Transforms of N points, B of them: all written once, two complex numbers at a time.  Operations: no more
# than radix 2 takes, 5 N log2 N, no less than the split radix, 4 N log2 N - 6 N.
fft() { # fft NAME N LOG2 B
    taken "$1" clFFT-client -x "$2" -b "$4"
    expect "$1" store $(($2 * $4 / 2))
    between "$1" fp32 $(((4 * $3 - 6) * $2 * $4)) $((5 * $2 * $3 * $4))
}
fft fft1024 1024 10 1
fft fft4096 4096 12 4
taken plane clFFT-client -x 64 -y 64 # rows, transposed, columns, transposed
expect plane store $((2 * 64 * 64)) fft_fwd
for name in fft1d fft2d fft3d; do
    cc -O1 -w -o $name $clfft/$name.c -lclFFT -lOpenCL -lm 2> err || fail "$name: $(tail -n 1 err)"
    taken $name ./$name
done

# Boost.Compute: 4 sums; 10,000 square roots.  They release OpenCL objects after main, and take a device that
# says that it is a processor for one with a single work-item.
boost_example() {
    g++ -w -DCL_TARGET_OPENCL_VERSION=120 -o "$1" "$boost/$1.cpp" -lOpenCL 2> err &&
        taken "$1" "./$1" || fail "$1: $(tail -n 1 err)"
}
boost_example vector_addition
expect vector_addition load 8
expect vector_addition store 4
expect vector_addition fp32 4
boost_example transform_sqrt
expect transform_sqrt load 10000
expect transform_sqrt store 10000
expect transform_sqrt sfu 10000
jq -e '.total.active_lanes > 0.9' transform_sqrt.json > /dev/null || fail "transform_sqrt: few work-items"

# ViennaCL ships its examples as listings: markup out, the rest as it is
grep '<div class="line">' $viennacl/examples_2tutorial_2blas1_8cpp_source.html | sed -E \
    's/<span class="lineno">[^<]*<\/span>//; s/^Go to the docu[^.]*\.//; s/<[^>]*>//g; s/&#160;/ /g
     s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#39;/'"'"'/g; s/&amp;/\&/g' > blas1.cpp
sed -i '1s/^[^/]*//' blas1.cpp
g++ -w -DVIENNACL_WITH_OPENCL -DCL_TARGET_OPENCL_VERSION=120 -o blas1 blas1.cpp -lOpenCL 2> err ||
    fail "ViennaCL's blas1: $(tail -n 1 err)"
taken blas1 ./blas1
expect blas1 store 20 swap # two vectors of 10
expect blas1 load 20 swap

finish "other people's programs are captured and counted"
