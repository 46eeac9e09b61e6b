#!/bin/bash
# Do scripts that install and build say what they are doing, and is the program that they build whole?
set -u
: "${PLUMB:?the program to test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

cat > "$work/job" << 'END'
set -eu
source scripts/steps.bash
watched "building" bash -c 'echo "[7/9] Building C object a-name/that/no/terminal/of/sixty/columns/has/room/for.c.o"; sleep 1.5'
watched "installing" bash -c 'echo pmstatus:cmake:45.34:Unpacking cmake; sleep 1.2'
watched "failing" bash -c 'echo the compiler says why; exit 3'
echo not reached
END
if command -v script > /dev/null; then
    TERM=xterm SHELL=/bin/bash script -qec "stty cols 60; bash $work/job" /dev/null < /dev/null > "$work/raw"
    got=$?
    tr '\r' '\n' < "$work/raw" | sed 's/\x1b\[K//g' > "$work/shown"
    [ "$got" -eq 3 ] || fail "a failed step ends with $got"
    grep -q '^building, 1 s: \[7/9\] Building' "$work/shown" || fail "no count of a build: $(cat "$work/shown")"
    grep -q '^installing, 1 s: 45 % Unpacking cmake' "$work/shown" || fail "no percent of packages: $(cat "$work/shown")"
    grep -q '^the compiler says why' "$work/shown" || fail 'the output of a failed step is lost'
    grep -q 'not reached' "$work/shown" && fail 'a failed step is passed over'
    awk 'length > 60 { bad = 1 } END { exit bad }' "$work/shown" || fail "wider than the terminal: $(cat "$work/shown")"
fi
grep -nE 'apt-get|cmake (-S|--build)' scripts/{deps,demo,test}.sh | grep -vE 'watched|command -v|Debian|#' > "$work/unwatched"
[ ! -s "$work/unwatched" ] || fail "in silence: $(cat "$work/unwatched")"

# Building the program builds what it captures with, where Oclgrind is there.
build=$(dirname "$(realpath "$PLUMB")")
if grep -q '^build trace/oclgrind/libplumb_capture.so' "$build/build.ninja" 2> /dev/null; then
    ninja -C "$build" -t query plumb | grep -q '|| trace/oclgrind/libplumb_capture.so' ||
        fail 'the target plumb leaves out what captures need'
fi
[ "$failed" -eq 0 ] || exit 1
command -v script > /dev/null || { echo 'script (of bsdutils) is missing: what steps show was not seen'; exit 77; }
