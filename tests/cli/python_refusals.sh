#!/bin/bash
# Does the Python module refuse what the command line refuses, in the same words, and calls of what was closed?
set -u
plumb=$(realpath "${PLUMB:-build/plumb}")
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
PLUMB_LIBRARY=$(realpath "${PLUMB_LIBRARY:-$(dirname "$plumb")/libplumb.so}")
export PLUMB_LIBRARY
export PYTHONPATH=$PWD/libplumb/python PYTHONDONTWRITEBYTECODE=1
[ -e "$PLUMB_LIBRARY" ] || { echo "libplumb.so was not built"; exit 77; }
nm -D "$PLUMB_LIBRARY" | grep -q ' __asan_init' && { echo "Python does not load a library with sanitizers"; exit 77; }
command -v python3 > /dev/null || { echo "python3 is missing"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
cd "$work" || exit 1

# Errors: the library's words, before anything is run.
cat > errors.py << 'END'
import plumb
def says(what, kind, call):
    try:
        call()
    except kind as fault:
        assert what in str(fault), (what, str(fault))
    else:
        assert False, what
card = plumb.Machine("rx540")
says("did you mean rx540", plumb.Error, lambda: plumb.Machine("rx541"))
says("l2.bank_kb", plumb.Error, lambda: card.change({"l2.bank_kb": -1}))
says("no such program", plumb.Error, lambda: card.estimate("nowhere"))
says("no option treads", TypeError, lambda: card.estimate("bytes", treads=2))
says("no_metric", KeyError, lambda: card.metrics("bytes", ["no_metric"]))
says("min or max", ValueError, lambda: plumb.Sweep(card, ["bytes"], {"l1.kb": [8]}, {"cycles": "least"}))
says("treads: did you mean threads?", TypeError, lambda: card.estimate("bytes", treads=2))

# What the command line refuses, in its words.
fraction, whole = "allowed are numbers between 0 and 1", "allowed are whole numbers from 1 to "
wrong = [("confidence", v, fraction) for v in (5.0, -1.0, 1, float("nan"), float("inf"))]
wrong += [("error", v, fraction) for v in (-3, float("nan"), -float("inf"), 10**400)]
wrong += [("seed", v, whole) for v in (2**70, 2**63, -1, 1.5)]
wrong += [(name, v, whole) for name in ("threads", "budget", "max_instructions") for v in (-1, 2**64, 2**70, 2.0)]
wrong += [("threads", v, whole + "4096") for v in (4097, 2**32 + 1)]
for name, value, allowed in wrong:
    for engine in (card.estimate, card.sample, card.simulate):
        says(f"{name} {value}: {allowed}", ValueError, lambda: engine("bytes", **{name: value}))
    says(f"{name} {value}: {allowed}", ValueError, lambda: plumb.compare(card, card, "bytes", **{name: value}))
    if name == "seed":
        continue  # a sweep's own orders its designs, and may be any
    says(f"{name} {value}: {allowed}", ValueError,
         lambda: plumb.Sweep(card, ["bytes"], {"l1.kb": [8]}, {"cycles": "min"}, **{name: value}))
assert card.estimate("bytes", seed=7, threads=None)["seed"] == 7

# The number 0 is as without the option, as in C's struct.
zeros = dict(threads=0, budget=0, max_instructions=0, seed=0, error=0.0, confidence=0)
for engine in (card.estimate, card.sample, card.simulate):
    with_zeros, without = engine("bytes", **zeros), engine("bytes")
    assert with_zeros["cycles"] == without["cycles"] and with_zeros.get("confidence") == without.get("confidence")
assert plumb.compare(card, card, "bytes", **zeros)["cycles"] == card.estimate("bytes")["cycles"]
plumb.Sweep(card, ["bytes"], {"l1.kb": [8]}, {"cycles": "min"}, threads=0, budget=0).evaluate({"l1.kb": 8})
for options in ({"seed": "7"}, {"seed": True}, {"confidence": [0.9]}, {"per_kernel": "no"}, {"cal": 5}):
    says(f"the option {list(options)[0]} is ", TypeError, lambda: card.estimate("bytes", **options))

# Texts that C would cut, and things of other types.
says("holds a NUL", ValueError, lambda: plumb.Machine("rx540\0x"))
says("holds a NUL", ValueError, lambda: plumb.Machine("rx540", {"l1.kb": "16\0junk"}))
says("holds a NUL", ValueError, lambda: plumb.Machine("rx540", {"l1.kb\0": 16}))
says("holds a NUL", ValueError, lambda: card.estimate("bytes\0"))
says("holds a NUL", ValueError, lambda: plumb.Program("bytes\0", card))
says("holds a NUL", ValueError, lambda: card.estimate("bytes", kernel="a\0b"))
says("holds a NUL", ValueError, lambda: card.metrics("bytes", ["cycles\0"]))
says("no name of a parameter", ValueError, lambda: card.change({"l1.kb=16 #": 3}))
says("a dictionary of parameters", TypeError, lambda: plumb.Machine("rx540", ["l1.kb=16"]))
says("the machine is a text", TypeError, lambda: plumb.Machine(540))
says("a program is a text", TypeError, lambda: card.estimate(None))
says("a Machine is needed", TypeError, lambda: plumb.Program("bytes", "rx540"))
says("a Machine is needed", TypeError, lambda: plumb.compare(card, "rx540", "bytes"))

# Names that are misspelt: the nearest, before anything is run.
says("did you mean l2.hit_rate?", KeyError, lambda: card.metrics("bytes", ["l2.hit_rte"]))
says("did you mean simulate?", ValueError, lambda: card.metrics("bytes", ["cycles"], engine="simulat"))
says("did you mean sample?", ValueError, lambda: plumb.Sweep(card, ["bytes"], {"l1.kb": [8]}, {"cycles": "min"}, "smple"))
says("did you mean cycles?", KeyError, lambda: plumb.Sweep(card, ["bytes"], {"l1.kb": [8]}, {"cycels": "min"}))
says("did you mean l1.kb?", KeyError, lambda: plumb.Sweep(card, ["bytes"], {"l1.kb": [8]}, {"l1.bk": "min"}))
says("a list", TypeError, lambda: plumb.Sweep(card, "bytes", {"l1.kb": [8]}, {"cycles": "min"}))
says("a list", TypeError, lambda: plumb.Sweep(card, ["bytes"], {"l1.kb": "16"}, {"cycles": "min"}))
says("a list", TypeError, lambda: card.metrics("bytes", "cycles"))
sweep = plumb.Sweep(card, ["bytes"], {"l1.kb": [8, 16]}, {"cycles": "min", "l1.kb": "min"})
says("no value of l1.kb", ValueError, lambda: sweep.tell({}))
says("a finite value of each", ValueError, lambda: sweep.tell({"l1.kb": 8}, [1.0]))
says("a finite value of each", ValueError, lambda: sweep.tell({"l1.kb": 8}, [float("nan"), 8]))
says("design 2", IndexError, lambda: sweep.design(2))
assert sweep.rows == []

# Use after close, also while another thread uses it.
import threading
with plumb.Machine("rx540") as open_card:
    program = plumb.Program("bytes", open_card)
    assert open_card.metrics(program, ["cycles"])
for call in (lambda: open_card.estimate(program), lambda: open_card.change({}), lambda: plumb.Program("bytes", open_card),
             lambda: plumb.compare(card, open_card, program), lambda: plumb.Sweep(open_card, ["bytes"], {"l1.kb": [8]},
             {"cycles": "min"}).evaluate({"l1.kb": 8}), lambda: open_card.__enter__()):
    says("Machine('rx540', {}) is closed", ValueError, call)
open_card.close()
assert card.metrics(program, ["cycles"])  # outlives the machine that it was opened with
simulated = []
runs = threading.Thread(target=lambda: simulated.append(card.simulate(program)["cycles"]))
runs.start()
program.close(), program.close()
runs.join()
assert simulated == [] or simulated[0] > 0
says("Program('bytes') is closed", ValueError, lambda: card.simulate(program))
wide = plumb.Machine("rx540")
wide.metrics("bytes", ["cycles"])
narrow = wide.change({"sm.warp_width": 32, "sm.coalesce_lanes": 32})  # another width has programs of its own
assert narrow.metrics("bytes", ["cycles"]) != wide.metrics("bytes", ["cycles"])
assert plumb.compare(card, card.change({"l2.bank_kb": 512}), "bytes")["confidence"]["ratio"]
plumb.stop()
says("interrupted", plumb.Error, lambda: card.simulate("fwt"))
plumb.stop(False)
assert card.simulate("bytes")["cycles"] > 0
END
status errors 0 python3 errors.py
exit $((failed > 0))
