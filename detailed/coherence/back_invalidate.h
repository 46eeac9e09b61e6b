/* back_invalidate.h - an inclusive L2 (l2.inclusion): a line that leaves takes with it the copies
 * that L1s have of it, whatever the protocol.
 *
 * Who has copies is in the protocol's directory; without one, in a record of whom a line was served
 * to, from which nobody is taken who drops a copy without a word.  Questions take the reply
 * network, behind the data that made the copy; answers take the request network, an L1's dirty
 * bytes ahead of them.  Conventional miss management waits for the answers before the line's way to
 * memory begins (Candel 5.4); where the victim leaves at the miss nobody waits.
 *
 * Invariant: back_invalidate_covers of every address that an L1 has a copy of, once no fill is
 * under way. Source: Candel 5.4, 6.4.1; mechanisms 2 and 25. */
#ifndef PLUMB_DETAILED_COHERENCE_BACK_INVALIDATE_H
#define PLUMB_DETAILED_COHERENCE_BACK_INVALIDATE_H

#include "detailed/l2/l2.h"

/* Somebody would have to be asked. */
bool back_invalidate_needed(const struct l2_slice *s, uint64_t tag);
/* The copies of a line are asked to leave; true: there were some, and l2_invalidated of the handle
 * follows (MSHR_NONE: nobody waits for it). */
bool back_invalidate_begin(struct l2_slice *s, uint64_t tag, uint32_t handle);
/* Without a directory: one of the L1s' answers. */
void back_invalidate_answered(struct l2_slice *s, uint32_t req, uint64_t now);
/* The same: a request is about to be served from a line, which is on its way out. */
void back_invalidate_serves(struct l2_slice *s, struct req *r, bool leaving);
/* The same: this L1 has a copy. */
void back_invalidate_note(struct l2_slice *s, uint64_t tag, uint32_t sm);
/* The slice has the line of an address, or is asking its copies to leave. */
bool back_invalidate_covers(const struct l2_slice *s, uint64_t addr);

#endif
