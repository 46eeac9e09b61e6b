# %% [markdown]
# # An optimiser: designs that it proposes itself
#
# A space of designs that is too large for a grid is searched by an optimiser. Any that proposes designs and takes their values works with
# `Sweep.tell`: Optuna, BoTorch, scipy (docs/guide/python.md). This one needs Python alone: it changes the best design found so
# far in one place at a time.
# %%
import random

import plumb

axes = {
    "l1.kb": [8, 16, 32],
    "l2.bank_kb": [64, 128, 256, 512, 1024],
    "l2.mshr.entries": [8, 16, 32, 64, 128],
    "dram.channels": [1, 2, 4, 8],
    "sm.scheduler": ["gto", "lrr"],
}
sweep = plumb.Sweep("rx540", ["quick/bfs"], axes, {"cycles": "min"})
print(len(sweep), "designs")


def cost(design):
    """Time, at a price for each kilobyte of the L2 and each channel."""
    (cycles,) = sweep.tell(design)
    return cycles * (1 + design["l2.bank_kb"] / 2048) * (1 + design["dram.channels"] / 16)


# %% [markdown]
# The search begins where the card stands. A step that is no better is taken back.
# %%
draw = random.Random(5)
best = {"l1.kb": 16, "l2.bank_kb": 256, "l2.mshr.entries": 32, "dram.channels": 4, "sm.scheduler": "gto"}
least = first = cost(best)
for step in range(60):
    path = draw.choice(list(axes))
    other = {**best, path: draw.choice(axes[path])}
    value = cost(other)
    if value < least:
        best, least = other, value
        print(f"step {step:2}: {value / first:.3f} of the first design's cost, {path} = {other[path]}")
best
# %% [markdown]
# What the estimates are worth for the design that was found:
# %%
machine = sweep.machine.change(best)
estimated, simulated = machine.estimate("quick/bfs")["cycles"], machine.simulate("quick/bfs")["cycles"]
print(f"estimated over simulated: {estimated / simulated:.2f}")
