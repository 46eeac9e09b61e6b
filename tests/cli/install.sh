#!/bin/bash
# Does an installation stand by itself: only what the component names, its own data first, wherever it is moved to?
set -u
: "${PLUMB:?the program to test}"
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=$(dirname "$PLUMB")

status "install program" 0 cmake --install "$build" --component program --prefix "$work/first"
[ -x "$work/first/bin/plumb" ] || fail "no program was installed"
for file in man/man1/plumb.1 bash-completion/completions/plumb zsh/site-functions/_plumb plumb/metrics.schema.json; do
    [ -s "$work/first/share/$file" ] || fail "no share/$file was installed"
done
[ -e "$work/first/libexec" ] && fail "the component program brought workloads"
find "$work/first" -name '*cmocka*' -o -name 'unit_*' -o -name 'bench_*' | grep -q . && fail "tests were installed"

mv "$work/first" "$work/moved"
sed -i 's/^description = .*/description = "the moved installation";/' "$work/moved/share/plumb/configs/gpus/rx540.cfg"
PLUMB=$work/moved/bin/plumb
says -F 0 'the moved installation' machine list
says -F 0 'cycles' estimate rx540 fwt -q
says -F 0 '/moved/bin/../share/plumb/configs/workloads/fwt.plt' program list --json
says -F 0 '/moved/bin/../share/plumb/papers/khairy/workloads/khairy/triad.cfg' program list --json
says -F 0 'calibrations/titanv-gpgpusim3.cal' estimate titanv-gpgpusim3 khairy/mb1-01
status 'a study' 0 "$work/moved/share/plumb/papers/verdicts.sh" "$work/moved/share/plumb/papers/khairy/studies/khairy.sql"
grep -q '^KH-COAL-S1-32 .* size ' "$work/out" || fail "a study: $(head -3 "$work/out")"

status "install workloads" 0 cmake --install "$build" --component workloads --prefix "$work/moved"
if [ -d "$work/moved/libexec" ]; then
    [ -e "$work/moved/share/plumb/workloads/fwt/fwt.cl" ] || fail "no kernels were installed"
fi
exit $((failed > 0))
