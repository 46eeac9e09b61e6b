# plumb machine probe and plumb machine fit: what they print and write, and what they refuse.
set -u
: "${PLUMB:?the program to test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

probe() { says -F "$1" "$2" machine probe "${@:3}"; } # STATUS TEXT ARGUMENT...
fit() { says -F "$1" "$2" machine fit "${@:3}"; }
curve=tests/data/curves/v100.csv

probe 0 'Usage: plumb machine probe MACHINE' --help
probe 0 'pchase_latency, cycles' qv100 --experiment pchase_latency --points 8 -q -o "$work/own.csv"
head -1 "$work/own.csv" | grep -qx 'gpu,experiment,x_name,x,value,unit,extra,source' || fail 'the columns of -o'
[ "$(grep -c '^qv100,pchase_latency,buffer_kB,' "$work/own.csv")" = 8 ] || fail '8 points are not 8 rows'
grep -q ',cycles,1132,plumb .*: machine probe qv100$' "$work/own.csv" || fail "unit, clock and source: $(tail -1 "$work/own.csv")"

# Beside its own curve a machine has no error, and what the file lacks is said.
probe 0 'has no curve of l1_stride_float: it was not run' qv100 --against "$work/own.csv" --points 8 -q
grep -q 'plateau.*[+-]0.0 %.* yes' "$work/out" || fail 'its own plateau'
grep -q ' no$' "$work/out" && fail 'a feature of its own curve is off'
probe 0 '"errors": [' qv100 --against "$work/own.csv" --points 8 -q --json
jq -e '.machine == "qv100" and (.points | length | . >= 6 and . <= 8) and all(.errors[]; .passes and (.error | fabs) < 0.001)' \
    "$work/out" > "$work/jq" || fail "JSON: $(head -c 300 "$work/out")"

# Results do not depend on the number of threads.
for threads in 1 3; do
    probe 0 'pchase_latency' qv100 --experiment pchase --points 6 -q --threads $threads -o "$work/$threads.csv"
done
cmp -s "$work/1.csv" "$work/3.csv" || fail 'threads change a probe'

# A measured curve: only its experiments and x's, a table of errors, exit status 0 whatever they are.
probe 0 'qv100 beside v100' qv100 --against $curve --points 3 -q --set l1.latency=100
grep -Eq 'pchase_latency +plateau .* 128 +|pchase_latency +plateau .* no$' "$work/out" || fail 'the L1 is no error'
grep -Eq 'stream_triad +saturated ' "$work/out" || fail 'no saturated bandwidth'
grep -Eq '^ *1280 ' "$work/out" || fail 'the first x of the stream was not run'
grep -q 'features are within their targets; the worst is the' "$work/out" || fail 'the worst is not named'

# Settings are in the source, and reach the machine.
probe 0 '100' qv100 --experiment pchase --points 3 -q --set l1.latency=96 -o "$work/set.csv"
grep -q ',2,100,cycles.*machine probe qv100 --set l1.latency=96$' "$work/set.csv" || fail "--set: $(sed -n 2p "$work/set.csv")"

# A machine whose sub-cores do not hold the CTAs is probed with what fits, and the rest is said once.
probe 0 'points of l1_stride_float are left out: its 16 warps exceed the 10 of a sub-core' rx540 --experiment l1_stride_float -q
[ "$(grep -c 'left out' "$work/out")" = 1 ] || fail 'a reason is said for each point'
probe 0 'an SM does not hold the CTAs of l2_read_bw: it was not run' qv100 --experiment l2_read -q --set sm.max_warps=16

# What is wrong with files and arguments.
probe 2 'machine probe: 1 argument expected, 0 given'
probe 2 'no experiment begins with it; allowed are pchase_latency, ' qv100 --experiment cache
probe 2 '--gpu is of the file that --against names' qv100 --gpu v100
probe 2 "$work/none.csv" qv100 --against "$work/none.csv"
: > "$work/empty.csv"
probe 2 "$work/empty.csv: there is no line with the columns' names" qv100 --against "$work/empty.csv"
echo 'gpu,experiment,x' > "$work/column.csv"
probe 2 "$work/column.csv:1: there is no column value" qv100 --against "$work/column.csv"
printf 'gpu,experiment,x,value\nv100,chase,2,3\n' > "$work/unknown.csv"
probe 2 "$work/unknown.csv:2: unknown experiment 'chase'" qv100 --against "$work/unknown.csv"
printf 'gpu,experiment,x,value,extra\nv100,stream_init,1e300,3,64x?\n' > "$work/far.csv"
probe 2 "$work/far.csv:2: x '1e300' is no number from 0.125 to 1e+09" rx540 --against "$work/far.csv"
probe 2 'l1.latency' qv100 --set l1.latency=-1
probe 2 'points' qv100 --points 1
probe 2 'nothere' nothere
probe 1 'cannot be created' qv100 --experiment l1_stride_float --points 2 -q -o "$work/no/such/file.csv"
if [ -c /dev/full ]; then
    probe 1 '/dev/full' qv100 --experiment l1_stride_float --points 2 -q -o /dev/full
fi

# A fit: the file names its base and loads; the machine then meets the chase.
fit 0 'l2.extra_latency' qv100 --against $curve -o "$work/fit.cfg"
grep -q '^base = "qv100";$' "$work/fit.cfg" || fail 'the base is missing'
probe 0 'beside v100' "$work/fit.cfg" --experiment pchase --against $curve --points 10 -q
grep -E 'plateau' "$work/out" | grep -qv 'yes$' && fail 'a fitted plateau is off'
fit 0 '' "$work/fit.cfg" --against $curve -o "$work/again.cfg"
says -F 0 'fine' machine check "$work/again.cfg"
fit 2 '--against CSV and -o FILE.cfg are needed' qv100
grep -v pchase $curve > "$work/streams.csv"
fit 2 'has no curve of pchase_latency' qv100 --against "$work/streams.csv" -o "$work/x.cfg"

exit $((failed > 0))
