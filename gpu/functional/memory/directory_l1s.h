/* directory_l1s.h - L1s under a protocol with a directory in a functional pass: states by the
 * protocol's own tables (coherence/owners.h), where every transaction is over at once.
 *
 * Who has copies of a block the L1s themselves say, so that the directory of an interval is made of
 * them (sim_interval.c): an owner is who has it in E, O or M.
 *
 * Memory: owners_init and owners_save allocate. */
#ifndef PLUMB_GPU_FUNCTIONAL_MEMORY_DIRECTORY_L1S_H
#define PLUMB_GPU_FUNCTIONAL_MEMORY_DIRECTORY_L1S_H

#include "gpu/cache/moesi_states.h"
#include "gpu/functional/memory/functional_caches.h"

/* Of an L1's lines, where they are resident. */
struct warm_owner {
    uint8_t *state;         /* [lines] enum owner_state */
    uint64_t (*written)[2]; /* [lines] of N: bytes stored */
};

bool owners_init(struct warm_caches *w); /* false: no memory */
void owners_fini(struct warm_caches *w);
/* An access of a whole block; its mask is relative to it. */
void owners_access(struct warm_caches *w, uint32_t sm, const struct access *a, uint8_t hint);
/* An acquire (or a launch begins), or a release. */
void owners_synchronise(struct warm_caches *w, uint32_t sm, enum owner_event event);
/* Beside what cache_save has left there; false: no memory. */
bool owners_save(const struct warm_caches *w, uint32_t sm, struct image *to);
void owners_tape(struct warm_caches *w, struct tape *t);

#endif
