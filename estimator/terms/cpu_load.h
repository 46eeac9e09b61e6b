/* cpu_load.h - CPU cores beside the GPU: what they execute under the memory's latency, and what
 * they take of its channels.
 *
 * A core with misses n instructions apart, at most k in flight, and a latency of L cycles spends
 * n / base_ipc + (L - o) / min(k, 1 + rob / n) cycles per miss, where o = min(rob, (k - 1) n) /
 * base_ipc is what it executes beside the miss. Its bursts are background load of the channels: the
 * GPU's take 1 / (1 - busy) times as long. Not in it: rows that cores take from the GPU's requests,
 * flits of cores in the networks, who goes first. */
#pragma once

#include "estimator/launch/launch_model.h"
#include "gpu/metrics/metrics.h"

/* From the last pass's waits. */
void cpu_load_find(struct launch_model *m);
void cpu_load_metrics(const struct launch_model *m, struct metrics *o);
