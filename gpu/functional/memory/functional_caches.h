/* functional_caches.h - the memory of the functional machine: what every access of a program leaves
 * in caches, predictors and open rows, without time.  checkpoints.c says who accesses when.
 *
 * Memory: functional_caches_init and _launch allocate. */
#ifndef PLUMB_GPU_FUNCTIONAL_MEMORY_FUNCTIONAL_CACHES_H
#define PLUMB_GPU_FUNCTIONAL_MEMORY_FUNCTIONAL_CACHES_H

#include "base/error.h"
#include "gpu/cache/protocol.h"
#include "gpu/functional/execution/fluid_timing.h"
#include "gpu/functional/memory/inclusion_filter.h"
#include "gpu/functional/warming/warm_state_internal.h"
#include "gpu/geometry/address_map.h"
#include "gpu/policies/throttle.h"
#include "trace/program/inst.h"
#include "trace/program/program.h"

struct bypass;
struct directory_l1;
struct serializer;
struct machine;

struct functional_caches {
    const struct machine *m;
    struct map map;
    uint32_t access_bytes; /* what lanes join into */
    struct cache *l1, *slice, *scalar;
    uint32_t scalars;
    struct inclusion_filter *copies; /* [l2.banks], NULL: nobody has to know */
    uint32_t sms;
    uint32_t sm;      /* whose instruction is under way */
    bool copies_down; /* its access takes a copy, of which an inclusive L2 has a record */
    struct coherence coherence;
    struct bypass *bypass; /* [sms] */
    uint32_t *row;
    double *touched; /* when each row was, by the pass's clock */
    uint32_t banks;
    struct fluid_timing timing;
    struct directory_l1 *owner; /* [sms] under a protocol with a directory; NULL elsewhere */
    struct throttle *throttle; /* [sms], told what happens in the L1s; NULL: no warp is held back */
    uint32_t warp;             /* whose instruction is under way, by its name on the SM */
    uint64_t issued;           /* instructions of its SM before it */
    uint64_t asked, hits;      /* of the L2, since the caches were made; not serialized */
};

/* To be undone with functional_caches_fini even if it fails. */
bool functional_caches_init(struct functional_caches *w, const struct machine *m, struct error *e);
void functional_caches_fini(struct functional_caches *w);
bool functional_caches_init_l1(struct functional_caches *w, uint32_t sm,
                               const struct cache_params *p);
/* A launch begins that leaves each L1 so much; false: no memory. */
bool functional_caches_begin_launch(struct functional_caches *w, uint32_t l1_kb);
/* Which warp of its SM the next instruction is of; for throttles. */
static inline void functional_caches_set_warp(struct functional_caches *w, uint32_t warp,
                                              uint64_t issued)
{
    w->warp = warp;
    w->issued = issued;
}
/* Whether an instruction goes through the L1's door and the buffer of its SM. */
bool functional_caches_uses_l1(const struct functional_caches *w, const struct warp_inst *inst);
/* An instruction that issues at that time; returns when its last access is served. */
double functional_caches_execute(struct functional_caches *w, uint32_t sm,
                                 const struct warp_inst *inst, double issued);
/* An access of the L2, or of memory behind it; the latter returns what is queued before it. */
void functional_caches_touch_l2(struct functional_caches *w, uint64_t addr,
                                const struct access *in);
double functional_caches_touch_memory(struct functional_caches *w, uint64_t addr);
/* That SM's L1 has a copy of what the L2 has, which an inclusive one knows. */
void functional_caches_note_copy(struct functional_caches *w, uint32_t sm, uint64_t addr);
void functional_caches_copy(struct functional_caches *w, const struct command *c);
struct warm_state *functional_caches_save(const struct functional_caches *w); /* NULL: no memory */
/* All of its state, between two instructions; false: no memory. */
bool functional_caches_serialize(struct functional_caches *w, struct serializer *t);
void warm_state_free(struct warm_state *s);

#endif
