/* sched.h - warp schedulers: which of the warps that could issue now does.
 *
 * The sub-core says which warps could issue (a bit per slot) and how old each is; the policy picks
 * one and updates its state. How many warps may issue at all is decided by throttle.h. Names:
 * gpu/machine/params/sm.h.
 *
 * Source: Mao 3.3.2, 3.4.2, 4.2.3, 5.3; Rogers 2012; Gebhart 2011; Jog 2013. */
#pragma once

#include "gpu/machine/params/sm.h"

#include <stdbool.h>
#include <stdint.h>

/* The scheduler's view of a sub-core, by slot; the owner's. */
struct sched_view {
    const uint64_t *age;      /* order of arrival on the SM, smaller = older */
    const uint64_t *cta;      /* number of its CTA */
    const uint32_t *cta_slot; /* the CTA's slot on the SM */
    const uint64_t *resident; /* the slots that have a warp (bits) */
    /* Those of the slots whose next instruction has the smallest score (Mao 3.3.2). NULL: the owner
     * knows no operands. */
    uint64_t (*nearest)(const void *owner, uint64_t slots);
    const void *owner;
    struct sched_batches *batches; /* what tbas keeps; NULL: another scheduler decides */
};

/* The thread batches of a sub-core, by number (sched_tbas.c). */
struct sched_batches {
    uint64_t running[SM_SUBCORE_SLOTS]; /* in the running set, in the order of promotion */
    uint64_t pending[SM_SUBCORE_SLOTS]; /* others that could be promoted, in the order in which they
                                           had enough runnable warps */
    uint32_t n_running, n_pending;
    uint64_t promoted; /* the batch that entered the running set last; UINT64_MAX: none has */
};

struct sched {
    const struct sched_ops *ops;
    uint32_t last; /* slot that issued last */
    const struct sm_params *p;
    struct sched_view v;
    uint64_t first;        /* slots in the first level */
    uint32_t promoted;     /* slot that entered the first level last */
    uint32_t leader;       /* group of CTAs with the highest priority */
    uint32_t groups;       /* number of groups of CTAs */
    uint64_t batch_blocks; /* CTAs of a thread batch */
    uint64_t held_back;    /* slots that do not issue whatever the scheduler says: they wait at a
                         barrier or    have nothing left, or a throttle stops them; set before admit */
};

struct sched_launch {
    uint32_t sm, ctas;     /* ctas: resident at most at a time */
    uint64_t batch_blocks; /* consecutive CTAs that make a thread batch, at least 1 */
};

struct sched_ops {
    const char *name;
    /* Precondition: `ready` != 0.  age[slot]: order of arrival on the SM, smaller = older. */
    uint32_t (*pick)(const struct sched *s, uint64_t ready, const uint64_t *age);
    /* Optional: which of the runnable slots may issue now; called before every pick. A warp is
     * runnable if it waits neither for memory nor at a barrier. */
    uint64_t (*admit)(struct sched *s, uint64_t runnable);
    void (*ended)(struct sched *s, uint32_t slot); /* optional: the slot's warp has ended */
};

extern const struct sched_ops sched_lrr, sched_gto, sched_two_level, sched_intercl, sched_owl,
    sched_rmws, sched_tbas;
extern const struct sched_ops *const sched_table[SCHED_N];

/* The next slot round-robin. Precondition: `slots` != 0. */
static inline uint32_t sched_slot_after(uint64_t slots, uint32_t last)
{
    uint64_t after = last == 63 ? 0 : slots & ~((UINT64_C(2) << last) - 1);
    return (uint32_t)__builtin_ctzll(after ? after : slots);
}

/* The slot whose warp arrived first. Precondition: `slots` != 0. */
static inline uint32_t sched_oldest(uint64_t slots, const uint64_t *age)
{
    uint32_t best = (uint32_t)__builtin_ctzll(slots);
    for (uint64_t rest = slots & (slots - 1); rest; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        if (age[slot] < age[best]) best = slot;
    }
    return best;
}

void sched_init(struct sched *s, const struct sm_params *p, const struct sched_view *v);
void sched_launch(struct sched *s, const struct sched_launch *l);
struct serializer;
/* All state that changes while a launch runs. */
void sched_serialize(struct sched *s, struct serializer *t);
