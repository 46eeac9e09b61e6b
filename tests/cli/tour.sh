#!/bin/bash
# Does docs/tour.md work as it is printed?  Its commands are typed one after the other in an empty folder, with plumb in the
# PATH and a bank of runs of its own (typed.bash says how).
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
"$plumb" cc --version > /dev/null 2>&1 || { echo "plumb cc has no compiler (scripts/deps.sh --capture)"; exit 77; }
page=$PWD/docs/tour.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
unset PLUMB_BANK
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
source "$(dirname "${BASH_SOURCE[0]}")/typed.bash"
mkdir "$work/bin" "$work/here"
ln -s "$plumb" "$work/bin/plumb"
PATH=$work/bin:$PATH
cd "$work/here" || exit 1

reason() { :; }
shorter() { echo "$1"; }
type_page "$page"
# A tour that lost its form would pass by holding nothing.
[ "$typed" -ge 12 ] && [ "$compared" -ge 7 ] || fail "only $typed commands typed, $compared of them compared"
exit $((failed > 0))
