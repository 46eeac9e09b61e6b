#!/bin/bash
# plumb trace: what its commands print, write and refuse.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
data=tests/data/accelsim
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

expect() { says -E "$@"; } # STATUS PATTERN ARGUMENT...

expect 0 'total +2 +257 +2,056 +65,977' trace info $data/f_reduction
expect 0 '"warp_instructions": 65977' trace info $data/f_reduction --json
expect 0 'warps of 64 lanes' trace info workloads/stream.cfg --width 64
expect 0 'whole: 2 launches' trace check $data/f_reduction
expect 0 '65977 warp instructions' trace import $data/f_reduction -o "$work/f.plt"
expect 0 'whole' trace check "$work/f.plt"
expect 0 '' trace export "$work/f.plt" "$work/f"
expect 0 'warp instructions' trace import "$work/f" -o "$work/g.plt"
digest() { "$PLUMB" trace info "$1" --json | grep '"digest"'; }
[ "$(digest "$work/f.plt")" = "$(digest "$work/g.plt")" ] || fail "export and import change the digest"
[ "$(digest "$work/f.plt")" = "$(digest $data/f_reduction)" ] || fail "import changes the digest"
expect 0 'warp instructions' trace generate workloads/reduction.cfg -o "$work/r.plt" --width 64
expect 2 '--lossy accepts them' trace export "$work/r.plt" "$work/r"
[ ! -e "$work/r" ] || fail "a refused export wrote something"
expect 0 'lost: warps of 64 lanes' trace export "$work/r.plt" "$work/r" --lossy
for command in info check import export generate; do
    expect 0 "^Usage: plumb trace $command " trace $command --help
done
expect 0 '^Usage: plumb trace' trace --help
expect 2 'did you mean info' trace inf
expect 2 'kernelslist.g' trace import $data -o "$work/x.plt"
expect 2 '-o FILE.plt is missing' trace import $data/f_reduction
expect 2 "does not take --lossy; 'plumb trace export' does" trace check "$work/f.plt" --lossy
expect 2 'allowed are 32, 64' trace info "$work/f.plt" --width 48
expect 2 '64 lanes' trace info "$work/f.plt" --width 64
head -c 900 "$work/f.plt" > "$work/cut.plt"
expect 2 'damaged trace: it is cut off' trace check "$work/cut.plt"
echo nothing > "$work/none.plt"
expect 2 'not a .plt trace' trace check "$work/none.plt"
[ $failed -eq 0 ] && echo "all as expected"
exit $((failed > 0))
