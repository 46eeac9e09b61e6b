/* l2_two_state.h - an L2 slice under a coherence protocol without directory: applies the home's
 * table to a request before (or instead of) the slice's own look-up and miss management.
 *
 * State of a block: a bypassing read in flight = R; a fill in flight, or its line in transition =
 * F; dirty = D; valid = V; else I. A read that bypasses the L2 takes an MSHR entry without a line,
 * so that no two reads of one block are in flight to memory and no later request overtakes it. */
#pragma once

#include "detailed/l2/l2.h"
#include "gpu/coherence/protocol.h"

/* Handles one request at the end of its look-up; false: it must wait where it is. */
bool l2_two_state_access(struct l2_slice *s, uint32_t req, uint64_t now);
/* Handles data for an entry; false: the entry belongs to miss management. */
bool l2_two_state_fill(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now);
/* Whether the dirty bytes of an evicted line must be written to memory. */
bool l2_two_state_cleans(const struct l2_slice *s);
