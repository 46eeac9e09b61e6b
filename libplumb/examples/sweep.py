#!/usr/bin/env python3
"""A sweep's database in pandas: which machine is best, what an axis costs, how far off the estimates are.

    plumb sweep run configs/sweeps/rx540-demo.cfg
    python3 libplumb/examples/sweep.py rx540-demo.db

Tables and views are described in docs/guide/database.md.  Cells are marked with "# %%" for editors that run them one by one.
"""
# %% Read: one row per point and program, one column per metric
import sqlite3
import sys

import numpy as np
import pandas as pd

db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
sweep = db.execute("SELECT max(id) FROM sweep").fetchone()[0]
values = pd.read_sql("SELECT point, program, engine, metric, value FROM value WHERE sweep = ?", db, params=[sweep])
runs = values.pivot_table(index=["point", "program", "engine"], columns="metric", values="value")
places = pd.read_sql("SELECT point, path, value FROM place WHERE sweep = ?", db, params=[sweep])
axes = places.pivot(index="point", columns="path", values="value")
for axis in axes.columns:  # numbers as numbers, names as they are
    numbers = pd.to_numeric(axes[axis], errors="coerce")
    axes[axis] = axes[axis] if numbers.isna().any() else numbers
print(f"{len(axes)} points, {len(runs)} runs, axes: {', '.join(axes.columns)}")

# %% The best points: geometric mean over the programs
cycles = np.exp(np.log(runs["cycles"]).groupby(["point", "engine"]).mean()).unstack()
print(axes.join(cycles).sort_values(cycles.columns[-1]).head(10).to_string())

# %% What each axis is worth: mean cycles at each of its values, relative to the mean of all
relative = cycles.iloc[:, -1] / cycles.iloc[:, -1].mean()
for axis in axes.columns:
    print(relative.groupby(axes[axis]).mean().rename("cycles, relative").to_frame().round(3).to_string())

# %% How far off the cheaper engines are, where the cycle model has run, too
errors = pd.read_sql("SELECT engine, program, error FROM correlation WHERE sweep = ? AND metric = 'cycles'", db, params=[sweep])
if len(errors):
    print(errors.assign(error=errors["error"].abs()).groupby(["engine", "program"])["error"].describe().round(3).to_string())
