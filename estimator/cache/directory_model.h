/* directory_model.h - what the protocols with a directory (MOESI, NMOESI) add to a launch's
 * traffic.
 *
 * Stores and atomics take their block to the L1, like loads; what leaves an L1 is put: dirty blocks
 * with their bytes, clean ones by a message that is answered.  Where lines that are put have left
 * the L2 meanwhile they are missed there once more.
 *
 * Under MOESI hits are lost where another SM has stored to the line since; such a miss, and a store
 * that must become the only copy, asks whoever has one, by a way more than others (stations.c); and
 * no launch is shorter than its hottest line's questions, one after the other (launch_model.c).
 * NMOESI's atomics, which own their blocks, have no such term.
 * Source: Candel 2.4.A, 4.6.4; docs/models/estimator.md. */
#ifndef PLUMB_ESTIMATOR_CACHE_DIRECTORY_MODEL_H
#define PLUMB_ESTIMATOR_CACHE_DIRECTORY_MODEL_H

#include "estimator/cache/cache_levels.h"
#include "gpu/machine/params/coherence.h"

bool directory_model_applies(const struct coherence_params *c); /* the protocol has a directory */
/* Turns the levels of write-through L1s into those of the protocol.  lines: of an L1, of which
 * there are `sms`. */
void directory_model_find(struct cache_levels *v, const struct launch_profile *p,
                          const struct coherence_params *c, const struct l2_params *l2,
                          double lines, double sms);

#endif
