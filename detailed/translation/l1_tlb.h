/* l1_tlb.h - the TLB of one SM, between the coalescer and the L1.
 *
 * Accesses come from the load/store unit in order. One whose page is there goes on to the L1 in the
 * same cycle: the look-up is in parallel with the L1's tags [A], as many as the L1 takes. One whose
 * page is not there waits aside, with all later ones to its page in their order; accesses to other
 * pages go on. The first asks the shared TLB (l2_tlb.h). When `l1_misses` pages wait, an access to
 * another missing page stops the unit: it and everything behind it wait.
 *
 * So accesses of a warp to different pages may reach the L1 in another order than they were issued
 * in, as they may return in; those to one page, and therefore to one address, may not. Fences and
 * barriers wait for the accesses themselves (gpu/policies/wait_rule.h).
 *
 * Time: core cycles; stepped in its SM's step, before the L1. Memory: l1_tlb_init allocates; queues
 * grow. Invariants: l1_tlb_check. Source: Mao table 9; docs/models/translation.md. */
#pragma once

#include "base/memory/hash_map.h"
#include "base/memory/pool.h"
#include "detailed/l1/l1.h"
#include "detailed/translation/l2_tlb.h"

#define L1_TLB_STATS(C, M)                                                   \
    M(lookups, tlb_l1_lookups, true)                                         \
    M(hits, tlb_l1_hits, true)                                               \
    M(misses, tlb_l1_misses, true)                                           \
    M(joins, tlb_l1_joins, true)                                             \
    M(free_of_walks, tlb_free_of_walks, true)                                \
    M(wait_cycles, tlb_wait, true) /* of accesses that waited, to the end */ \
    M(stall_cycles, tlb_stall_cycles, true)
struct l1_tlb_stats {
    STATS_MEMBERS(L1_TLB_STATS)
};

/* A page that waits for its translation. */
struct tlb_page {
    uint64_t page;
    uint32_t first, last; /* accesses that wait, oldest first */
    uint32_t next;        /* free list */
};

/* An access, and the page of its virtual address. */
struct tlb_access {
    struct l1_access access; /* its physical address: what the walk will find */
    uint64_t page;
};

struct tlb_waiter {
    struct l1_access access;
    uint32_t next; /* of its page, or of the free list */
};

struct l1_tlb {
    const struct tlb_params *p;
    struct l2_tlb *shared; /* it answers with l1_tlb_answer */
    uint32_t sm;
    struct cache tags; /* tlb_tags.h */
    /* Accesses before their look-up, which is at access.ready; a ring. */
    struct tlb_access *arriving;
    uint64_t mask, head, tail;
    uint64_t queued;           /* sectors in it */
    struct fifo answers;       /* value: the page's entry * 2 + whether there was a walk */
    struct tlb_page *page;     /* [l1_misses] */
    uint32_t page_free, pages; /* pages: in use */
    struct hash_map entry_of;  /* page -> entry */
    struct tlb_waiter *waiter;
    struct pool waiters;
    bool stalled; /* the oldest arriving access waits for an entry */
    uint64_t stalled_since;
    struct l1_tlb_stats s;
};

/* false: no memory. p and shared outlive the TLB. */
bool l1_tlb_init(struct l1_tlb *t, uint32_t sm, const struct tlb_params *p, struct l2_tlb *shared);
void l1_tlb_fini(struct l1_tlb *t);
void l1_tlb_clear(struct l1_tlb *t);
/* Takes an access of the load/store unit, with its physical address; its look-up is at a->ready. */
void l1_tlb_push(struct l1_tlb *t, const struct l1_access *a, uint64_t virtual_addr);
/* The translation of an entry's page is there at `at`. */
void l1_tlb_answer(struct l1_tlb *t, uint32_t entry, bool walked, uint64_t at);
/* Sends what is translated to the L1; whether there was something. */
bool l1_tlb_step(struct l1_tlb *t, struct l1 *l1, uint64_t now);
/* The next cycle at which it must be stepped; UINT64_MAX: when an answer comes. */
uint64_t l1_tlb_due(const struct l1_tlb *t);
/* Sectors that the load/store unit has not got rid of. */
static inline uint64_t l1_tlb_queued(const struct l1_tlb *t)
{
    return t->queued;
}
void l1_tlb_account(struct l1_tlb *t, uint64_t now); /* statistics up to `now` */
bool l1_tlb_idle(const struct l1_tlb *t);
bool l1_tlb_check(const struct l1_tlb *t);
void l1_tlb_stuck(const struct l1_tlb *t, struct text *out);
