/* inclusion_filter.h - an inclusive L2 in a functional pass: a line that leaves a slice takes with
 * it the copies that L1s have of it, as coherence/recall.h does it in time.
 *
 * By line of a slice a bit for each SM that has asked for it: who may have a copy.  Bits too many
 * cost a look-up and change nothing, so that a pass that goes on from a serialized state may set
 * them by what the L1s hold.
 *
 * And a bit for each SM on the L2's own record, which an interval begins with: to whom the line was
 * served as a copy, whether that is still there or not (coherence/recall.h).  Who is on it is asked
 * when the line leaves, and the way to memory waits for the answer.
 *
 * Memory: inclusion_filter_init allocates.  Source: Candel 5.4; mechanisms 2 and 25. */
#ifndef PLUMB_GPU_FUNCTIONAL_MEMORY_INCLUSION_FILTER_H
#define PLUMB_GPU_FUNCTIONAL_MEMORY_INCLUSION_FILTER_H

#include "gpu/cache/cache.h"

struct inclusion_filter {
    uint64_t *holder; /* [lines of the slice][words], NULL: not inclusive */
    uint64_t *served; /* the same: on record */
    size_t lines;
    uint32_t words;
    bool gone; /* the access under way has pushed a line out */
    uint64_t tag;
};

/* The slice tells what leaves it.  Precondition: neither moves.  false: no memory. */
bool inclusion_filter_init(struct inclusion_filter *k, struct cache *slice, uint32_t sms);
void inclusion_filter_fini(struct inclusion_filter *k);
/* The L1s' copies of the address's line leave; whether one of them was dirty. */
bool inclusion_filter_evict(struct inclusion_filter *k, const struct cache *slice, uint32_t line,
                            uint64_t tag, struct cache *l1);
struct serializer;
void inclusion_filter_serialize(struct inclusion_filter *k, struct serializer *t); /* the record */
/* That SM is on record. */
static inline void inclusion_filter_record(struct inclusion_filter *k, uint32_t line, uint32_t sm)
{
    k->served[(size_t)line * k->words + sm / 64] |= UINT64_C(1) << sm % 64;
}
/* That SM's L1 may have a copy of the line. */
static inline void inclusion_filter_note_copy(struct inclusion_filter *k, uint32_t line,
                                              uint32_t sm)
{
    k->holder[(size_t)line * k->words + sm / 64] |= UINT64_C(1) << sm % 64;
}

#endif
