/* directory.h - an L2 slice as the home of a protocol with a directory: moesi_states.h says how.
 *
 * One entry per block that has copies or a transaction (directory_entries.h), whether its line is
 * in the L2 or not; under an inclusive L2 (back_invalidate.h) a line with copies is, and stays
 * while one of its blocks is locked.  What the look-up and miss management do for a locked block is
 * the slice's own; its answer ends the transaction (directory_answers). */
#ifndef PLUMB_DETAILED_COHERENCE_DIRECTORY_H
#define PLUMB_DETAILED_COHERENCE_DIRECTORY_H

#include "detailed/l2/l2.h"
#include "gpu/cache/moesi_states.h"
#include "gpu/cache/protocol.h"

#define DIRECTORY_STATS(C, M)                                            \
    C(messages, "requests, questions and answers of the protocol alone") \
    C(nacks, "requests that found their block locked")                   \
    C(recalls, "copies asked to leave because their line left an inclusive L2")
struct directory_stats {
    STATS_MEMBERS(DIRECTORY_STATS)
};

/* NULL: no memory. */
struct directory *directory_new(uint32_t sms);
void directory_free(struct directory *d);
void directory_clear(struct directory *d);
const struct directory_stats *directory_stats(const struct directory *d);

/* One request or answer at the end of its look-up; false: it must wait where it is. */
bool directory_access(struct l2_slice *s, uint32_t req, uint64_t now);
/* An answer to the question of a home is never sent back. */
bool directory_is_answer(const struct req *r);
/* The slice is about to answer a request that it has looked up, or to send it back. */
void directory_answers(struct l2_slice *s, uint32_t req, enum req_reply kind);
/* Under an inclusive L2: a block of this line is locked, so that it may not leave; ctx: the slice.
 */
bool directory_keeps(const void *ctx, uint64_t tag);
/* back_invalidate_begin for a line none of whose blocks is locked. */
bool directory_recall(struct l2_slice *s, uint64_t tag, uint32_t handle);
/* Nothing is under way. */
bool directory_idle(const struct directory *d);

#endif
