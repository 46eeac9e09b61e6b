/* l2_two_state.h - an L2 slice under a coherence protocol: what the home's table says of a request
 * before (or instead of) the slice's own look-up and miss management.
 *
 * State of a block: a read round the L2 in flight = R; a fill in flight, or its line in transition
 * = F; dirty = D; valid = V; else I.  A read round the L2 takes an MSHR entry without a line: no
 * two reads of one block are on their way to memory, and nothing that follows overtakes it. */
#ifndef PLUMB_DETAILED_COHERENCE_L2_TWO_STATE_H
#define PLUMB_DETAILED_COHERENCE_L2_TWO_STATE_H

#include "detailed/l2/l2.h"
#include "gpu/cache/protocol.h"

/* One request at the end of its look-up; false: it must wait where it is. */
bool l2_two_state_access(struct l2_slice *s, uint32_t req, uint64_t now);
/* Data have come for an entry; false: it is miss management's. */
bool l2_two_state_fill(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now);
/* Must a line that leaves be written to memory as far as it is dirty? */
bool l2_two_state_cleans(const struct l2_slice *s);

#endif
