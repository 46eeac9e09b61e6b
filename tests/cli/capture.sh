#!/bin/bash
# Does a captured program hold what its kernels do?  Counts of warp instructions against what follows from
# the source (tests/data/capture/kernels.cl), the shipped trace against closed forms, and what must be
# refused.  Without Oclgrind or the plugin only the shipped trace is looked at; then the status is 77.
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

# counts TRACE FILTER WANTED [OPTION...]: what `trace info` says of the whole program
counts() {
    local trace=$1 filter=$2 wanted=$3 got
    shift 3
    got=$("$plumb" trace info --json "$@" "$trace" | jq -c ".total | $filter")
    [ "$got" = "$wanted" ] || fail "$trace: $filter is $got, expected $wanted"
}

# --- the fast Walsh transform of 2^18 floats: 18 launches, 2^17 butterflies each, two loads and two stores
# per butterfly; every launch touches the whole megabyte
fwt=configs/workloads/fwt.plt
"$plumb" trace check "$fwt" > /dev/null || fail "$fwt is damaged"
counts "$fwt" '[.launches, .ctas, .warps]' "[18,$((18 * 512)),$((18 * 2048))]"
counts "$fwt" '[.mix.load, .mix.store, .mix.exit]' "[$((36 * 2048)),$((36 * 2048)),$((18 * 2048))]"
counts "$fwt" '[.mix.fp32, .active_lanes, .lines, .sectors]' "[$((36 * 2048)),1,8192,32768]"

plugin=${PLUMB_PLUGIN_DIR:-$(dirname "$plumb")/trace/oclgrind}/libplumb_capture.so
if ! command -v oclgrind-kernel > /dev/null || [ ! -f "$plugin" ]; then
    [ $failed -eq 0 ] || exit 1
    echo "capture itself not tested: Oclgrind or $plugin is missing"
    exit 77
fi

# capture NAME [OPTION...]: the kernel NAME to $work/NAME.plt
capture() {
    local name=$1
    shift
    (cd tests/data/capture && "$plumb" trace capture -o "$work/$name.plt" "$@" -- oclgrind-kernel \
        "$name.sim") > "$work/out" 2> "$work/err" || fail "$name: $(tail -n 1 "$work/err")"
}
sums='[.warps, .mix.load, .mix.store, .mix.atomic, .mix.shared_load, .mix.shared_store, .mix.barrier, .mix.exit]'

# 16 warps; work-items from 1,000 on do nothing: 1,000 x 4 bytes are 125 sectors
capture guarded
counts "$work/guarded.plt" "$sums" '[16,16,16,0,0,0,0,16]'
counts "$work/guarded.plt" .sectors 250

# --unroll 1 changes nothing; what it does otherwise stands in the trace
cp "$work/guarded.plt" "$work/plain.plt"
capture guarded --unroll 1
cmp -s "$work/guarded.plt" "$work/plain.plt" || fail '--unroll 1: another trace than without'
capture guarded --unroll 4
counts "$work/guarded.plt" "$sums" '[16,16,16,0,0,0,0,16]'
"$plumb" trace info "$work/guarded.plt" > "$work/out"
grep -q '^made from: .*guarded.sim (loops unrolled by 4, loads first)$' "$work/out" || fail 'info does not name --unroll'

# 16 tiles of 4 warps
capture transposed
counts "$work/transposed.plt" "$sums" '[64,64,64,0,64,64,64,64]'

# each warp has a lane with six rounds: 1 + 2 + ... + 6 loads
capture triangular
counts "$work/triangular.plt" "$sums" "[16,$((16 * 21)),16,0,0,0,0,16]"

# 4 CTAs of 4 warps; global atomics by each warp and at the end by one warp of each CTA, local ones (shared
# stores) by each warp beside the store of the zero
capture counted
counts "$work/counted.plt" "$sums" '[16,0,0,20,4,20,32,16]'

# 4 warps: a vector load of two parts, a constant, a private array; 16 private stores and one of 16 bytes
capture mixed
counts "$work/mixed.plt" "$sums" "[4,$((4 * 4)),$((4 * 17)),0,0,0,0,4]"

# 4 warps, 8 private elements of 8 bytes in each lane, each its own; one of them is written beside
capture privately
counts "$work/privately.plt" "$sums" "[4,4,$((4 * 9)),0,0,0,0,4]"
counts "$work/privately.plt" .sectors $((256 * 9 * 8 / 32))

# 64 lanes wide read by halves is what a capture 32 lanes wide records
for name in guarded transposed triangular counted; do
    narrow=$work/narrow.json
    capture $name
    "$plumb" trace info --json --width 32 "$work/$name.plt" | jq -S .total > "$work/wide.json"
    capture $name --width 32
    "$plumb" trace info --json "$work/$name.plt" | jq -S .total > "$narrow"
    cmp -s "$work/wide.json" "$narrow" || fail "$name: 32 lanes wide is not 64 lanes wide by halves"
done

# twice the same; a host program of our own, where it was built
fwt_program=$(dirname "$plumb")/workloads/fwt
if [ -x "$fwt_program" ]; then
    for i in 1 2; do
        "$plumb" trace capture -o "$work/fwt$i.plt" -- "$fwt_program" 4096 > "$work/out" 2>&1 ||
            fail "fwt: $(tail -n 1 "$work/out")"
    done
    cmp -s "$work/fwt1.plt" "$work/fwt2.plt" || fail "two captures differ"
    counts "$work/fwt1.plt" '[.launches, .warps, .mix.load, .mix.store]' '[12,384,768,768]'
    "$plumb" trace capture -o "$work/part.plt" --launches 3-5 --kernel fwt_stage -- "$fwt_program" 4096 \
        > "$work/out" 2>&1 || fail "a part of fwt: $(tail -n 1 "$work/out")"
    counts "$work/part.plt" .launches 3
fi

# refused NAME TEXT ARGUMENT...: no trace, nothing left behind, the reason in the last line
refused() {
    local name=$1 text=$2
    shift 2
    mkdir "$work/refused"
    (cd tests/data/capture && "$plumb" trace capture -o "$work/refused/x.plt" "$@") > "$work/out" 2>&1 &&
        fail "$name: was captured"
    tail -n 1 "$work/out" | grep -qE "^plumb: .*$text" || fail "$name: says $(tail -n 1 "$work/out")"
    [ -z "$(ls -A "$work/refused")" ] || fail "$name: left $(ls -A "$work/refused")"
    rm -r "$work/refused"
}
refused 'work-group copy' 'async_work_group_copy' -- oclgrind-kernel copied.sim
refused 'kernel given up' 'Oclgrind gave up: Undefined' -- oclgrind-kernel broken.sim
refused 'failing program' 'exit status 3' -- sh -c 'exit 3'
refused 'killed program' 'signal 9' -- sh -c 'kill -9 $$'
refused 'no OpenCL' 'no OpenCL device' -- true
refused 'not there' 'cannot be started' -- ./nowhere
refused 'no launch chosen' 'none of the program' --kernel other -- oclgrind-kernel guarded.sim
refused 'width' 'allowed are 32, 64' --width 48 -- true
refused 'launches' 'from 0' --launches 5-3 -- true

[ $failed -eq 0 ] && echo "captures: all as counted by hand"
exit $((failed > 0))
