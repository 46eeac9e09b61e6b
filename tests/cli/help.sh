#!/bin/bash
# Does every command say what it takes, and do the man page and the completions know each option that it names?
set -u
: "${PLUMB:?the program to test}"
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

commands=(estimate sample simulate compare calibrate sweep report trace 'trace info' 'trace profile' 'trace check'
    'trace import' 'trace export' 'trace generate' 'trace capture' 'trace suite' machine 'machine list'
    'machine show' 'machine params' 'machine check' 'machine diff' metrics energy dram)
page=$(sed 's/\\-/-/g' docs/plumb.1)
completion=$(cat share/plumb.bash) other=$(cat share/plumb.zsh)
named=0
for command in "${commands[@]}"; do
    read -ra words <<< "$command"
    text=$("$PLUMB" "${words[@]}" --help) || fail "$command --help ends with $?"
    [ "${text:0:13}" = 'Usage: plumb ' ] || fail "$command --help does not begin with its usage"
    for option in $(grep -oE -- '--[a-z][a-z-]*' <<< "$text" | sort -u); do
        named=$((named + 1))
        [ "$option" = --help ] && continue
        grep -qE -- "$option\b" <<< "$page" || fail "the man page lacks $option of $command"
        grep -qE -- "$option\b" <<< "$completion" || fail "completion in bash lacks $option of $command"
        grep -qE -- "$option\b" <<< "$other" || fail "completion in zsh lacks $option of $command"
    done
done
[ "$named" -gt 100 ] || fail "only $named options were found"
exit $((failed > 0))
