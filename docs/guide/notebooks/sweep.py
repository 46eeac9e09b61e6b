# %% [markdown]
# # A sweep: which designs are worth their cost?
#
# A GPU with more L2 and more memory channels is faster, and costs more. This notebook estimates 36 designs over two programs, keeps
# those that no other design beats, and checks the fastest ones on the cycle model.
# %%
import plumb

card = plumb.Machine("rx540")
programs = ["quick/kmeans", "quick/bfs"]  # traces that come with plumb; a path such as "./saxpy.plt" names one of your own
card.estimate("quick/bfs", what_helps=True)
# %% [markdown]
# An answer is a dictionary that a notebook shows as a table; `plumb metrics --schema` describes what is in it. `answer.flat()` has the
# numbers by their full names.
# %%
axes = {"l1.kb": [8, 16, 32], "l2.bank_kb": [128, 256, 512, 1024], "dram.channels": [2, 4, 8]}
goals = {"cycles": "min", "l2.bank_kb": "min", "dram.channels": "min"}
sweep = plumb.Sweep(card, programs, axes, goals)
while (design := sweep.ask()) is not None:
    sweep.tell(design)
sweep
# %% [markdown]
# The table shows the Pareto front: the designs that no other one beats in one goal without losing in another. With pandas,
# `sweep.front()` and `sweep.frame()` are frames.
#
# ## How far off?
#
# The cycle model runs the three fastest designs of the front.
# %%
import math

fastest = sorted(sweep.best(), key=lambda row: row["cycles"])[:3]
ratios = []
for row in fastest:
    design = {path: row[path] for path in axes}
    simulated = [card.change(design).simulate(p)["cycles"] for p in programs]
    ratios.append(row["cycles"] / math.exp(sum(map(math.log, simulated)) / len(programs)))
    print(design, f"estimated over simulated: {ratios[-1]:.2f}")
# %% [markdown]
# Larger sweeps are files that `plumb sweep run` runs on all cores, resumes and shares among hosts (docs/guide/sweeps.md);
# `plumb.read_sweep("results.db")` reads their databases, and `plumb report results.db --serve` shows them while they run.
