/* admission.h - which warps of an SM may issue: its throttle, the scheduler of each sub-core, and
 * the tables of warps by which they decide.
 *
 * The owner reports what its warps and its L1 do. Before it picks a warp on a sub-core it calls
 * admission_choose, then admission_admitted with the warps that could issue, and picks among those
 * with the sub-core's scheduler (sched.h). Whatever may change the throttle's choice makes
 * throttle.due pass, so that a sleeping owner knows when to ask again.
 *
 * Units: a warp is named subcore * SM_SUBCORE_SLOTS + slot; masks have a bit per slot; time in the
 * owner's core cycles. Ownership: the sub-cores' tables lie where the owner wants them, which sets
 * core[] before admission_reset. Memory: admission_init allocates (the throttle's state).
 * Invariant: with a throttle, order[] holds the resident warps by age.
 * Source: see sched.h and throttle.h. */
#pragma once

#include "gpu/policies/sched.h"
#include "gpu/policies/throttle.h"

/* A sub-core's scheduler and warp slots. The fields that every step reads come first. */
struct admission_subcore {
    uint64_t resident; /* slots that have a warp */
    struct sched sched;
    uint64_t waits; /* resident slots whose warp waits at a barrier or has nothing left to issue */
    uint64_t age[SM_SUBCORE_SLOTS];      /* order of arrival on the SM */
    uint64_t cta[SM_SUBCORE_SLOTS];      /* number of its CTA */
    uint32_t cta_slot[SM_SUBCORE_SLOTS]; /* the CTA's slot on the SM */
    struct sched_batches batches;        /* with tbas */
};

struct admission {
    const struct sm_params *p;
    struct admission_subcore *core[SM_MAX_SUBCORES]; /* [subcores] */
    struct throttle throttle;
    uint32_t n; /* warps in order[] */
    uint16_t order[THROTTLE_WARPS];
    /* sched_view.nearest of every sub-core, and its owners; NULL: none. Set before admission_reset.
     */
    uint64_t (*nearest)(const void *owner, uint64_t slots);
    const void *score_owner[SM_MAX_SUBCORES];
};

struct admission_warp {
    uint32_t name, cta_slot;
    uint64_t cta;
    uint64_t age; /* a CTA's warps have consecutive places in the order of age, by their numbers */
};

/* Whether a policy restricts which runnable warps may issue; if not, admission_choose and
 * admission_admitted need not be called. */
static inline bool admission_restricts(const struct sm_params *p)
{
    return p->throttle != THROTTLE_NONE || sched_table[p->scheduler]->admit;
}

/* Whether a policy wants to hear of memory instructions and of the L1's accesses. */
static inline bool admission_hears(const struct sm_params *p)
{
    return p->throttle != THROTTLE_NONE;
}

/* l1_blocks: lines of the L1. false: no memory. */
bool admission_init(struct admission *a, const struct sm_params *p, uint32_t l1_blocks);
void admission_fini(struct admission *a);
/* Forgets all warps and what the schedulers know. Precondition: core[] is set. */
void admission_reset(struct admission *a);

struct admission_launch {
    struct sched_launch schedulers;
    uint32_t l1_blocks; /* an adaptive L1's size is the launch's */
    double warps;       /* of the launch, mean per SM */
    uint64_t issued;    /* instructions of the SM so far */
};
/* Precondition: no warp is resident, or none counts any more. */
void admission_launch(struct admission *a, const struct admission_launch *l);

/* A warp has been placed. Precondition: its slot is free. */
void admission_born(struct admission *a, const struct admission_warp *w);
/* The same for a warp that the policies' loaded state knows already: tables only. */
void admission_enlist(struct admission *a, const struct admission_warp *w);
/* Its slot is free again. */
void admission_ended(struct admission *a, uint32_t warp);
/* It waits at a barrier or its stream is over; its barrier has opened. */
void admission_stops(struct admission *a, uint32_t warp);
void admission_continues(struct admission *a, uint32_t warp);
/* It has issued a memory instruction. */
void admission_asked(struct admission *a, uint32_t warp);
/* An L1 access has been decided. Returns whether the throttle will choose anew. */
bool admission_access(struct admission *a, const struct throttle_access *access, uint64_t issued,
                      uint64_t now);
/* The L1 has evicted the block. */
void admission_left(struct admission *a, uint64_t block);

/* Has the throttle choose anew if its choice is stale. */
void admission_choose(struct admission *a, uint64_t now);
/* Slots of sub-core k that the throttle keeps from issuing. loads: those whose next instruction is
 * a load (only those in throttle.no_loads[k] matter). */
static inline uint64_t admission_barred(const struct admission *a, uint32_t k, uint64_t loads)
{
    return a->throttle.barred[k] | (a->throttle.no_loads[k] & loads);
}
/* Which of the runnable slots of sub-core k may issue; loads as above. A warp is runnable if it
 * waits neither for memory nor at a barrier. */
uint64_t admission_admitted(struct admission *a, uint32_t k, uint64_t runnable, uint64_t loads);

struct serializer;
/* The state of schedulers and throttle, and the count of issued instructions that it stands by; the
 * tables of warps are not in it. false: no memory. */
bool admission_serialize(struct admission *a, uint64_t *issued, struct serializer *t);
/* Converts loaded state to another time base (throttle_moved). */
void admission_moved(struct admission *a, uint64_t issued, uint64_t then, uint64_t now);
