#!/bin/bash
# Does `plumb compare --with` set other machines beside the first as they are by themselves?
set -u
: "${PLUMB:?the program to test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

printf 'base = "rx570";\nclock : { l2_mhz = 400.0; };\n' > "$work/mine.cfg"

# --- each side is what its machine gives alone, in the order given; --set is for all, --vs for the second ---
alone() { # MACHINE OPTION...: its cycles
    "$PLUMB" estimate "$1" fwt "${@:2}" --json -q | jq .cycles
}
says -F 0 '' compare rx540 fwt --with rx570 --with "$work/mine.cfg" --vs l1.kb=32 --set l1.ways=8 --json -q
jq -r '.[].cycles' "$work/out" > "$work/sides"
{
    alone rx540 --set l1.ways=8
    alone rx540 --set l1.ways=8 --set l1.kb=32
    alone rx570 --set l1.ways=8
    alone "$work/mine.cfg" --set l1.ways=8
} > "$work/alone"
cmp "$work/sides" "$work/alone" || fail "the sides are not the machines: $(paste "$work/sides" "$work/alone")"
[ "$(sort -u "$work/alone" | wc -l)" = 4 ] || fail 'the machines do not differ, so nothing was tested'
[ "$(jq -c '[.[].machine]' "$work/out")" = '["rx540","rx540","rx570","mine"]' ] || fail 'other names'

# --- tables: two machines are explained, of several the ratio of times is told ---
says -E 0 '^  B: rx570$' compare rx540 fwt --with rx570 -q
grep -q 'times as fast as A' "$work/out" || fail 'two machines are not explained'
says -E 0 '^  C: vega64, 0\.[0-9]+ times the time of A$' compare rx540 fwt --with rx570 --with vega64 -q
! grep -q 'as fast as A' "$work/out" || fail 'three machines are explained as two'
ratio=$("$PLUMB" compare rx540 fwt --with rx570 --with vega64 --json -q | jq -r '.[2].time_us / .[0].time_us * 1000 | round / 1000')
grep -q "C: vega64, $ratio" "$work/out" || fail "the ratio of times is not $ratio"

# --- what would help is promised as the comparison then finds it ---
promised=$("$PLUMB" estimate rx540 fwt --json -q | jq '.what_helps[] | select(.set == ["l2.bank_kb=512"]) | .saves')
found=$("$PLUMB" compare rx540 fwt --vs l2.bank_kb=512 --json -q | jq '1 - .[1].time_us / .[0].time_us')
jq -en --argjson p "$promised" --argjson f "$found" '($p - $f) * ($p - $f) < 0.0001' > /dev/null ||
    fail "twice the L2 is promised to save $promised and saves $found"

# --- a kernel that follows the card is named, and the change of it ---
says -E 0 '^  kernel [0-9]+x[0-9]+x[0-9]+, [0-9]+ stage' estimate v100 'ml/gemm M=256 N=256 K=64' -q
says -E 0 'change: .*kernel: [0-9]+x[0-9]+x8, 1 stage.* -> [0-9]+x' compare v100 'ml/gemm M=2048 N=2048 K=64' --with t4 \
    --anchor none --cal none -q
says -E 0 'change: l1.kb' compare rx540 fwt --vs l1.kb=32 --anchor none -q
! grep -q 'kernel' "$work/out" || fail 'a program that follows no card has a kernel line'

# --- a run that would take minutes is left out, which a line says, unless it is asked for ---
long=(compare h100-sxm 'ml/gemm M=1024 N=1024 K=1024' --with rtx3090 --cal none --bank none)
timeout 5 "$PLUMB" "${long[@]}" > "$work/out" 2> "$work/err"
[ "$(grep -c 'anchor: none of gemm .*(--anchor 1 makes it)' "$work/err")" = 1 ] || fail "no anchor, and no line: $(cat "$work/err")"
timeout 5 "$PLUMB" "${long[@]}" --anchor 1 > "$work/out" 2> "$work/err"
grep -q 'anchor: plumb samples gemm M=1024' "$work/err" || fail "--anchor 1 makes none: $(cat "$work/err")"

# --- what binds each machine stands before what differs: rates of the machine's own peaks ---
says -E 0 '^  limit  .* busy$' compare a100-40 ml/gemm --with h100-sxm --p M=256 --p N=256 --p K=256 --anchor none -q
[ "$(awk '/^  limit /{ l++ } /^  rates /{ r++ } /^  change:/{ print l + 0, r + 0 }' "$work/out")" = '2 2' ] ||
    fail "not each machine's limit and rates stand before the change: $(cat "$work/out")"
peaks=$("$PLUMB" machine show h100-sxm --json | jq -r '.derived | "of \(.peak_gbps | round) GB/s \(.fp32_tflops * 100 | round / 100) TFLOP/s"')
[ "$(grep '^  rates ' "$work/out" | tail -1 | sed -E 's/.* of ([0-9,]+) GB.* of ([0-9.]+) TF.*/of \1 GB\/s \2 TFLOP\/s/; s/,//')" = "$peaks" ] ||
    fail "h100-sxm's peaks are not $peaks"
# a product of M x N x K has 2 M N K operations and a few for each result of each part of K, and its time is known
per_second=$("$PLUMB" estimate a100-40 ml/gemm --p M=256 --p N=256 --p K=256 --bank none --json -q | jq '2 * 256 * 256 * 256 / .time_us / 1e6')
stated=$("$PLUMB" estimate a100-40 ml/gemm --p M=256 --p N=256 --p K=256 --bank none -q | sed -nE 's/^  rates .*FP32 ([0-9.]+) of.*/\1/p')
jq -en --argjson p "$per_second" --argjson s "${stated:-0}" '$s / $p | . >= 1 and . < 1.03' > /dev/null ||
    fail "$stated TFLOP/s are stated, the product has $per_second"

# --- a warning of one machine alone names it, one of all machines does not ---
printf 'generator = "stream";\nctas = 8;\n' > "$work/few.cfg"
says -F 0 ': warning: a100-80: l1.ways: ' compare v100 "$work/few.cfg" --with a100-80 --anchor none
says -F 0 ': warning: l1.ways: ' compare a100-80 "$work/few.cfg" --vs l2.ports=2 --anchor none

# --- what is wrong is told ---
says -F 2 'is a program; MACHINE is needed here' compare rx540 fwt --with fwt
says -F 2 'did you mean rx570 or rx570-tc19?' compare rx540 fwt --with rx57
says -F 2 'another machine goes after --with' compare rx540 fwt --vs rx570
says -F 2 'takes one --engine with --vs and --with' compare rx540 fwt --with rx570 --engine estimate,simulate
many=()
for _ in 1 2 3 4 5 6 7 8; do many+=(--with rx570); done
says -F 2 'at most 8 machines' compare rx540 fwt "${many[@]}"
exit $((failed > 0))
