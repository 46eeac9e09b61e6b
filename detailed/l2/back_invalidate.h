/* back_invalidate.h - back-invalidation by an inclusive L2 (l2.inclusion): when the L2 evicts a
 * line, the L1s' copies of it are invalidated, under every protocol.
 *
 * The protocol's directory knows who has copies. Without a directory, a record lists the SMs to
 * which a line was served; an L1 that silently drops a copy stays on it. Probes take the reply
 * network, behind the data that made the copy; answers take the request network, behind an L1's
 * dirty bytes. Conventional miss management waits for the answers before the line is sent to memory
 * (Candel 5.4); if the victim is evicted at the miss, nothing waits.
 *
 * Invariant: back_invalidate_covers every address of which an L1 has a copy, once no fill is in
 * flight. Source: Candel 5.4, 6.4.1. */
#pragma once

#include "detailed/l2/l2.h"

/* Whether an L1 may have a copy of the line, so that it must be probed. */
bool back_invalidate_needed(const struct l2_slice *s, uint64_t tag);
/* Sends probes to all copies of a line. true: there were some, and l2_invalidated of the handle
 * follows (MSHR_NONE: nothing waits for it). */
bool back_invalidate_begin(struct l2_slice *s, uint64_t tag, uint32_t handle);
/* Without a directory: handles an L1's answer. */
void back_invalidate_answered(struct l2_slice *s, uint32_t req, uint64_t now);
/* Without a directory: called before a request is served from a line. leaving: the line is being
 * evicted. */
void back_invalidate_serves(struct l2_slice *s, struct req *r, bool leaving);
/* Without a directory: records that this L1 has a copy. */
void back_invalidate_note(struct l2_slice *s, uint64_t tag, uint32_t sm);
/* Whether the slice has the line of an address, or has probes in flight for it. */
bool back_invalidate_covers(const struct l2_slice *s, uint64_t addr);
