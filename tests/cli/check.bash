# Sourced by tests of the command line: a fault is told of and counted in `failed`, and the test goes on.
failed=0

fail() {
    echo "FAIL $*"
    failed=$((failed + 1))
}

# status NAME STATUS COMMAND...: the command's output to $work/out and $work/err
status() {
    local name=$1 want=$2
    shift 2
    "$@" > "$work/out" 2> "$work/err"
    local got=$?
    [ $got -eq "$want" ] || { fail "$name: exit status $got, expected $want"; head -3 "$work/err"; }
}

# says FORM STATUS TEXT ARGUMENT...: plumb ends with STATUS, and a line of what it says on either stream holds TEXT
# (FORM -F: as it stands; -E: a pattern); $work/out and $work/err keep the streams
says() {
    local form=$1 want=$2 text=$3
    shift 3
    "$PLUMB" "$@" > "$work/out" 2> "$work/err"
    local got=$?
    [ $got -eq "$want" ] && { [ -z "$text" ] || cat "$work/out" "$work/err" | grep -q "$form" -- "$text"; } && return
    fail "plumb $*: exit status $got, expected $want, and '$text' in:"
    cat "$work/out" "$work/err" | head -20
}
