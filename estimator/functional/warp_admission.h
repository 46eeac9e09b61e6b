/* warp_admission.h - which warps of an SM the functional pass lets go on, by the policies of the
 * machine.
 *
 * The same policies as in the cycle model (gpu/policies/sched.h, throttle.h) at the pass's nominal
 * pace: they are told what they would be told there, as far as the pass knows it.  An L1 of the
 * machine's capacity says what is pushed out, in the order of use (LRU, any set).
 *
 * A warp is *runnable* unless it waits for memory or at a barrier, *here* when its time has come,
 * and *held* when it is here and a throttle keeps it.  What the time model wants to know is how
 * many warps run side by side, averaged over the launch: while some are held those that are not,
 * else no more than the limit.  One at a barrier counts as long as its loads are under way.
 *
 * Units: warps by the owner's numbers; time in the pass's cycles.
 * Memory: govern_init and govern_launch allocate. */
#pragma once

#include "estimator/functional/lru_lines.h"
#include "estimator/functional/warp_select.h"
#include "estimator/profile/warp_view.h"
#include "gpu/policies/sched.h"
#include "gpu/policies/throttle.h"

enum { GOVERN_CORES = THROTTLE_SUBCORES, GOVERN_SLOTS = 64 };
enum { GOVERN_NONE = UINT32_MAX };

struct govern_core {
    uint64_t resident, runnable, here, loads; /* slots; loads: whose next instruction is one */
    uint64_t barrier;
    uint64_t age[GOVERN_SLOTS], cta[GOVERN_SLOTS];
    uint64_t rank[GOVERN_SLOTS];   /* of one that is here, in the queue's order */
    uint64_t loaded[GOVERN_SLOTS]; /* of one at a barrier: when its last load is back */
    uint32_t cta_slot[GOVERN_SLOTS], warp[GOVERN_SLOTS];
};
struct govern {
    struct sm_params p;
    struct throttle throttle;
    struct sched sched[GOVERN_CORES];
    struct govern_core core[GOVERN_CORES];
    struct recency l1; /* with a policy that asks what left it */
    uint16_t order[THROTTLE_WARPS];
    uint32_t n_order; /* places, by age */
    uint32_t *place;  /* [warps] core * GOVERN_SLOTS + slot */
    size_t place_cap;
    uint32_t turn; /* sub-core that goes next */
    uint64_t issued, counted_to;
    double held_cycles, beside_cycles; /* with somebody held; warps side by side, over all */
    uint32_t warps;
    bool failed; /* out of memory */
};

/* NULL: no memory. */
struct govern *govern_new(const struct warp_view *v);
void govern_free(struct govern *g);
/* warps: numbers in use; share: mean number of the launch's warps per SM; ctas: residents at most.
 * false: no memory. */
bool govern_launch(struct govern *g, uint32_t sm, uint32_t warps, double share, uint32_t ctas);
struct govern_warp {
    uint32_t warp, core, cta_slot;
    uint64_t cta, age;
};
void govern_born(struct govern *g, const struct govern_warp *w);
void govern_ended(struct govern *g, uint32_t warp);
/* At a barrier, with loads under way until `loaded`; and no more. */
void govern_at_barrier(struct govern *g, uint32_t warp, uint64_t loaded);
void govern_opened(struct govern *g, uint32_t warp);
/* After a turn: whether it waits for memory now.  Then, when its time has come: its rank in the
 * queue (warp_select.h), by which lrr and gto choose, so that a throttle that holds nobody changes
 * nothing; whether its next instruction is a load, as far as is known. */
void govern_turned(struct govern *g, uint32_t warp, bool waits, uint32_t issued);
void govern_came(struct govern *g, struct warp_rank warp, bool load);
/* Who goes next of those who are here; GOVERN_NONE: nobody may. */
uint32_t govern_take(struct govern *g, uint64_t now);
/* When masks change with nothing but time; UINT64_MAX: they do not. */
uint64_t govern_due(const struct govern *g);
bool govern_any_here(const struct govern *g);
bool govern_keeps_load(const struct govern *g, uint32_t warp);
/* A memory instruction; then each of its accesses to the L1. */
void govern_asked(struct govern *g, uint32_t warp);
void govern_access(struct govern *g, const struct throttle_access *a, uint64_t now);
