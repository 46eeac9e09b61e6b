/* directory_l1s.h - L1s under a directory protocol in a functional pass.
 *
 * States change by the protocol's own tables (gpu/coherence/moesi_states.h), and every transaction
 * completes at once. The L1s themselves say who has copies of a block, and an interval's directory
 * is built from them (sim_interval.c): the owner is the L1 that has the block in E, O or M.
 *
 * Memory: directory_l1s_init and directory_l1s_save allocate. */
#pragma once

#include "gpu/coherence/moesi_states.h"
#include "gpu/functional/memory/functional_caches.h"

/* Protocol state of an L1's lines; only entries of resident lines are valid. */
struct directory_l1 {
    uint8_t *state;         /* [lines] enum owner_state */
    uint64_t (*written)[2]; /* [lines] bytes stored to a line in state N */
};

bool directory_l1s_init(struct functional_caches *w); /* false: no memory */
void directory_l1s_fini(struct functional_caches *w);
/* Performs an access to one block; the mask counts from the block's beginning. */
void directory_l1s_access(struct functional_caches *w, uint32_t sm, const struct access *a,
                          uint8_t hint);
/* Performs an acquire (also at a launch's beginning) or a release. */
void directory_l1s_synchronise(struct functional_caches *w, uint32_t sm, enum owner_event event);
/* Adds the protocol state to an image that cache_save has filled; false: no memory. */
bool directory_l1s_save(const struct functional_caches *w, uint32_t sm, struct cache_image *to);
void directory_l1s_serialize(struct functional_caches *w, struct serializer *t);
