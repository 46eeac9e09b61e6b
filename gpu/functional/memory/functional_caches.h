/* functional_caches.h - the memory of the functional machine: what every access of a program leaves
 * in caches, predictors and open rows, without time.  checkpoints.c says who accesses when.
 *
 * Memory: warm_caches_init and _launch allocate. */
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
struct warm_owner;
struct tape;
struct machine;

struct warm_caches {
    const struct machine *m;
    struct map map;
    uint32_t access_bytes; /* what lanes join into */
    struct cache *l1, *slice, *scalar;
    uint32_t scalars;
    struct warm_copies *copies; /* [l2.banks], NULL: nobody has to know */
    uint32_t sms;
    uint32_t sm;      /* whose instruction is under way */
    bool copies_down; /* its access takes a copy, of which an inclusive L2 has a record */
    struct coherence coherence;
    struct bypass *bypass; /* [sms] */
    uint32_t *row;
    double *touched; /* when each row was, by the pass's clock */
    uint32_t banks;
    struct pace pace;
    struct warm_owner *owner;  /* [sms] under a protocol with a directory; NULL elsewhere */
    struct throttle *throttle; /* [sms], told what happens in the L1s; NULL: no warp is held back */
    uint32_t warp;             /* whose instruction is under way, by its name on the SM */
    uint64_t issued;           /* instructions of its SM before it */
    uint64_t asked, hits;      /* of the L2, since the caches were made; on no tape */
};

/* To be undone with warm_caches_fini even if it fails. */
bool warm_caches_init(struct warm_caches *w, const struct machine *m, struct error *e);
void warm_caches_fini(struct warm_caches *w);
bool warm_l1_init(struct warm_caches *w, uint32_t sm, const struct cache_params *p);
/* A launch begins that leaves each L1 so much; false: no memory. */
bool warm_caches_launch(struct warm_caches *w, uint32_t l1_kb);
/* Which warp of its SM the next instruction is of; for throttles. */
static inline void warm_caches_by(struct warm_caches *w, uint32_t warp, uint64_t issued)
{
    w->warp = warp;
    w->issued = issued;
}
/* Whether an instruction goes through the L1's door and the buffer of its SM. */
bool warm_caches_asks_l1(const struct warm_caches *w, const struct warp_inst *inst);
/* An instruction that issues at that time; returns when its last access is served. */
double warm_caches_execute(struct warm_caches *w, uint32_t sm, const struct warp_inst *inst,
                           double issued);
/* An access of the L2, or of memory behind it; the latter returns what is queued before it. */
void warm_touch_l2(struct warm_caches *w, uint64_t addr, const struct access *in);
double warm_touch_memory(struct warm_caches *w, uint64_t addr);
/* That SM's L1 has a copy of what the L2 has, which an inclusive one knows. */
void warm_note_copy(struct warm_caches *w, uint32_t sm, uint64_t addr);
void warm_caches_copy(struct warm_caches *w, const struct command *c);
struct warm_state *warm_caches_save(const struct warm_caches *w); /* NULL: no memory */
/* All of its state, between two instructions; false: no memory. */
bool warm_caches_tape(struct warm_caches *w, struct tape *t);
void warm_state_free(struct warm_state *s);

#endif
