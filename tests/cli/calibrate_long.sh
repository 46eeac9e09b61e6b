#!/bin/bash
# plumb calibrate --choose active takes as many machines as it is asked for, also more than the spread points that it
# begins with as candidates.
set -u
plumb=$(realpath "${PLUMB:-build/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

printf 'generator = "stream";\nctas = 2;\nwarps_per_cta = 1;\niterations = 1;\n' > "$work/a.cfg"
cat > "$work/sweep.cfg" << 'END'
machine   = "rx540";
workloads = ( "a.cfg" );
axes      = ( { path = "l2.latency"; range = [20, 200]; points = 19; }, { path = "l1.latency"; range = [5, 50]; points = 10; } );
output    = "a.db";
END
status 'calibrate actively' 0 "$plumb" calibrate "$work/sweep.cfg" -o "$work/a.cal" --points 70 --choose active -q
grep -q '70 sampled runs at 70 machines' "$work/out" || fail "not 70 machines: $(grep machines "$work/out")"

# What is more than a fit takes is refused before it is sampled.
sed 's/200\]; points = 19/129]; points = 110/' "$work/sweep.cfg" > "$work/large.cfg"
status 'more runs than a fit takes' 2 "$plumb" calibrate "$work/large.cfg" -o "$work/b.cal" --points 1100
grep -q '1100 sampled runs, at most 1024' "$work/err" || fail "too many: $(cat "$work/err")"
exit $((failed > 0))
