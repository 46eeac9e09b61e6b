# %% [markdown]
# # Cards: which one runs my program fastest, and why?
#
# plumb comes with presets of real cards; each value has its source (`plumb machine show h100-sxm`). A program is a trace, or a generator
# with parameters behind its name, such as a matrix product.
# %%
import plumb

cards = {name: plumb.Machine(name) for name in ("v100", "a100-80", "h100-sxm")}
product = "ml/gemm M=1024 N=1024 K=1024"
answers = {name: card.estimate(product) for name, card in cards.items()}
for name, answer in answers.items():
    low, high = answer["confidence"]["ranges"]["time_us"]
    print(f"{name:>9}: {answer['time_us']:7.1f} us ({low:.0f} to {high:.0f}), limited by {answer['bottleneck']}")
# %% [markdown]
# A program that follows pointers through a graph gains less from a newer card than a product does.
# %%
for name, card in cards.items():
    graph = card.estimate("quick/bfs")
    print(f"{name:>9}: {graph['time_us']:7.1f} us, {answers['v100']['time_us'] / answers[name]['time_us']:.1f} times the V100's speed on the product")
# %% [markdown]
# `compare` answers for the second machine, with the range of the ratio: what two estimates of one program have wrong in the same way
# leaves it.
# %%
answer = plumb.compare(cards["a100-80"], cards["h100-sxm"], "quick/bfs")
ratio = answer["confidence"]["ratio"]
print(f"an H100 takes {ratio['value']:.2f} times as long as an A100 ({ratio['low']:.2f} to {ratio['high']:.2f})")
answer
# %% [markdown]
# A card that does not exist is a preset with other values.
# %%
slower = cards["v100"].change({"clock.core_mhz": 1000})
slower.estimate("quick/bfs", what_helps=True)
