#!/bin/bash
# Do the notebooks of docs/guide/notebooks run from their first cell to their last with Python alone, and are they as
# scripts/notebooks.py writes them? Does a page name each of them?
set -u
plumb=$(realpath "${PLUMB:-build/plumb}")
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
PLUMB_LIBRARY=$(realpath "${PLUMB_LIBRARY:-$(dirname "$plumb")/libplumb.so}")
export PLUMB_LIBRARY PYTHONPATH=$PWD/libplumb/python PYTHONDONTWRITEBYTECODE=1 PATH=$(dirname "$plumb"):$PATH
[ -e "$PLUMB_LIBRARY" ] || { echo "libplumb.so was not built"; exit 77; }
nm -D "$PLUMB_LIBRARY" | grep -q ' __asan_init' && { echo "Python does not load a library with sanitizers"; exit 77; }
command -v python3 > /dev/null || { echo "python3 is missing"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
status 'the notebooks' 0 python3 scripts/notebooks.py --check
grep -v ' cells$' "$work/out"
[ "$(grep -c ' cells$' "$work/out")" = 5 ] || fail "five notebooks: $(cat "$work/out")"
for notebook in docs/guide/notebooks/*.ipynb; do
    grep -q "notebooks/${notebook##*/}" docs/guide/python.md || fail "docs/guide/python.md does not name $notebook"
done
exit $((failed > 0))
