/* owned.h - what the protocols with a directory (MOESI, NMOESI) add to a launch's traffic.
 *
 * Stores and atomics take their block to the L1, like loads; what leaves an L1 is put: dirty blocks
 * with their bytes, clean ones by a message that is answered.  Where lines that are put have left
 * the L2 meanwhile they are missed there once more.
 *
 * Not told apart: who shares lines with whom.  Invalidations, questions to owners and requests sent
 * back by locked entries have no term: under MOESI programs whose SMs store to the same lines at a
 * time take longer than this says.
 * Source: Candel 2.4.A, 4.6.4; docs/model.md. */
#ifndef PLUMB_ESTIMATOR_OWNED_H
#define PLUMB_ESTIMATOR_OWNED_H

#include "estimator/levels.h"
#include "machine/coherence.h"

bool owned_blocks(const struct coherence_params *c); /* the protocol has a directory */
/* Turns the levels of write-through L1s into those of the protocol.  lines: of an L1, of which
 * there are `sms`. */
void owned_find(struct levels *v, const struct launch_profile *p, const struct coherence_params *c,
                const struct l2_params *l2, double lines, double sms);

#endif
