# Sourced by workloads_*.sh: capture a workload, compare what its work-items did with formulas, end.
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
programs=$(dirname "$plumb")/workloads
plugin=${PLUMB_PLUGIN_DIR:-$(dirname "$plumb")/trace/oclgrind}/libplumb_capture.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

# needs PROGRAM...: ends with status 77 where they or what captures them is missing
needs() {
    local missing='' name
    command -v oclgrind-kernel > /dev/null || missing+=' Oclgrind'
    for name in "$plugin" "${plugin%/*}/libplumb_preload.so"; do
        [ -f "$name" ] || missing+=" $name"
    done
    for name in "$@"; do
        [ -x "$programs/$name" ] || missing+=" $programs/$name"
    done
    [ -z "$missing" ] && return
    echo "workloads not tested, missing:$missing"
    exit 77
}

# capture NAME ARGUMENT...: to $work/NAME.json; the numbers that the program printed to `said`
capture() {
    local name=$1
    shift
    said=()
    rm -f "$work/$name.json"
    if ! "$plumb" trace capture -o "$work/$name.plt" -- "$programs/$name" "$@" > "$work/out" 2>&1; then
        fail "$name: $(tail -n 1 "$work/out")"
        return
    fi
    "$plumb" trace info --json "$work/$name.plt" > "$work/$name.json"
    read -r -a said <<< "$(sed -n "s/^$name: //p" "$work/out" | tr -c '0-9\n' ' ')"
}

# lanes NAME CLASS [KERNEL]: what the work-items did of a class, in all kernels or one
lanes() {
    jq ".kernels[] | select(.kernel == \"${3:-}\" or \"${3:-}\" == \"\") | .lane_mix.$2" \
        "$work/$1.json" | jq -s add
}

# expect NAME CLASS WANTED [KERNEL]
expect() {
    local got
    got=$(lanes "$1" "$2" "${4:-}")
    [ "$got" = "$3" ] || fail "$1: ${4:-all kernels}: $got x $2, expected $3"
}

# loads_stores NAME LOADS STORES: of all kernels
loads_stores() {
    expect "$1" load "$2"
    expect "$1" store "$3"
}

# kernel NAME KERNEL LOADS STORES [SHARED_LOADS SHARED_STORES]: of one kernel
kernel() {
    expect "$1" load "$3" "$2"
    expect "$1" store "$4" "$2"
    [ $# -gt 4 ] || return 0
    expect "$1" shared_load "$5" "$2"
    expect "$1" shared_store "$6" "$2"
}

# refused 'PROGRAM ARGUMENT...'...: each ends with a failure and says why or what is allowed
refused() {
    local bad
    for bad in "$@"; do
        # shellcheck disable=SC2086
        "$programs/"$bad > "$work/out" 2>&1 && fail "$bad was taken"
        grep -qE '^(usage|error): ' "$work/out" || fail "$bad: no reason"
    done
}

# finish TEXT: the verdict
finish() {
    [ $failed -eq 0 ] && echo "workloads: $1"
    exit $((failed > 0))
}
