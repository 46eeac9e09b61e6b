/* l2_tlb.h - the TLB that all SMs share, with the page walkers and their cache.
 *
 * A question of an SM (a page that its own TLB lacks) arrives half of `l2_latency` after it was
 * asked and is looked up, `l2_ports` per cycle, in order. If the page is there, the answer is back
 * in the SM after the other half. If not, the page is walked for: questions for a page that is
 * being walked for, or waits for it, join. A walk needs one of the `walkers`, and waits for it in
 * order. It reads an entry of each level of the page table (gpu/geometry/page_walk.h), one after
 * the other: a look-up in the walk cache, which takes `walk_cache_latency` (walks do not wait for
 * one another there [A]), and if its entry's sector is not there, a read of the sector through the
 * L2, sent through the port of the SM that asked first; reads of a sector that is on its way join.
 * Its reply arrives here one cycle after it reached that SM. The walk's end fills the TLB and
 * answers everyone who asked.
 *
 * Time: core cycles; stepped before the SMs in a cycle, so that answers that arrive at a cycle can
 * be used at it. Memory: l2_tlb_init allocates; queues grow. Invariants: l2_tlb_check. Source: Mao
 * table 9; docs/models/translation.md. */
#pragma once

#include "base/memory/hash_map.h"
#include "base/memory/pool.h"
#include "base/text/text.h"
#include "detailed/parts/delay_line.h"
#include "detailed/parts/request.h"
#include "detailed/parts/stats.h"
#include "gpu/cache/cache.h"
#include "gpu/machine/params/translation/tlb.h"

#define L2_TLB_STATS(C, M)                                                    \
    M(lookups, tlb_l2_lookups, true)                                          \
    M(hits, tlb_l2_hits, true)                                                \
    M(joins, tlb_l2_joins, true)                                              \
    M(walks, tlb_walks, true) /* that have ended; so have the cycles below */ \
    M(walk_cycles, tlb_walk_cycles, true)                                     \
    M(walker_wait, tlb_walker_wait, true)                                     \
    M(reads, tlb_walk_reads, true)                                            \
    M(steps, tlb_walk_steps, true)                                            \
    C(asked, "walks that were asked for")
struct l2_tlb_stats {
    STATS_MEMBERS(L2_TLB_STATS)
};

/* An SM's question, until it is answered. */
struct tlb_question {
    uint64_t page;
    uint32_t sm, entry; /* entry: of the SM's TLB */
    uint32_t next;      /* of its walk, or of the free list */
};

struct tlb_walk {
    uint64_t page, since; /* since: it was asked for, then it has its walker */
    uint32_t first;       /* question */
    uint32_t sm;          /* whose port its reads use */
    uint32_t level;
    uint32_t next; /* free list */
};

struct l1_tlb;
struct wiring;

struct l2_tlb {
    const struct tlb_params *p;
    const struct wiring *w;
    struct cache tags;       /* tlb_tags.h */
    struct cache walk_cache; /* its MSHRs: reads in flight; waiters: walks */
    struct fifo arriving;    /* questions */
    struct fifo queue;       /* walks that wait for a walker */
    struct fifo looking;     /* walks whose look-up in the walk cache ends then */
    struct fifo blocked;     /* walks that wait for room at the port of their SM */
    struct fifo replies;     /* requests with their data */
    struct tlb_question *question;
    struct tlb_walk *walk;
    struct pool questions, walks;
    struct l1_tlb **of_sm; /* [sms] that ask, filled by l1_tlb_init */
    uint32_t sms;
    uint32_t busy;           /* walks that have a walker */
    struct hash_map walk_of; /* page -> walk, with or without a walker */
    struct l2_tlb_stats s;
};

/* false: no memory. sms: that may ask. */
bool l2_tlb_init(struct l2_tlb *t, const struct tlb_params *p, uint32_t sms,
                 const struct wiring *w);
void l2_tlb_fini(struct l2_tlb *t);
void l2_tlb_clear(struct l2_tlb *t);
/* Called in an SM's step; at most l1_misses questions of an SM are open at a time. */
void l2_tlb_ask(struct l2_tlb *t, uint32_t sm, uint32_t entry, uint64_t page, uint64_t now);
/* Called when data have reached the SM whose port was used; they arrive here at `now`. */
void l2_tlb_reply(struct l2_tlb *t, uint32_t req, uint64_t now);
/* Returns the next cycle at which it is due; UINT64_MAX: when a question or a reply arrives. */
uint64_t l2_tlb_step(struct l2_tlb *t, uint64_t now);
/* What has happened and can happen only so often per instruction. */
uint64_t l2_tlb_progress(const struct l2_tlb *t);
bool l2_tlb_idle(const struct l2_tlb *t);
bool l2_tlb_check(const struct l2_tlb *t);
void l2_tlb_stuck(const struct l2_tlb *t, struct text *out);
