/* inclusion_filter.h - back-invalidation by an inclusive L2 in a functional pass: when a slice
 * evicts a line, the L1s' copies of it are invalidated (back_invalidate.h does this with timing).
 *
 * `holder` has, by line of a slice, a bit for each SM that has requested it and so may have a copy.
 * Superfluous bits cost a look-up and change nothing; a pass that continues from serialized state
 * sets them from the contents of the L1s.
 *
 * `served` is the L2's own record, with which an interval begins: a bit for each SM to which the
 * line was sent as a copy, whether the copy is still there or not. The L2 asks these SMs when it
 * evicts the line, and the miss waits for their answers.
 *
 * Memory: inclusion_filter_init allocates. Source: Candel 5.4. */
#pragma once

#include "gpu/cache/cache.h"

struct inclusion_filter {
    uint64_t *holder; /* [lines of the slice][words] SMs that may have a copy */
    uint64_t *served; /* [lines of the slice][words] SMs on the L2's record */
    size_t lines;
    uint32_t words;
    bool gone; /* the current access has evicted a line, whose tag is `tag` */
    uint64_t tag;
};

/* Registers the filter for the slice's evictions; neither may move in memory afterwards. false: no
 * memory. */
bool inclusion_filter_init(struct inclusion_filter *k, struct cache *slice, uint32_t sms);
void inclusion_filter_fini(struct inclusion_filter *k);
/* Invalidates the L1s' copies of the evicted line; returns whether one of them was dirty. */
bool inclusion_filter_evict(struct inclusion_filter *k, const struct cache *slice, uint32_t line,
                            uint64_t tag, struct cache *l1);
struct serializer;
/* Only `served`. */
void inclusion_filter_serialize(struct inclusion_filter *k, struct serializer *t);
/* Puts the SM on the L2's record. */
static inline void inclusion_filter_record(struct inclusion_filter *k, uint32_t line, uint32_t sm)
{
    k->served[(size_t)line * k->words + sm / 64] |= UINT64_C(1) << sm % 64;
}
/* Records that the SM's L1 may have a copy of the line. */
static inline void inclusion_filter_note_copy(struct inclusion_filter *k, uint32_t line,
                                              uint32_t sm)
{
    k->holder[(size_t)line * k->words + sm / 64] |= UINT64_C(1) << sm % 64;
}
