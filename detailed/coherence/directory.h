/* directory.h - an L2 slice as the home of a protocol with a directory: owners.h says how.
 *
 * One entry per block that has copies or a transaction, whether its line is in the L2 or not (the
 * L2 is not inclusive); their number has no bound.  What the look-up and miss management do for a
 * locked block is the slice's own; its answer ends the transaction (directory_answers).
 *
 * Memory: directory_new allocates, entries grow with the blocks that have copies at a time. */
#ifndef PLUMB_DETAILED_COHERENCE_DIRECTORY_H
#define PLUMB_DETAILED_COHERENCE_DIRECTORY_H

#include "detailed/cache/l2.h"
#include "detailed/coherence/owners.h"
#include "detailed/coherence/protocol.h"

struct directory_stats {
    uint64_t messages; /* requests, questions and answers of the protocol alone */
    uint64_t nacks;    /* requests that found their block locked */
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
/* No transaction is under way. */
bool directory_idle(const struct directory *d);

#endif
