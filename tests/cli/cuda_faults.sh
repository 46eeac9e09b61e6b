#!/bin/bash
# What CUDA programs do wrong: kernels that do not end or that a GPU would not run to their end are told with kernel,
# line, CTA and thread, one line each, and leave no trace (tests/data/cuda/waits.cu; more in cuda.sh); calls with wrong
# arguments return the documented errors (errors.cu).  Status 77 without clang 14.
set -u
: "${PLUMB:?the program to test}"
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
PLUMB=$(realpath "$PLUMB")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=$(realpath tests/data/cuda)
if ! command -v clang++-14 > /dev/null || ! command -v llc-14 > /dev/null ||
    [ ! -f "$(dirname "$PLUMB")/trace/cuda/libplumb_cuda.so" ]; then
    echo "clang 14 or plumb's plugin is missing"
    exit 77
fi

status 'errors: compile' 0 "$PLUMB" cc "$data/errors.cu" -o "$work/errors"
status 'errors' 0 "$work/errors"
grep -q 'all right' "$work/out" || { fail 'wrong errors:'; cat "$work/out"; }

status 'waits: compile' 0 "$PLUMB" cc "$data/waits.cu" -o "$work/waits"
while read -r name patience error text; do
    export PLUMB_CUDA_PATIENCE=$patience # of what usually counts as endless
    line=$(grep -n "// line of fault $name\$" "$data/waits.cu" | cut -d: -f1)
    says -E 1 "^plumb: .*$text.*\(kernel $name, .*waits.cu:$line, CTA 0,0,0, thread [0-9]+,0,0\)" \
        trace capture -o "$work/wait.plt" -- "$work/waits" "$name"
    [ "$(grep -c '^plumb: ' "$work/err")" -eq 1 ] || fail "$name: says $(grep -c '^plumb: ' "$work/err") lines"
    [ ! -e "$work/wait.plt" ] || fail "$name: leaves a trace"
    "$work/waits" "$name" > "$work/out" 2> "$work/err"
    grep -qx "$error" "$work/out" || fail "$name: the runtime returns $(cat "$work/out"), not $error"
    grep -q "waits.cu:$line" "$work/err" || fail "$name: without a recording: $(cat "$work/err")"
done << 'LIST'
counter 0.01 cudaErrorLaunchTimeout a thread does not come to an end
writer 0.01 cudaErrorLaunchTimeout a thread does not come to an end
rounds 0.01 cudaErrorLaunchTimeout a thread does not come to an end
shuffles 0.01 cudaErrorLaunchTimeout a thread does not come to an end
sleeps 1 cudaErrorLaunchTimeout waits for a value that no thread of its CTA writes
locked 1 cudaErrorLaunchTimeout waits for a value that no thread of its CTA writes
some 1 cudaErrorIllegalAddress waits in a function of the warp for threads that do not come
half 1 cudaErrorIllegalAddress wait at different barriers
stack 1 cudaErrorIllegalAddress a thread's stack is full
asserts 1 cudaErrorAssert assertion .* failed
host 1 cudaErrorIllegalAddress which is no device memory
freed 1 cudaErrorIllegalAddress which is no device memory
crooked 1 cudaErrorMisalignedAddress no multiple of its size
atomics 1 cudaErrorIllegalAddress at offset [0-9]+ of an allocation
own 1 cudaErrorIllegalAddress beyond its own arrays
LIST
exit $((failed > 0))
