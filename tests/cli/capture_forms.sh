#!/bin/bash
# Do captured kernels that part on purpose (tests/data/capture/diverging.cl) execute what their source
# says: formulas beside each, 64 lanes wide and 32.  Then acquire and release, dependences between
# loads, lists of launches and ranges of CTAs on every engine.  Status 77 without Oclgrind or the plugin.
source "$(dirname "${BASH_SOURCE[0]}")/workloads.bash"
needs
kernels=$(realpath tests/data/capture)/diverging.cl

# take NAME WIDTH KERNEL WORK_ITEMS ARGUMENT...: captures a launch with CTAs of 128
take() {
    local name=$1 width=$2 kernel=$3 items=$4
    shift 4
    printf '%s\n' "$kernels" "$kernel" "$items 1 1" '128 1 1' "$@" > "$work/$name.sim"
    "$plumb" trace capture -o "$work/$name.plt" --width "$width" -- oclgrind-kernel "$work/$name.sim" \
        > "$work/out" 2> "$work/err" || fail "$name: $(tail -n 1 "$work/err")"
    "$plumb" trace info --json "$work/$name.plt" > "$work/$name.json"
}

# is NAME FILTER WANTED: of the whole program
is() {
    local got
    got=$(jq -c ".total | $2" "$work/$1.json")
    [ "$got" = "$3" ] || fail "$1: $2 is $got, expected $3"
}
total() {
    jq .total.mix "$work/$1.json" | jq add
}

# The switch on two bits is what Oclgrind gets wrong when LLVM cuts the integer down to them: refused.
printf '%s\n' "$kernels" narrowed '512 1 1' '128 1 1' '<size=2048 int fill=0>' > "$work/narrowed.sim"
"$plumb" trace capture -o "$work/narrowed.plt" -- oclgrind-kernel "$work/narrowed.sim" > "$work/out" 2>&1 &&
    fail 'a wrong computation of Oclgrind was captured'
grep -q '^plumb: Oclgrind 21.10 computes with more than 2 bits' "$work/out" ||
    fail "narrowed: says $(tail -n 1 "$work/out")"
[ ! -e "$work/narrowed.plt" ] || fail 'narrowed: a trace was left'
OCLGRIND_BUILD_OPTIONS=-cl-opt-disable take narrowed 64 narrowed 512 '<size=2048 int fill=0>'
is narrowed '[.mix.atomic, .lane_mix.atomic]' '[120,1920]'

items=512
buffer="<size=$((4 * items)) int fill=0>"
for width in 64 32; do
    warps=$((items / width))

    # if: both sides in every warp, or one in each
    take by_lane $width parity $items "$buffer" "$buffer" '<size=4 int> 0'
    take by_warp $width parity $items "$buffer" "$buffer" '<size=4 int> 6'
    is by_lane '[.mix.atomic, .mix.store, .mix.exit]' "[$warps,$warps,$warps]"
    is by_warp '[.mix.atomic, .mix.store, .mix.exit]' "[$((warps / 2)),$((warps / 2)),$warps]"

    # a loop runs as often as the slowest lane of the warp, and each round costs the same
    for n in 2 8 32; do
        take rounds$n $width rounds $items "$buffer" "<size=4 int> $n"
        is rounds$n '[.mix.atomic, .mix.exit]' "[$((warps * (n - 1))),$warps]"
    done
    first=$(($(total rounds8) - $(total rounds2))) second=$(($(total rounds32) - $(total rounds8)))
    [ $((first % (6 * warps))) -eq 0 ] && [ $((first * 24)) -eq $((second * 6)) ] ||
        fail "rounds: 6 cost $first, 24 cost $second in $warps warps"

    # loops in loops: three outer rounds, in each the slowest lane has seven inner ones
    take nested $width nested $items "$buffer" "$buffer"
    is nested '[.mix.atomic, .mix.store, .mix.exit]' "[$((warps * 21)),$((warps * 3)),$warps]"

    # switch: all four ways in each warp, or one
    take cases $width chosen $items "$buffer" '<size=4 int> 0'
    take case $width chosen $items "$buffer" '<size=4 int> 6'
    is cases '[.mix.atomic, .mix.exit]' "[$((warps * 15)),$warps]"
    is case '[.mix.atomic, .mix.exit]' "[$((warps / 4 * 15)),$warps]"

    # fences of reads acquire, of writes release; both, or of local memory alone: fences
    take ordered $width ordered $items "$buffer" "$buffer"
    is ordered '[.mix.acquire, .mix.release, .mix.fence, .mix.store]' \
        "[$warps,$((2 * warps)),$((3 * warps)),$((6 * warps))]"
done

# Loads that need the one before come one after the other; loads of known places overlap: the same lines
# from memory, eight times the latency or little more than one.
cycles() {
    "$plumb" simulate qv100 "$work/$1.plt" --set sm.launch_cycles=0 --json | jq .cycles
}
big='<size=32768 int range=0:1:8191>'
take chain 32 chain 128 '<size=512 int fill=0>' "$big"
take apart 32 apart 128 '<size=512 int fill=0>' "$big"
is chain '[.mix.load, .mix.store]' '[32,4]'
is apart '[.mix.load, .mix.store]' '[32,4]'
chain=$(cycles chain) apart=$(cycles apart)
[ "$chain" -gt $((3 * apart)) ] || fail "eight dependent loads take $chain cycles, independent ones $apart"

# Launches by list, kernels by name; the last word is the program's own.
if [ -x "$programs/fwt" ]; then
    "$plumb" trace capture -o "$work/some.plt" --launches 1,3,5-7 -- "$programs/fwt" 4096 > "$work/out" 2>&1 ||
        fail "a list of launches: $(tail -n 1 "$work/out")"
    "$plumb" trace info "$work/some.plt" > "$work/out"
    grep -q 'made from: .*fwt 4096 (of it launches 1,3,5-7)$' "$work/out" || fail "info says: $(sed -n 3p "$work/out")"
    [ "$("$plumb" trace info --json "$work/some.plt" | jq .total.launches)" = 5 ] || fail "not five launches"
    "$plumb" trace capture -o "$work/named.plt" --kernel fwt_stage --kernel other -- "$programs/fwt" 4096 \
        > "$work/out" 2>&1 || fail "two kernels: $(tail -n 1 "$work/out")"
    grep -q 'warning: no launch of a kernel other' "$work/out" || fail 'a kernel that is not there: no warning'

    # two CTAs of each launch, on every engine
    "$plumb" trace capture -o "$work/two.plt" --ctas 3-4 -- "$programs/fwt" 4096 > "$work/out" 2>&1 ||
        fail "a range of CTAs: $(tail -n 1 "$work/out")"
    for engine in estimate sample simulate; do
        "$plumb" $engine rx540 "$work/two.plt" --json > "$work/answer" 2> "$work/err" ||
            fail "$engine: $(tail -n 1 "$work/err")"
        jq -e '.cycles > 0' "$work/answer" > "$work/out" || fail "$engine: no cycles"
    done
    [ "$(jq .warp_instructions "$work/answer")" = \
        "$("$plumb" trace info --json "$work/two.plt" | jq '.total.mix | add')" ] || fail 'not all was simulated'
fi

finish 'parting kernels execute what their source says'
