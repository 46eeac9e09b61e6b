/* l2_home.h - an L2 slice under a coherence protocol: finds the state of a request's block, looks
 * up its row in the home's table (gpu/coherence/protocol.h) and carries out the row's actions,
 * before (or instead of) the slice's own look-up and miss management. What QuickRelease adds is in
 * l2_sync_fifo.h, transactions of a directory are in directory.h.
 *
 * State of a block under si: a bypassing read in flight = R; a fill in flight, or its line in
 * transition = F; dirty = D; valid = V; else I. A read that bypasses the L2 takes an MSHR entry
 * without a line, so that no two reads of one block are in flight to memory and no later request
 * overtakes it. Under QuickRelease: block_place.h; with a directory its entry gives the state. */
#pragma once

#include "detailed/coherence/block_place.h"
#include "detailed/l2/l2.h"

/* Handles one request at the end of its look-up; false: it must wait where it is. */
bool l2_home_access(struct l2_slice *s, uint32_t req, uint64_t now);
/* Handles data for an entry; false: the entry belongs to miss management. */
bool l2_home_fill(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now);

/* --- actions that protocols share --- */
static inline const struct row *l2_home_row(const struct l2_slice *s, uint32_t state,
                                            uint32_t event)
{
    return transitions_row(&s->w->coherence->home, state, event);
}
/* Finds a block whose state no directory entry gives. */
struct block_place l2_home_find(const struct l2_slice *s, uint64_t addr);
/* Carries out what a row does to the block ahead of its request; the messages to L1s may move the
 * pool of requests. */
void l2_home_prepare(struct l2_slice *s, const struct block_place *at, const struct row *row,
                     uint64_t addr);
void l2_home_count(struct l2_slice *s, uint32_t req, enum verdict v);
