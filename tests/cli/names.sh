#!/bin/bash
# Is there one rule for the names of programs, and does a wrong name lead to the right one?
set -u
: "${PLUMB:?the program to test}"
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
PLUMB=$(realpath "$PLUMB")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Every name that is listed opens; the list names each kind.
"$PLUMB" program list --json > "$work/list" || fail "program list ends with $?"
jq -r '.[] | select(.kind != "suite") | .program' "$work/list" > "$work/names"
[ "$(wc -l < "$work/names")" -gt 50 ] || fail "only $(wc -l < "$work/names") programs are listed"
[ "$(jq -r '[.[].kind] | unique | join(" ")' "$work/list")" = 'Accel-Sim capture generator layer suite' ] ||
    fail "the kinds are $(jq -r '[.[].kind] | unique | join(" ")' "$work/list")"
for name in $(sed -n '1~25p' "$work/names"); do
    says -F 0 '' trace info "$name" --brief
done
[ "$(jq -r '.[] | select(.program == "fwt") | .warp_instructions' "$work/list")" = 589824 ] ||
    fail "fwt is not listed with its 589,824 warp instructions"

# The same program by its name, its path below workloads/, and its path from here.
for spec in fwt fwt.plt workloads/fwt.plt configs/workloads/fwt.plt; do
    "$PLUMB" trace info "$spec" --json | jq -r .digest
done | sort -u > "$work/digests"
[ "$(wc -l < "$work/digests")" -eq 1 ] || fail "names of fwt lead to several programs"

# A file that is there goes before a name.
cp configs/workloads/quick/lud.plt "$work/fwt"
(cd "$work" && "$PLUMB" trace info ./fwt --json | jq -r .digest) > "$work/here"
diff -q "$work/here" "$work/digests" > /dev/null && fail "the file ./fwt was passed over"

says -F 2 'the closest is quick/lud' estimate rx540 lud
says -F 2 'the closest is quick/lud' estimate rx540 quick/ldu
says -F 2 'the closest is stencil' estimate rx540 stencli
says -F 2 'the closest is quick/bfs' estimate rx540 workloads/bfs.plt
says -F 2 'plumb program list' estimate rx540 nothing-like-it
exit $((failed > 0))
