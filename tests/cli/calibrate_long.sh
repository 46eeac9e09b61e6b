#!/bin/bash
# Many runs to calibrate by: --choose active takes as many machines as it is asked for, also more than the spread
# points that it begins with as candidates; what is more than a fit takes is refused, and engine auto does without.
set -u
plumb=$(realpath "${PLUMB:-build/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
command -v sqlite3 > /dev/null || { echo 'sqlite3 is missing'; exit 77; }
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

# Engine auto fits some of them.
sed 's/200\]; points = 19/279]; points = 260/; s/a\.db/auto.db/' "$work/sweep.cfg" > "$work/auto.cfg"
echo 'engine = "auto"; budget = { points = 2600; error = 0.9; };' >> "$work/auto.cfg"
status 'auto of more than a fit takes' 0 "$plumb" sweep run "$work/auto.cfg" --db "$work/auto.db" -q
runs=$(sqlite3 "$work/auto.db" "SELECT count(*) FROM run WHERE engine = 'simulate'")
[ "$runs" -gt 1024 ] || fail "auto simulated $runs runs: not more than a fit takes"
exit $((failed > 0))
