/* functional_partitions.h - the partitions of the L2 in a functional pass
 * (gpu/mechanisms/l2_partitions.h): which slice an access asks, which copies it leaves and removes.
 * Messages over the links come at once, and their time is told to the timing model. */
#pragma once

#include "gpu/functional/memory/functional_caches.h"

/* functional_caches_ask_l2 of a machine with partitions, for the SM that executes. */
enum fluid_level functional_partitions_ask(struct functional_caches *w, uint64_t addr,
                                           const struct access *in, double *queued);
/* The host copies this sector: its home's SMs are those that access it, and other copies leave. */
void functional_partitions_at_home(struct functional_caches *w, uint64_t addr);
/* A launch begins: L2s of their own write back what is dirty and drop all lines. */
void functional_partitions_launch(struct functional_caches *w);
