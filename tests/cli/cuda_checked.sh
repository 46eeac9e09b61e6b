#!/bin/bash
# Recording CUDA programs under AddressSanitizer and UndefinedBehaviorSanitizer: they find nothing, and the trace has
# the same bytes as without them and with the addresses of the host not randomised.  Status 77 without clang 14 or the
# runtime that has them (trace/cuda/CMakeLists.txt).
set -u
: "${PLUMB:?the program to test}"
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
PLUMB=$(realpath "$PLUMB")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checked=$(dirname "$PLUMB")/trace/cuda/checked
asan=$(gcc -print-file-name=libasan.so 2> /dev/null)
if ! command -v clang++-14 > /dev/null || [ ! -f "$checked/libplumb_cudart.so" ] || [ ! -f "$asan" ] ||
    ! setarch -R true 2> /dev/null; then
    echo "clang 14, a sanitizer or setarch is missing, or plumb was built without tests"
    exit 77
fi
export PLUMB_TRACE_NOTE=test PLUMB_TRACE_STATUS=1
sanitized() {
    env LD_LIBRARY_PATH="$checked" LD_PRELOAD="$asan" \
        ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0 "$@"
}
# silent NAME: neither sanitizer has told anything but that it does not know the stacks that faults leave
silent() {
    ! grep -E 'AddressSanitizer|runtime error' "$work/out" "$work/err" > "$work/told" || { fail "$1:"; head -5 "$work/told"; }
}

for source in workloads/cuda/{bfs,histogram,matmul,nbody,softmax}.cu tests/data/cuda/lockstep.cu; do
    name=$(basename "$source" .cu)
    status "$name: compile" 0 "$PLUMB" cc -O2 "$source" -o "$work/$name"
    PLUMB_TRACE_OUT=$work/checked.plt status "$name: sanitized" 0 sanitized "$work/$name"
    silent "$name"
    PLUMB_TRACE_OUT=$work/fixed.plt status "$name: fixed addresses" 0 setarch -R "$work/$name"
    PLUMB_TRACE_OUT=$work/plain.plt status "$name" 0 "$work/$name"
    grep -q "$name: right" "$work/out" || fail "$name: $(cat "$work/out")"
    cmp -s "$work/plain.plt" "$work/checked.plt" || fail "$name: another trace with sanitizers"
    cmp -s "$work/plain.plt" "$work/fixed.plt" || fail "$name: the host's addresses show in the trace"
done

status 'faults: compile' 0 "$PLUMB" cc tests/data/cuda/faults.cu -o "$work/faults"
for name in beyond null shared barriers warp other divide trap; do
    PLUMB_TRACE_OUT=$work/fault.plt status "$name" 0 sanitized "$work/faults" "$name"
    silent "$name"
    grep -q "(kernel $name, .*faults.cu:" "$work/out" || fail "$name: $(head -3 "$work/out")"
done
exit $((failed > 0))
