#!/bin/bash
# What the program or Oclgrind cannot do ends with one clear line, status 1 (2 where the command was
# wrong, 130 interrupted), no trace and nothing left behind; the old trace stays.  Status 77 without
# Oclgrind, the plugin or a C compiler with OpenCL's headers.
source "$(dirname "${BASH_SOURCE[0]}")/workloads.bash"
needs
data=$(realpath tests/data/capture)
host=$work/host
if ! "${CC:-cc}" -o "$host" "$data/host.c" -lOpenCL 2> "$work/err"; then
    echo "capture_failures: $data/host.c does not build: $(head -n 1 "$work/err")"
    exit 77
fi
printf '%s\n' "$data/diverging.cl" rounds '262144 1 1' '128 1 1' '<size=1048576 int fill=0>' \
    '<size=4 int> 400000' > "$work/endless.sim" # 2^35 rounds: hours

# ends STATUS TEXT ARGUMENT...: in a folder that holds an older trace
ends() {
    local status=$1 text=$2 got
    shift 2
    mkdir "$work/out.d"
    echo older > "$work/out.d/x.plt"
    (cd "$data" && "$plumb" trace capture -o "$work/out.d/x.plt" "$@") > "$work/out" 2>&1
    got=$?
    [ $got -eq "$status" ] || fail "$*: status $got, expected $status"
    [ "$(grep -c '^plumb: ' "$work/out")" -eq 1 ] || fail "$*: says $(grep -c '^plumb: ' "$work/out") lines"
    tail -n 1 "$work/out" | grep -qE "^plumb: .*$text" || fail "$*: says $(tail -n 1 "$work/out")"
    [ "$(ls -A "$work/out.d")" = x.plt ] || fail "$*: left $(ls -A "$work/out.d" | tr '\n' ' ')"
    [ "$(cat "$work/out.d/x.plt")" = older ] || fail "$*: the older trace is gone"
    rm -r "$work/out.d"
}

# programs that do not end well, or end well though a kernel did not
ends 1 'exit status 137' -- sh -c 'oclgrind-kernel "$0" & sleep 0.5; kill -9 $!; wait $!' "$work/endless.sim"
ends 1 'killed by signal 9' -- "$host" killed
ends 1 '_exit' -- "$host" _exit
ends 1 'Oclgrind gave up: Undefined' -- sh -c 'oclgrind-kernel broken.sim; exit 0'
ends 1 'async_work_group_copy' -- sh -c 'oclgrind-kernel copied.sim; exit 0'

# no kernels; more than one process with kernels
ends 1 'launched no kernel' -- "$host" idle
ends 1 'none of the program.s 2 launches' --launches 7,9 -- "$host"
ends 1 'none of the program.s 2 launches' --ctas 400-500 -- "$host"
ends 1 'in 2 processes' -- "$host" two
ends 1 'in 2 processes' -- sh -c '"$0"; "$0"' "$host"
ends 1 'process that it forked' -- "$host" forked

# the command itself
ends 2 'lists like 1,3,5-9' --launches 1,,3 -- "$host"
ends 2 'A or A-B' --ctas 5-2 -- "$host"
ends 2 'A or A-B' --ctas 1,2 -- "$host"
"$plumb" trace capture -o /dev/full -- "$host" > "$work/out" 2>&1
[ $? -eq 2 ] && grep -q '^plumb: /dev/full: is no regular file' "$work/out" || fail "/dev/full: $(tail -n 1 "$work/out")"
[ -c /dev/full ] || fail '/dev/full is gone'

# a plugin that is none
mkdir "$work/plugins"
echo nothing > "$work/plugins/libplumb_capture.so"
cp "$(dirname "$plugin")"/libplumb_preload.so "$work/plugins/" 2> "$work/err"
PLUMB_PLUGIN_DIR=$work/plugins ends 1 'Loading Oclgrind plugin failed' -- "$host"

