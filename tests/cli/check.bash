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
