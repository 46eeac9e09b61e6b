# plumb dram: what it prints, and its exit status.
set -u
: "${PLUMB:?the program to test}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# expect STATUS TEXT ARGS...: the command ends with STATUS and its output (both streams) holds TEXT.
expect() {
    local status=$1 text=$2 got
    shift 2
    "$PLUMB" dram "$@" >"$dir/out" 2>&1
    got=$?
    if [ "$got" != "$status" ] || ! grep -qF -- "$text" "$dir/out"; then
        echo "plumb dram $*: status $got (not $status) or no '$text' in:"
        head -20 "$dir/out"
        failed=1
    fi
}

expect 0 "Usage: plumb dram PARAMSET" --help
for set in gddr5 gddr5-table42 hbm2 hbm2-1ch hbm-qv100 ddr3; do
    for pattern in seq rand mix21 conf rowstep; do
        expect 0 '"requests": 2000,' "$set" --pattern $pattern --requests 2000 --json
    done
done
# One read of a closed bank: tRCD + tCL + burst = 24 + 24 + 2 clocks.
expect 0 '"cycles": 50,' gddr5 --pattern seq --requests 1 --json
expect 0 'row hit 26, closed 50, conflict 74' gddr5 --pattern seq --requests 1
expect 0 '"cycles": 51,' gddr5 --pattern seq --requests 1 --json --set dram.timing.tRCDRD=25
printf '0x0 READ 0\n0x80 READ 500 # a row hit\n' >"$dir/good.trace"
expect 0 '"cycles": 526,' gddr5 --trace "$dir/good.trace" --json
for key in requests cycles bandwidth_gbps utilization latency_cycles mean p50 p95 p99 \
    row_hit_rate activates refreshes host; do
    expect 0 "\"$key\":" gddr5 --trace "$dir/good.trace" --json
done
"$PLUMB" dram gddr5 --trace "$dir/good.trace" --json -o "$dir/file.json"
grep -q '"cycles": 526' "$dir/file.json" || { echo "-o wrote no result"; failed=1; }

printf '0x0 READ 0\n0x80 FETCH 1\n' >"$dir/bad.trace"
expect 2 "plumb: $dir/bad.trace:2: not a request" gddr5 --trace "$dir/bad.trace"
expect 2 "gone.trace: cannot be opened" gddr5 --trace "$dir/gone.trace"
expect 2 'dram: PARAMSET nosuch: no such timing set' nosuch --pattern seq
expect 2 'PARAMSET gddr6x: no such timing set; the closest is gddr' gddr6x --pattern seq
expect 0 'hbm2' --list
expect 2 "dram.rowz: unknown parameter" gddr5 --pattern seq --set dram.rowz=3
expect 2 "--set l2.banks=3: not of the memory" gddr5 --pattern seq --set l2.banks=3
expect 2 "--pattern zigzag; allowed are seq" gddr5 --pattern zigzag
expect 2 "needs either --pattern or --trace" gddr5
expect 2 "needs one PARAMSET" --pattern seq
expect 2 "--gap x: allowed are" gddr5 --pattern seq --gap x
expect 2 "--interleave 100; a power of two" gddr5 --pattern seq --interleave 100
expect 2 "unknown option --nosuch" gddr5 --nosuch
expect 2 "--gap needs a value" gddr5 --pattern seq --gap
exit $failed