# no room: a write that fails, whatever the reason
full() {
    (trap '' XFSZ && ulimit -f 1 && ends "$@" && exit $failed) || fail 'no room'
}
full 1 'out.d/x.plt: writing failed: File too large' -- oclgrind-kernel left.sim
if mkdir "$work/small" && mount -t tmpfs -o size=8k plumb-test "$work/small" 2> "$work/err"; then
    (cd "$data" && "$plumb" trace capture -o "$work/small/x.plt" -- oclgrind-kernel left.sim) > "$work/out" 2>&1 &&
        fail 'a full disk held a trace'
    grep -q '^plumb: .*No space left' "$work/out" || fail "a full disk: $(tail -n 1 "$work/out")"
    [ -z "$(ls -A "$work/small")" ] || fail "a full disk: left $(ls -A "$work/small")"
    umount "$work/small"
fi

# interrupted in the middle of a kernel; the second program has a shell between it and us
set -m
interrupt() { # SIGNAL PROGRAM ARGUMENT...
    local signal=$1
    shift
    mkdir "$work/out.d"
    "$plumb" trace capture -o "$work/out.d/x.plt" -- "$@" > "$work/out" 2>&1 &
    local pid=$! i
    for ((i = 0; i < 100; i++)); do
        compgen -G "$work/out.d/.plumb-capture-*" > "$work/found" && break
        sleep 0.1
    done
    [ -s "$work/found" ] || fail "$*: never began"
    sleep 1 # until the kernel runs
    kill "-$signal" $pid
    wait $pid
    local got=$?
    [ $got -eq 130 ] || fail "$*: interrupted: status $got"
    grep -q '^plumb: interrupted; no trace was written' "$work/out" || fail "$*: $(tail -n 1 "$work/out")"
    [ -z "$(ls -A "$work/out.d")" ] || fail "$*: left $(ls -A "$work/out.d")"
    rm -r "$work/out.d"
}
interrupt INT oclgrind-kernel "$work/endless.sim"
interrupt HUP oclgrind-kernel "$work/endless.sim" # its terminal was closed
interrupt INT sh -c 'oclgrind-kernel "$0" & echo $! > "$0.pid"; wait' "$work/endless.sim"
kill "$(cat "$work/endless.sim.pid")" 2> "$work/err"
# killed: the program does not run on for nobody
"$plumb" trace capture -o "$work/killed.plt" -- sh -c 'echo $$ > "$0.pid"; exec oclgrind-kernel "$0"' "$work/endless.sim" \
    > "$work/out" 2>&1 &
capture=$!
for ((i = 0; i < 100; i++)); do
    compgen -G "$work/.plumb-capture-*" > "$work/found" && break
    sleep 0.1
done
[ -s "$work/found" ] || fail 'killed: never began'
sleep 1
kill -9 $capture
wait $capture 2> "$work/err"
program=$(cat "$work/endless.sim.pid")
for ((i = 0; i < 50; i++)); do
    kill -0 "$program" 2> "$work/err" || break
    sleep 0.1
done
if kill -0 "$program" 2> "$work/err"; then
    fail 'killed: the program runs on'
    kill -9 "$program"
fi
set +m

# kept SAYS LAUNCHES PROGRAM...: a program that fails when its kernels have run leaves its launches, with a word
kept() {
    local says=$1 launches=$2
    shift 2
    "$plumb" trace capture -o "$work/kept.plt" -- "$@" > "$work/out" 2>&1 || fail "$*: $(tail -n 1 "$work/out")"
    grep -qE "^plumb: warning: .*$says" "$work/out" || fail "$*: says $(tail -n 1 "$work/out")"
    [ "$("$plumb" trace info --json "$work/kept.plt" 2> "$work/err" | jq .total.launches)" = "$launches" ] || fail "$*: not $launches launches"
}
kept 'exit status 5 after 1 launch' 1 "$host" fails
kept 'exit status 6 after 1 launch' 1 "$host" returns
kept 'killed by signal 6 after 1 launch' 1 "$host" abort
kept 'sh failed after its kernels had run' 2 sh -c '"$0"; exit 3' "$host"

# and what is no failure: a process that was forked for something else
"$plumb" trace capture -o "$work/helper.plt" -- "$host" helper > "$work/out" 2>&1 || fail "helper: $(tail -n 1 "$work/out")"
[ "$("$plumb" trace info --json "$work/helper.plt" 2> "$work/err" | jq .total.launches)" = 2 ] || fail 'helper: not two launches'

finish 'captures that fail say why and leave nothing'
