# %% [markdown]
# # A calibration: what a few runs say about all others
#
# The estimator is fast and some per cent off. Its errors for one program are alike on like machines, so that a few runs of the cycle
# model correct the estimates of many designs. `plumb calibrate` makes the runs and learns the correction.
# %%
import subprocess

import plumb

program, path = "quick/bfs", "l2.latency"
made = subprocess.run(["plumb", "calibrate", "rx540", program, "--points", "4", "-o", "bfs.cal", "-q"],
                      capture_output=True, text=True, check=True)
print(made.stdout)
# %% [markdown]
# The calibration is a file. `cal="none"` asks for the bare estimate, which no run corrects.
# %%
card = plumb.Machine("rx540")
bare = card.estimate(program, cal="none")
corrected = card.estimate(program, cal="bfs.cal")
corrected
# %% [markdown]
# Both estimates beside the cycle model, on machines with a slower L2. The stated half width is the range in which 95 of 100 answers lie.
# %%
print(f"{path:>13} {'simulated':>10} {'bare':>18} {'corrected':>18}")
widths = {"none": [], "bfs.cal": []}
for value in (60, 120, 200):
    machine = card.change({path: value})
    truth = machine.simulate(program)["cycles"]
    line = f"{value:>13} {truth:>10,.0f}"
    for cal in widths:
        answer = machine.estimate(program, cal=cal)
        half = answer["confidence"]["half_width"]
        widths[cal].append(half)
        line += f" {answer['cycles'] / truth - 1:>+8.1%} ± {half:>6.1%}"
    print(line)
