#!/bin/bash
# What notebooks rely on: pandas reads an exported CSV with the right types and every digit, and the example reads a
# sweep's database.
set -u
plumb=$(realpath "${PLUMB:-build/plumb}")
example=$(realpath libplumb/examples/sweep.py)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
python=
for p in python3 /usr/bin/python3; do "$p" -c 'import pandas' 2> /dev/null && python=$p && break; done
[ -n "$python" ] || { echo "pandas is missing"; exit 77; }
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

printf 'generator = "stream";\nctas = 24;\nwarps_per_cta = 2;\niterations = 6;\n' > "$work/a.cfg"
printf 'generator = "gather";\nctas = 8;\nwarps_per_cta = 2;\niterations = 3;\nfootprint = "256KB";\n' > "$work/b.cfg"
sweep() { # ENGINE
    cat > "$work/$1.cfg" << END
machine   = "rx540";
workloads = ( "a.cfg", "b.cfg" );
axes      = ( { path = "sm.scheduler"; values = ["gto", "lrr"]; }, { path = "l1.enabled"; values = [true, false]; },
              { path = "l1.kb"; values = [8, 16]; when = "l1.enabled"; }, { path = "dram.clock_mhz"; values = [1000.5, 1500.0]; } );
engine    = "$1";
output    = "x.db";
END
    status "sweep by $1" 0 "$plumb" sweep run "$work/$1.cfg" --db "$work/x.db" -q
}
sweep estimate
status 'some points simulated' 0 "$plumb" sweep check "$work/estimate.cfg" --db "$work/x.db" --simulate 5 -q
"$plumb" sweep export "$work/estimate.cfg" --db "$work/x.db" --csv -o "$work/x.csv"
"$plumb" sweep export "$work/estimate.cfg" --db "$work/x.db" --json -o "$work/x.json"
cat > "$work/columns.py" << 'END'
import json, sys
import pandas as pd
from pandas.api.types import is_bool_dtype, is_float_dtype, is_integer_dtype, is_numeric_dtype, is_object_dtype
work = sys.argv[1]
d = pd.read_csv(f"{work}/x.csv", float_precision="round_trip")
truth = json.load(open(f"{work}/x.json"))
assert len(d) == len(truth) == 24, len(d)
assert is_integer_dtype(d["point"]) and is_object_dtype(d["program"]) and is_object_dtype(d["sm.scheduler"])
assert is_bool_dtype(d["l1.enabled"]), d["l1.enabled"].dtype
assert is_float_dtype(d["dram.clock_mhz"]) and is_float_dtype(d["cycles"])
assert is_float_dtype(d["l1.kb"]) and d["l1.kb"].isna().sum() == 8  # does not apply without an L1
texts = {c for c in d.columns if not is_numeric_dtype(d[c])}
assert texts == {"program", "sm.scheduler", "engine", "status", "source", "bottleneck"}, texts
absent = sum("l1.energy_mj.tags" not in run["metrics"] for run in truth)
assert absent > 0 and d["l1.energy_mj.tags"].isna().sum() == absent  # absent is absent, not 0
assert not any(d[c].isna().all() for c in d.columns)  # no columns of nothing
checked = 0
for row, run in zip(d.to_dict("records"), truth):
    assert row["point"] == run["point"] and row["program"] == run["program"]
    for axis, v in run["at"].items():
        same = str(row[axis]).lower() == v if isinstance(v, str) else row[axis] == v  # JSON has names and truths as texts
        assert same, (axis, row[axis], v)
    for path, v in run["metrics"].items():
        assert row[path] == v, (path, row[path], v)
        checked += 1
assert checked > 24 * 20, checked
print(checked, "values")
END
"$python" "$work/columns.py" "$work" > "$work/seen" 2>&1 || fail "pandas reads another table: $(tail -3 "$work/seen")"

# The example, on a database of two engines.
status 'the example' 0 "$python" "$example" "$work/x.db"
grep -q '^12 points, 34 runs, axes: dram.clock_mhz, l1.enabled, l1.kb, sm.scheduler$' "$work/out" || fail "example: $(head -2 "$work/out")"
grep -q 'cycles, relative' "$work/out" || fail 'the example shows no axis'
grep -q '^estimate *a ' "$work/out" || fail 'the example shows no errors of the estimates'
exit $((failed > 0))
