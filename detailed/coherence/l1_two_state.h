/* l1_two_state.h - an L1 under a coherence protocol: one cache that works by the agent's table.
 *
 * Takes the place of the L1's own way with accesses, fills and acquires (l1_internal.h); queues,
 * ports, MSHRs and time stay the L1's.  State of a block: valid in the tags = V; a fill in flight =
 * IV, or II when its MSHR entry is marked as killed; else I.
 *
 * Invariant: under write-through nothing in the L1 is dirty, so that an acquire drops lines in one
 * cycle and a release has only to wait for the warp's stores (sm/issue.c). */
#ifndef PLUMB_DETAILED_COHERENCE_L1_TWO_STATE_H
#define PLUMB_DETAILED_COHERENCE_L1_TWO_STATE_H

#include "detailed/l1/l1_internal.h"
#include "gpu/cache/protocol.h"

/* One access at the end of its look-up, its mask relative to the L1's grain. */
enum l1_stall l1_two_state_access(struct l1 *l, const struct l1_access *a, uint64_t now);
/* To be called ahead of a fill's data: marks the fill as one not to be kept if the table says so.
 * false: the table gives the data to nobody. */
bool l1_two_state_fill(struct l1 *l, const struct req *r);
void l1_two_state_acquire(struct l1 *l);

#endif
