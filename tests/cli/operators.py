"""Reads the tables of plumb operators as the documentation of each simulator says; prints the time of a step in microseconds.

operators.py FORMAT FOLDER TOKENS BLOCKS: of the step that reads a prompt of so many tokens.
Sources: casys-kaist/LLMServingSim docs/docs/profiler/output-bundle.md; microsoft/vidur
vidur/execution_time_predictor/sklearn_execution_time_predictor.py; sgl-project/sglang tools/sglang-simulator README.md and
time_predictor/replay.py; mlcommons/chakra src/converter/text_converter.py.
"""
import csv
import json
import os
import sys


def rows(folder, name):
    with open(os.path.join(folder, name), newline="") as f:
        return list(csv.DictReader(f))


def llmservingsim(folder, tokens, blocks):
    """Looked up by layer and tokens; two norms a block."""
    dense = {(r["layer"], int(r["tokens"])): float(r["time_us"]) for r in rows(folder, "tp1/dense.csv")}
    heads = {(r["layer"], int(r["sequences"])): float(r["time_us"]) for r in rows(folder, "tp1/per_sequence.csv")}
    axes = ("prefill_chunk", "prefill_key", "n_decode", "kv_decode", "decode_q_len")
    attention = {tuple(float(r[a]) for a in axes): float(r["time_us"]) for r in rows(folder, "tp1/attention.csv")}
    assert all(r["layer"] == "attention" for r in rows(folder, "tp1/attention.csv"))
    with open(os.path.join(folder, "meta.yaml")) as f:
        meta = f.read()
    assert "max_num_batched_tokens:" in meta and "enabled: false" in meta
    once = ("embedding", "final_layernorm")
    block = sum(t for (layer, n), t in dense.items() if n == tokens and layer not in once)
    block += dense["layernorm", tokens] + attention[tokens, tokens / 2, 0, 0, 1]
    return blocks * block + sum(dense[layer, tokens] for layer in once) + heads["lm_head", 1] + heads["sampler", 1]


def vidur(folder, tokens, blocks):
    """Medians in ms, selected by the model's sizes; what Vidur has no column for (last norm, head, second addition) is left out."""
    block = ("input_layernorm", "attn_pre_proj", "attn_rope", "attn_post_proj", "post_attention_layernorm", "mlp_up_proj", "mlp_act",
             "mlp_down_proj", "add")
    need = ("n_head", "n_kv_head", "n_embd", "n_expanded_embd", "vocab_size", "use_gated_mlp", "num_tensor_parallel_workers")
    mlp = [r for r in rows(folder, "mlp.csv") if int(r["num_tokens"]) == tokens]
    assert len(mlp) == 1 and all(mlp[0][n] for n in need) and mlp[0]["use_gated_mlp"] in ("True", "False")
    prefill = [r for r in rows(folder, "attention.csv") if r["is_prefill"] == "True" and int(r["prefill_chunk_size"]) == tokens]
    decode = [r for r in rows(folder, "attention.csv") if r["is_prefill"] == "False"]
    assert len(prefill) == 1 and not prefill[0]["time_stats.attn_decode.median"]
    assert decode and all(float(r["time_stats.attn_decode.median"]) > 0 and int(r["prefill_chunk_size"]) == 0 for r in decode)
    for name in block:
        stats = [float(mlp[0]["time_stats.%s.%s" % (name, s)]) for s in ("min", "median", "max")]
        assert stats == sorted(stats) and stats[0] > 0, name
    ms = sum(float(mlp[0]["time_stats.%s.median" % name]) for name in block)
    ms += sum(float(prefill[0]["time_stats.%s.median" % name]) for name in ("attn_prefill", "attn_kv_cache_save"))
    return 1000 * (blocks * ms + float(mlp[0]["time_stats.emb.median"]))


def sglang(folder, tokens, blocks):
    """Seconds by the sorted pairs of new and cached tokens, as json.dumps writes them."""
    with open(os.path.join(folder, "replay_table.json")) as f:
        table = json.load(f)
    assert all(json.dumps(sorted(json.loads(key))) == key for key in table)
    return 1e6 * table[json.dumps([[tokens, 0]])]


def astra_sim(folder, tokens, blocks):
    """Twelve columns a layer; microseconds of the forward pass in the third."""
    with open(os.path.join(folder, "prefill-%d.txt" % tokens)) as f:
        lines = f.read().splitlines()
    layers = [line.split() for line in lines[2:]]
    assert lines[0].split()[0] == "DATA" and int(lines[1]) == len(layers) and all(len(c) == 12 for c in layers)
    assert sum(c[0].startswith("block") for c in layers) % blocks == 0
    for c in layers:
        assert [int(c[i]) for i in (4, 5, 7, 8, 10, 11)] == [0] * 6
    return sum(int(c[2]) for c in layers)


readers = {"llmservingsim": llmservingsim, "vidur": vidur, "sglang": sglang, "astra-sim": astra_sim}
print(readers[sys.argv[1]](sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
