#!/bin/bash
# Does the Python module answer as the command line does, find a sweep's front by ask and tell?
# (What it refuses: python_refusals.sh; the notebooks: notebooks.sh.)
set -u
plumb=$(realpath "${PLUMB:-build/plumb}")
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
PLUMB_LIBRARY=$(realpath "${PLUMB_LIBRARY:-$(dirname "$plumb")/libplumb.so}")
export PLUMB_LIBRARY
export PYTHONPATH=$PWD/libplumb/python PYTHONDONTWRITEBYTECODE=1
[ -e "$PLUMB_LIBRARY" ] || { echo "libplumb.so was not built"; exit 77; }
nm -D "$PLUMB_LIBRARY" | grep -q ' __asan_init' && { echo "Python does not load a library with sanitizers"; exit 77; }
programs=$(realpath configs/workloads)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
python=
for p in python3 /usr/bin/python3; do "$p" -c 'import pandas, scipy' 2> /dev/null && python=$p && break; done
[ -n "$python" ] || { echo "python3-pandas or python3-scipy is missing"; exit 77; }
cd "$work" || exit 1

# Answers: the command line's, to the last digit.
cat > answers.py << 'END'
import json, subprocess, sys
import plumb
program, machine = sys.argv[2], plumb.Machine("rx540", {"l2.bank_kb": 512})
for engine in ("estimate", "sample", "simulate"):
    said = subprocess.run([sys.argv[1], engine, "rx540", program, "--set", "l2.bank_kb=512", "--json", "-q"],
                          capture_output=True, check=True, text=True).stdout
    mine, theirs = getattr(machine, engine)(program), json.loads(said)
    for answer in (mine, theirs):
        answer.pop("host"), answer.pop("what_helps", None)
    assert mine == theirs, (engine, {k for k in theirs if mine.get(k) != theirs[k]})
    cycles, rate = machine.metrics(program, ["cycles", "l2.hit_rate"], engine)
    assert cycles == mine["cycles"] and rate == mine["l2"]["hit_rate"]
assert mine["set"] == ["l2.bank_kb=512"], mine["set"]
# A notebook shows a table; its texts are text, and flat() has the numbers by the names that `metrics` takes.
shown = machine.estimate(program, what_helps=True)
flat = shown.flat()
assert [flat[name] for name in ("cycles", "l2.hit_rate")] == machine.metrics(program, ["cycles", "l2.hit_rate"])
assert "host.seconds" not in flat and all(isinstance(v, (int, float)) for v in flat.values()), flat
page = shown._repr_html_()
assert page.startswith("<table>") and f"{shown['time_us']:.4g} us" in page and shown["what_helps"][0]["set"][0] in page, page
assert "<b>" not in plumb.Answer(shown, program="<b>")._repr_html_()
said = subprocess.run([sys.argv[1], "compare", "rx540", program, "--set", "l2.bank_kb=512", "--vs", "l1.kb=32", "--json",
                       "-q"], capture_output=True, check=True, text=True).stdout
mine, theirs = plumb.compare(machine, machine.change({"l1.kb": 32}), program), json.loads(said)[1]
for answer in (mine, theirs):
    answer.pop("host"), answer.pop("what_helps", None)
assert mine == theirs, {k for k in theirs if mine.get(k) != theirs[k]}
assert "ratio" in mine["confidence"] and mine["difference"]
END
status answers 0 "$python" answers.py "$plumb" "$programs/quick/bfs.plt"

# A sweep by ask and tell: the front that `plumb sweep` finds, and pandas frames of both.
cat > sweep.cfg << END
machine    = "rx540";
workloads  = ( "$programs/fwt.plt", "$programs/quick/bfs.plt" );
axes       = ( { path = "l1.kb"; values = [8, 16, 32]; }, { path = "l2.bank_kb"; values = [128, 256, 512, 1024]; },
               { path = "dram.channels"; values = [2, 4, 8]; } );
engine     = "estimate";
objectives = ( { metric = "cycles"; goal = "min"; }, { parameter = "l2.bank_kb"; goal = "min"; },
               { parameter = "dram.channels"; goal = "min"; } );
output     = "sweep.db";
END
status 'plumb sweep' 0 "$plumb" sweep run sweep.cfg -q
cat > front.py << 'END'
import sys
import numpy, pandas, plumb
programs = [sys.argv[1] + "/fwt.plt", sys.argv[1] + "/quick/bfs.plt"]
axes = {"l1.kb": [8, 16, 32], "l2.bank_kb": [128, 256, 512, 1024], "dram.channels": [2, 4, 8]}
mine = plumb.Sweep("rx540", programs, axes, {"cycles": "min", "l2.bank_kb": "min", "dram.channels": "min"})
while (design := mine.ask()) is not None:
    mine.tell(design)
assert len(mine) == len(mine.frame()) == 36
theirs = plumb.read_sweep("sweep.db")
assert len(theirs) == 72, len(theirs)
mean = numpy.exp(numpy.log(theirs.set_index("point")["cycles"]).groupby("point").mean())
theirs = theirs.drop_duplicates("point").set_index("point")[list(axes)].assign(cycles=mean)
both = mine.frame().merge(theirs, on=list(axes), suffixes=("", "_theirs"))
assert len(both) == 36 and numpy.allclose(both["cycles"], both["cycles_theirs"], rtol=1e-12)
cost = theirs[["cycles", "l2.bank_kb", "dram.channels"]].to_numpy()
best = [not any((o <= c).all() and (o < c).any() for o in cost) for c in cost]
front = {tuple(row) for row in theirs[best][list(axes)].to_numpy().tolist()}
assert front == {tuple(row) for row in mine.front()[list(axes)].to_numpy().tolist()} and 3 <= len(front) < 36, front
assert mine.best() == mine.front().to_dict("records"), mine.best()
page = mine._repr_html_()
assert page.startswith(f"<table><caption>Pareto front: {len(front)} of 36 designs told, of 36<") and page.count("<tr>") == len(front) + 1, page
again = plumb.Sweep("rx540", programs, axes, {"cycles": "min"})
assert [again.ask() for _ in range(36)] == [design for design, _ in mine.rows] and again.ask() is None
END
status 'ask and tell' 0 "$python" front.py "$programs"

exit $((failed > 0))
