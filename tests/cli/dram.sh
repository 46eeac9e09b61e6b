# plumb dram: what it prints, and its exit status.
set -u
: "${PLUMB:?the program to test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

expect() { says -F "$1" "$2" dram "${@:3}"; } # STATUS TEXT ARGUMENT...

expect 0 "Usage: plumb dram PARAMSET" --help
for set in $("$PLUMB" dram --list); do
    for pattern in seq rand mix21 conf rowstep; do
        expect 0 '"requests": 500,' "$set" --pattern $pattern --requests 500 --json
    done
done
# One read of a closed bank: tRCD + tCL + burst = 24 + 24 + 2 clocks.
expect 0 '"cycles": 50,' gddr5 --pattern seq --requests 1 --json
expect 0 'row hit 26, closed 50, conflict 74' gddr5 --pattern seq --requests 1
expect 0 '"cycles": 51,' gddr5 --pattern seq --requests 1 --json --set dram.timing.tRCDRD=25
printf '0x0 READ 0\n0x80 READ 500 # a row hit\n' >"$work/good.trace"
expect 0 '"cycles": 526,' gddr5 --trace "$work/good.trace" --json
for key in requests cycles bandwidth_gbps utilization latency_cycles mean p50 p95 p99 \
    row_hit_rate activates refreshes energy_pj energy_pj_per_bit host; do
    expect 0 "\"$key\":" gddr5 --trace "$work/good.trace" --json
done
"$PLUMB" dram gddr5 --trace "$work/good.trace" --json -o "$work/file.json"
grep -q '"cycles": 526' "$work/file.json" || { echo "-o wrote no result"; failed=1; }

# One read of hbm2 by hand: activate 828, read 804; 31 clocks of 1 ns, 16 with the row open (the channel
# counts to the last beat at 30: tRCD 14 + tCL 14 + burst 2), 66 mW open, 48 closed, eight channels.
expect 0 '"activate": 828,' hbm2 --pattern seq --requests 1 --json
expect 0 '"read": 804,' hbm2 --pattern seq --requests 1 --json
expect 0 '"write": 0,' hbm2 --pattern seq --requests 1 --json
# Without figures there are no energy keys; with one for a bit there are no parts that it hides.
"$PLUMB" dram hbm3 --pattern seq --requests 10 --json | grep -q energy && { echo "energy from nothing"; failed=1; }
"$PLUMB" dram hbm3 --pattern seq --requests 10 | grep -q energy && { echo "energy from nothing"; failed=1; }
"$PLUMB" dram gddr6 --pattern seq --requests 10 --json | grep -q background && { echo "parts from nothing"; failed=1; }
expect 0 'pJ/bit' gddr5 --pattern rand --requests 1000
expect 0 'activate ' gddr5 --pattern rand --requests 1000
expect 2 'dram.energy.read_pj: set although dram.energy.model = none' hbm3 --pattern seq --set dram.energy.read_pj=3

