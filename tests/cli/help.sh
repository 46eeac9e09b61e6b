#!/bin/bash
# Does every command say what it takes, within 80 columns, and are the man page and the completions, which the build
# made, and the pages of commands and metrics, which its target docs makes, those of the program as it is now?
set -u
: "${PLUMB:?the program to test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

# --- what is made from the tables ---
share=$(dirname "$PLUMB")/share
for made in "help --man:$share/plumb.1" "help --bash:$share/plumb.bash" "help --zsh:$share/plumb.zsh" \
    'help --markdown:docs/guide/commands.md' 'metrics --markdown:docs/guide/metrics.md'; do
    read -ra words <<< "${made%%:*}"
    "$PLUMB" "${words[@]}" > "$work/made" || fail "${made%%:*} ends with $?"
    cmp -s "$work/made" "${made#*:}" || fail "${made#*:} is stale: cmake --build DIR --target docs, which links plumb, too"
done

# --- the man page has the sections of man-pages(7), in its order ---
sections=$(sed -n 's/^\.SH //p' "$share/plumb.1" | paste -sd ,)
[ "$sections" = 'NAME,SYNOPSIS,DESCRIPTION,OPTIONS,COMMANDS,EXIT STATUS,ENVIRONMENT,FILES,EXAMPLES,SEE ALSO' ] ||
    fail "the man page's sections are $sections"
if command -v man > /dev/null; then
    LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings=w -l "$share/plumb.1" 2>&1 > /dev/null | grep . && fail "troff has warnings"
fi

# --- help of each command: the words that call it are in the man page, as are its options ---
mapfile -t commands < <(sed -n 's/^\.SS //p' "$share/plumb.1" | sed 's/\\-/-/g')
[ ${#commands[@]} -gt 25 ] || fail "the man page has only ${#commands[@]} commands"
page=$(sed 's/\\-/-/g' "$share/plumb.1") named=0
for command in "${commands[@]}" sweep trace machine energy program; do
    read -ra words <<< "$command"
    "$PLUMB" "${words[@]}" --help > "$work/help" || fail "$command --help ends with $?"
    "$PLUMB" help "${words[@]}" | cmp -s - "$work/help" || fail "help $command is not $command --help"
    text=$(cat "$work/help")
    [[ $text == "Usage: plumb $command"* ]] || fail "$command --help does not begin with its usage"
    awk -v c="$command" 'length > 80 { print "FAIL", c, "--help is wider than 80 columns:", $0; wide = 1 } END { exit wide }' \
        "$work/help" || failed=$((failed + 1))
    for option in $(grep -oE '^  (-., )?--[a-z0-9-]+' <<< "$text" | grep -oE -- '--[a-z0-9-]+'); do
        named=$((named + 1))
        grep -qF -- "$option\\fR" <<< "$page" || fail "the man page lacks $option of $command"
        grep -qE -- "'$command'.*$option\b" "$share/plumb.bash" || fail "completion in bash lacks $option of $command"
        grep -qE -- "'\*?$option\[" "$share/plumb.zsh" || fail "completion in zsh lacks $option"
    done
done
[ "$named" -gt 150 ] || fail "only $named options were found"
says -F 0 'plumb sweep run SWEEP' help sweep run
says -F 0 'many machines, resumable' help
says -F 2 'did you mean sweep' help swep
says -F 2 'did you mean status' help sweep statsu

# --- completion in bash ---
PATH=$(dirname "$PLUMB"):$PATH
source "$share/plumb.bash"
compopt() { :; } # outside a completion
completes() { # WANTED WORD...: the last word is completed
    local wanted=$1
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _plumb plumb "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    [[ " ${COMPREPLY[*]} " == *" $wanted "* ]] || fail "completion of '$*': ${COMPREPLY[*]}, without $wanted"
}
completes estimate plumb est
completes status plumb sweep sta
completes rx540 plumb estimate rx5
completes fwt plumb estimate rx540 fw
completes l2.bank_kb= plumb compare rx540 fwt --vs l2.bank_
completes normal plumb energy show cache --access no
completes mshr plumb energy show ms
completes --dry-run plumb sweep run x.cfg --dr
completes estimate plumb help est
completes status plumb help sweep sta
completes never plumb estimate rx540 fwt --color ne
# what stands behind '=', which bash takes for a word
completes gto plumb estimate rx540 fwt --set sm.scheduler = g
completes rmws plumb estimate rx540 fwt --set sm.scheduler =
completes true plumb compare rx540 fwt --vs l1.enabled = t
completes simulate plumb compare rx540 fwt --engine = si
COMPREPLY=(none)
COMP_WORDS=(plumb estimate rx540 fwt --set l2.bank_kb = 5) COMP_CWORD=7
_plumb plumb 5 =
[ "${#COMPREPLY[@]}" -eq 0 ] || fail "a number has completions: ${COMPREPLY[*]}"
# A program that is no command of the shell's is asked by the name it was typed by.
typed=$(realpath "$PLUMB")
PATH=/usr/bin:/bin
COMP_WORDS=("$typed" estimate rx5) COMP_CWORD=2
_plumb "$typed" rx5 estimate
[[ " ${COMPREPLY[*]} " == *' rx540 '* ]] || fail "completion of a path: ${COMPREPLY[*]}"
exit $((failed > 0))
