/* l1_two_state.h - an L1 under a coherence protocol without directory: a cache that works by the
 * agent's table. It replaces the L1's own handling of accesses, fills and acquires (l1_internal.h);
 * queues, ports, MSHRs and timing remain the L1's.
 *
 * State of a block: valid in the tags = V; a fill in flight = IV, or II if its MSHR entry is marked
 * as killed; else I. Invariant: under write-through nothing in the L1 is dirty, so that an acquire
 * invalidates lines in one cycle and a release only has to wait for the warp's stores (sm/issue.c).
 */
#pragma once

#include "detailed/l1/l1_internal.h"
#include "gpu/coherence/protocol.h"

/* Handles one access at the end of its look-up; its mask is relative to the L1's grain. */
enum l1_stall l1_two_state_access(struct l1 *l, const struct l1_access *a, uint64_t now);
/* Called before a fill's data arrive: marks a fill that the table does not keep. false: the table
 * gives the data to nobody. */
bool l1_two_state_fill(struct l1 *l, const struct req *r);
void l1_two_state_acquire(struct l1 *l);
