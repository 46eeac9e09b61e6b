/* max_latency.h - the slowest transaction of a vector memory instruction
 * (latency.max_per_instruction): chapter 2's metric, because a warp goes on when all its
 * transactions have returned.
 *
 * The transactions of one instruction meet hits, misses and queues independently, so that the
 * slowest of k has the distribution of a single one to the power of k. Units: core cycles.  Source:
 * Candel 2.5.B; order statistics. */
#pragma once

#include "base/memory/histogram.h"
#include "estimator/profile/profile_data.h"

/* load, store: latencies of one transaction, its wait for those before it included. */
void max_latency_find(const struct launch_profile *p, const struct histogram *load,
                      const struct histogram *store, struct histogram *out);
