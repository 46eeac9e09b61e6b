/* directory_l1s.h - L1s under a protocol with a directory in a functional pass: states by the
 * protocol's own tables (coherence/owners.h), where every transaction is over at once.
 *
 * Who has copies of a block the L1s themselves say, so that the directory of an interval is made of
 * them (sim_interval.c): an owner is who has it in E, O or M.
 *
 * Memory: directory_l1s_init and directory_l1s_save allocate. */
#ifndef PLUMB_GPU_FUNCTIONAL_MEMORY_DIRECTORY_L1S_H
#define PLUMB_GPU_FUNCTIONAL_MEMORY_DIRECTORY_L1S_H

#include "gpu/cache/moesi_states.h"
#include "gpu/functional/memory/functional_caches.h"

/* Of an L1's lines, where they are resident. */
struct directory_l1 {
    uint8_t *state;         /* [lines] enum owner_state */
    uint64_t (*written)[2]; /* [lines] of N: bytes stored */
};

bool directory_l1s_init(struct functional_caches *w); /* false: no memory */
void directory_l1s_fini(struct functional_caches *w);
/* An access of a whole block; its mask is relative to it. */
void directory_l1s_access(struct functional_caches *w, uint32_t sm, const struct access *a,
                          uint8_t hint);
/* An acquire (or a launch begins), or a release. */
void directory_l1s_synchronise(struct functional_caches *w, uint32_t sm, enum owner_event event);
/* Beside what cache_save has left there; false: no memory. */
bool directory_l1s_save(const struct functional_caches *w, uint32_t sm, struct cache_image *to);
void directory_l1s_serialize(struct functional_caches *w, struct serializer *t);

#endif