# Broken traces: one line with file and line, whatever is wrong with it.
bad() { # LINE TEXT...: the second line of a trace
    printf '0x0 READ 5\n%b\n' "$1" >"$work/bad.trace"
    expect 2 "plumb: $work/bad.trace:2: $2" gddr5 --trace "$work/bad.trace"
    [ "$(cat "$work/out" "$work/err" | wc -l)" = 1 ] || { echo "'$1' takes more than a line"; failed=1; }
}
bad '0x80 FETCH 6' 'FETCH 6: READ or WRITE is allowed here'
bad '0x80 READING 6' 'READING 6: READ or WRITE is allowed here'
bad '0x80' 'the line ends; READ or WRITE is allowed here'
bad 'zero READ 6' 'zero READ 6: an address in hexadecimal is allowed here'
bad '-80 READ 6' '-80 READ 6: an address in hexadecimal is allowed here'
bad '0x80 READ' 'the line ends; a cycle, a whole number, is allowed here'
bad '0x80 READ -6' '-6: a cycle, a whole number, is allowed here'
bad '0x80 READ abc' 'abc: a cycle, a whole number, is allowed here'
bad '0x80 READ 4' 'cycle 4 after 5; cycles that do not fall are allowed'
bad '0x80 READ 6 7' '7: the end of the line or a comment is allowed here'
bad '0x10000000000000000 READ 6' '0x10000000000000000 READ...: an address of at most 64 bits is allowed'
bad '0x80 READ 99999999999999999999' '99999999999999999999: a cycle below 2^53 is allowed'
bad '0x80 READ 9007199254740992' '9007199254740992: a cycle below 2^53 is allowed'
: >"$work/empty.trace"
expect 0 '"requests": 0,' gddr5 --trace "$work/empty.trace" --json
printf '# only\n\n   # comments\n' >"$work/empty.trace"
expect 0 '"requests": 0,' gddr5 --trace "$work/empty.trace" --json
printf '40 WRITE 0\r\n' >"$work/dos.trace"
expect 0 '"writes": 1,' gddr5 --trace "$work/dos.trace" --json
printf '\0\0\377' >"$work/binary.trace"
expect 2 "plumb: $work/binary.trace:1:" gddr5 --trace "$work/binary.trace"
printf 'not a stream of xz' >"$work/bad.trace.xz"
expect 2 "bad.trace.xz:" gddr5 --trace "$work/bad.trace.xz"
expect 2 "gone.trace: cannot be opened" gddr5 --trace "$work/gone.trace"
expect 2 'plumb: nosuch: no such timing set' nosuch --pattern seq
expect 2 "plumb: $work/nosuch.cfg: no such timing set" "$work/nosuch.cfg" --pattern seq
expect 2 'gddr6x: no such timing set; the closest is gddr' gddr6x --pattern seq
expect 0 'hbm2' --list
# --set stands above what the set of parameters says.
expect 0 '"requests": 10,' gddr5 --pattern seq --requests 10 --set dram.model=fixed --json
expect 0 'requests      10' gddr5 --pattern seq --requests 10 --set dram.energy.model=none
expect 2 '--set dram.pseudo_channels=2: dram.pseudo_channels: pseudo is missing' gddr5 --pattern seq --set dram.pseudo_channels=2
expect 2 "dram.rowz: unknown parameter" gddr5 --pattern seq --set dram.rowz=3
expect 2 "--set l2.banks=3: not of the memory" gddr5 --pattern seq --set l2.banks=3
expect 2 "--pattern zigzag: allowed are seq" gddr5 --pattern zigzag
expect 2 "needs either --pattern or --trace" gddr5
expect 2 "needs one PARAMSET" --pattern seq
expect 2 "--gap x: allowed are" gddr5 --pattern seq --gap x
expect 2 "--interleave 100; a power of two" gddr5 --pattern seq --interleave 100
expect 2 "unknown option --nosuch" gddr5 --nosuch
expect 2 "--gap needs a value" gddr5 --pattern seq --gap

# What cards do with GDDR6. An A40 reads at 98 per cent of its memory's peak, an RX 6900 XT at 99 (configs/curves): a refresh
# of all banks at a time would take 6.
above() { # METRIC LEAST ARGUMENT...
    local got
    got=$("$PLUMB" dram "${@:3}" --json | grep -o "\"$1\": [0-9.]*" | cut -d' ' -f2)
    awk -v got="$got" -v least="$2" 'BEGIN { exit !(got >= least) }' || fail "dram ${*:3}: $1 is $got, below $2"
}
for set in gddr6-14500 gddr6-16000 gddr6x-21000; do
    above utilization 0.975 $set --pattern seq --requests 100000 --percycle 16
done
# Rows of a matrix, of which each step of a product reads 64 bytes: the second half of 128 bytes is asked for 96 bursts
# after the first. A controller that sees both opens the DRAM's row once, and three of four bursts are row hits.
awk 'BEGIN { for (step = 0; step < 40; step++) for (row = 0; row < 48; row++) for (burst = 0; burst < 2; burst++)
    printf "0x%x READ 0\n", int(step / 2) * 1048576 + row * 8320 + step % 2 * 64 + burst * 32 }' >"$work/steps.trace"
for set in gddr6 gddr6-10000 gddr6-14500 gddr6-18000 gddr6x-19500 gddr6x-21000; do
    above row_hit_rate 0.74 $set --trace "$work/steps.trace" --set dram.channels=1 --percycle 4
done

# Asked to stop, it stops: among requests, and in a pause through which ranks wake for their refreshes.
printf '0x0 READ 0\n0x0 READ 9007199254740991\n' >"$work/far.trace"
stops() {
    local pid waited=0 got
    "$PLUMB" dram "$@" >"$work/out" 2>&1 &
    pid=$!
    sleep 0.3
    kill -TERM $pid
    while kill -0 $pid 2>/dev/null && [ $waited -lt 200 ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    kill -KILL $pid 2>/dev/null
    wait $pid
    got=$?
    [ $got -eq 130 ] && grep -q 'interrupted while serving requests' "$work/out" && return
    echo "dram $* asked to stop: status $got"
    failed=1
}
stops gddr5 --pattern rand --requests 1000000000
stops gddr5 --trace "$work/far.trace" --set dram.power_down_idle=10
# Without power-down such a pause takes no time.
expect 0 '"requests": 2,' gddr5 --trace "$work/far.trace" --json
exit $((failed > 0))
