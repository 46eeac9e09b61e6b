/* directory_model.h - the traffic that protocols with a directory (MOESI, NMOESI) add to a launch.
 *
 * Stores and atomics bring their block to the L1, as loads do.  A block that leaves an L1 is put
 * back: a dirty one with its data, a clean one by a message that is answered.  If the L2 has
 * evicted the line meanwhile, the put misses there again.
 *
 * Under MOESI an L1 loses hits on lines that another SM has stored to since.  Such a miss, and a
 * store that needs the only copy, asks the owners, which takes longer than other requests
 * (stations.c).  A launch takes at least the time of its hottest line's requests, one after the
 * other (launch_model.c). NMOESI's atomics, which own their blocks, have no such term. Source:
 * Candel 2.4.A, 4.6.4; docs/models/estimator.md. */
#pragma once

#include "estimator/cache/cache_levels.h"
#include "gpu/machine/params/coherence/coherence.h"

/* Turns the levels of write-through L1s into those of the protocol.  lines: capacity of each of the
 * `sms` L1s. */
void directory_model_find(struct cache_levels *v, const struct launch_profile *p,
                          const struct coherence_params *c, const struct l2_params *l2,
                          double lines, double sms);
