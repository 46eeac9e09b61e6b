#!/bin/bash
# plumb machine new: cards from their data sheets have the data sheets' figures, load as machines and run; mistakes are
# answered with what is meant.
set -u
plumb=$(realpath "${PLUMB:-build/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

# NAME LIKE GB/s TFLOP/s OPTION...: what `machine check` derives is within 1 % of the data sheet.
card() {
    local name=$1 like=$2 gbps=$3 tflops=$4
    shift 4
    status "$name" 0 "$plumb" machine new "$name" --like "$like" "$@" --gbps "$gbps" --tflops "$tflops" \
        -o "$work/$name.cfg"
    cp "$work/err" "$work/report.$name"
    grep -q warning "$work/err" && fail "$name: $(grep warning "$work/err")"
    "$plumb" machine check "$work/$name.cfg" > "$work/check" || fail "$name does not load"
    awk -v g="$gbps" -v t="$tflops" '$1 == "peak_gbps" { a = $2 / g } $1 == "fp32_tflops" { b = $2 / t }
        END { exit !(a > 0.99 && a < 1.01 && b > 0.99 && b < 1.01) }' "$work/check" || fail "$name: $(cat "$work/check")"
}
# Data sheets of the L4, the A10, the RTX A6000 and the T4; whitepaper of the Tesla P100.
card l4 l40 300 30.3 --sms 58 --clock 2040 --memory gddr6:12x16gbit@12.5 --l2 48 --gb 24
card p100 v100 732 9.5 --sms 56 --clock 1329 --memory hbm2:32x4gbit@1.43 --l2 4 --l1 24 --shared 64 --gb 16
card a10 a40 600 31.2 --sms 72 --clock 1695 --memory gddr6:24x8gbit@12.5 --l2 6 --gb 24
card t4 t4 320 8.1 --sms 40 --clock 1590 --memory gddr6:16x8gbit@10 --l2 4 --gb 16
card rtx5090 rtx4090 1792 104.8 --sms 170 --clock 2407 --memory gddr7:64x4gbit@28 --l2 96 --gb 32
card rtx2080ti t4 616 13.4 --sms 68 --clock 1545 --memory gddr6:22x4gbit@14 --l2 5.5 --gb 11
card a6000 a40 768 38.7 --sms 84 --clock 1800 --memory gddr6:24x16gbit@16 --l2 6 --gb 48

# Of base and boost clock the geometric mean is taken; FLOP/s are compared at the boost clock.
status 'base clock' 0 "$plumb" machine new l4-held --like l40 --sms 58 --clock 2040 --base-clock 795 --tflops 30.3 \
    --matrix-tflops 121 -o "$work/l4-held.cfg"
grep -q 'core_mhz = 1275' "$work/l4-held.cfg" || fail 'not the mean of base and boost clock'
grep -q 'FP32, TFLOP/s  *30.28' "$work/err" || fail 'FLOP/s are not those of the boost clock'

# What streams reach is the share of the peak that the memory delivers; the peak stays the data sheet's.
status 'streams' 0 "$plumb" machine new p100-streams --like v100 --memory hbm2:32x4gbit@1.43 --gbps 732 --stream-gbps 549 \
    -o "$work/p100-streams.cfg"
grep -q 'delivered = 0.750' "$work/p100-streams.cfg" || fail 'streams set no share of the peak'
grep -q 'memory bandwidth, GB/s  *732' "$work/err" || fail 'the peak is not that of the pins'

# Slices that are no power of two are dealt by a rule for any number, and that is said.
grep -q '44 L2 slices are no power of two' "$work/report.rtx2080ti" || fail 'rtx2080ti: nothing is said of its slices'
grep -q ' banks *= 44;' "$work/rtx2080ti.cfg" || fail 'rtx2080ti: not two slices a channel'

# A pool of another size leaves the L1 what shared memory does not take.
status 'pool' 0 "$plumb" machine new pool --like rtx3090 --l1 96 -q -o "$work/pool.cfg"
show=$("$plumb" machine show "$work/pool.cfg")
for line in 'unified_kb = 96' 'shared_options_kb = [20, 32, 64]' 'shared_kb = 64' ' kb = 32'; do
    grep -qF "$line" <<< "$show" || fail "pool: no $line"
done

# What the file says is in the machine, and with its grade.
show=$("$plumb" machine show "$work/p100.cfg")
for line in 'count = 56' 'kb = 24' 'adaptive = false' 'shared_kb = 64' 'channels = 32'; do
    grep -qF "$line" <<< "$show" || fail "p100: no $line"
done
grep -q 'clock_mhz = 715' <<< "$show" || fail 'p100: pins of 1.43 Gb/s have a clock of 715 MHz'
grep -q 'count = 56.*vendor' <<< "$show" || fail 'p100: the number of SMs has no grade'
"$plumb" simulate "$work/p100.cfg" ml/softmax --p rows=8 --p width=256 > /dev/null 2>&1 || fail 'p100 does not run'

# Half or twice the rate of matrix units is set, and told.
"$plumb" machine new l4 --like l40 --sms 58 --clock 2040 --matrix-tflops 121 -o "$work/rate.cfg" 2> "$work/report"
grep -q 'matrix_tflops *121' <("$plumb" machine check "$work/rate.cfg") || fail 'matrix units at twice the rate are not set'

"$plumb" machine new t4 --like l40 --sms 40 --clock 1590 --tflops 8.1 --matrix-tflops 65 -o "$work/rates.cfg" 2> "$work/report"
grep -q 'sm.units.fp32.interval = 2 gives' "$work/report" || fail 'nothing is said of half the lanes'
grep -q 'fp32_tflops *8.1' <("$plumb" machine check "$work/rates.cfg") || fail 'half the lanes are not set'

# Times of the memory stay what they are in ns at another rate; a set by rate is the set of that rate.
tns() { "$plumb" machine check "$1" | awk '$1 == "trcd_ns" { print $2 }'; }
awk -v a="$(tns "$work/l4.cfg")" -v b="$(tns l40)" 'BEGIN { exit !(a > b * 0.95 && a < b * 1.05) }' || fail 'times in ns moved'
set_of() { "$plumb" machine show l40 --set "dram.set=$1" | sed "s/#.*//"; }
cmp -s <(set_of gddr6@18) <(set_of gddr6-18000) ||
    fail 'gddr6@18 is not gddr6-18000'

# MISTAKE PATTERN OPTION...
mistake() {
    local what=$1 pattern=$2
    shift 2
    "$plumb" machine new x --like l40 "$@" -o "$work/x.cfg" > "$work/said" 2>&1
    grep -qE "$pattern" "$work/said" || fail "$what: $(grep -v '^  ' "$work/said")"
}
mistake 'bus width for channels' '192 bits are 12 channels' --memory gddr6:192x16gbit@18
mistake 'GB for Gbit' 'GB taken for Gbit\? A channel would have 16 Gbit; write 12x16gbit' --memory gddr6:12x2gbit@18 --gb 24
mistake 'GB as a unit' '1 GB has 8: 16gbit' --memory gddr6:12x2GB@18
mistake 'base for boost clock' 'they need 204[0-9] MHz \(the base for the boost' --sms 58 --clock 1200 --tflops 30.3
mistake 'another rate' 'its pins would carry 12.5 Gb/s' --memory gddr6:12x16gbit@18 --gbps 300
mistake 'MT/s for Gb/s' 'as MT/s it is @18' --memory gddr6:12x16gbit@18000
mistake 'lanes for SMs' '7424 lanes are 58 SMs' --sms 7424
mistake 'GHz for MHz' 'would be --clock 2040' --clock 2.04
mistake 'KB for MB' 'would be --l2 48' --l2 49152
mistake 'no such kind' 'no such kind; .*gddr6x' --memory gddr9:12x16gbit@18
mistake 'a rate of no such memory' 'gddr6 has 10 to 24' --memory gddr6:12x16gbit@6
mistake 'sparsity' 'with sparsity' --sms 58 --clock 2040 --matrix-tflops 121
mistake 'shared memory alone' 'say --l1 too' --shared 64
mistake 'two channels a device for four' 'its channels be 64' --memory gddr7:32x4gbit@28 --gbps 1792
mistake 'slices that do not fit' '16 L2 slices, for the 32 that go with 8 channels' --memory gddr6:8x16gbit@18 --l2 0.03125
mistake 'an L2 that goes into no slices' 'near 92 beside 23 channels' --memory gddr6:23x16gbit@18 --l2 5.5
mistake 'boost for base clock' 'one taken for the other' --clock 795 --base-clock 2040
mistake 'GHz for MHz, base clock' 'would be --base-clock 795' --clock 2040 --base-clock 0.795
mistake 'a base clock alone' 'one taken for the other' --base-clock 795
mistake 'streams above the peak' 'more than the memory' --memory hbm2:32x4gbit@1.43 --stream-gbps 800
mistake 'a unit' 'without a unit' --clock 2040MHz
mistake 'nothing' 'nothing differs from l40'
status 'no card' 2 "$plumb" machine new x --sms 3
status 'no name' 2 "$plumb" machine new --like l40 --sms 3
exit $((failed > 0))
