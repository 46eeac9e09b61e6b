/* scheduler_policy.c - schedulers and page policies of the bank model.
 *
 * FCFS: each bank in order; banks overlap. Strict FCFS: only the channel's oldest request; the next
 * one follows when its column command has issued. FR-FCFS: a bank's oldest request to its open row,
 * else its oldest (Khairy II section V); with a cap, the oldest is served once that many have
 * passed it. Between banks, the plan prefers column commands, then age. Under urgent_first, a
 * bank's queue begins with the CPUs' requests, and the pick is one of them while there are any
 * (Ausavarungnirun et al. 2012 as Mao 5.5.2 uses it: promoted unconditionally). */
#include "detailed/dram/bank_model.h"

static uint32_t fcfs_pick(const struct banks *c, const struct dram_bank *b, const struct queue *q)
{
    (void)c;
    (void)b;
    return q->head;
}

static uint32_t fr_fcfs_pick(const struct banks *c, const struct dram_bank *b,
                             const struct queue *q)
{
    uint32_t cap = c->base.p.hit_cap;
    if (b->row == NO_ROW || (cap && q->passed >= cap)) return q->head;
    for (uint32_t r = q->head; r != q->waiting; r = c->request[r].next) {
        if (c->request[r].row == b->row) return r;
    }
    return q->head;
}

static uint32_t fr_fcfs_urgent_first_pick(const struct banks *c, const struct dram_bank *b,
                                          const struct queue *q)
{
    uint32_t cap = c->base.p.hit_cap;
    if (c->request[q->head].seq >= BANKS_BEHIND) return fr_fcfs_pick(c, b, q);
    if (b->row == NO_ROW || (cap && q->passed >= cap)) return q->head;
    for (uint32_t r = q->head; r != q->waiting && c->request[r].seq < BANKS_BEHIND;
         r = c->request[r].next)
        if (c->request[r].row == b->row) return r;
    return q->head;
}

static const struct dram_sched_ops fcfs = {.pick = fcfs_pick};
static const struct dram_sched_ops fr_fcfs = {.pick = fr_fcfs_pick};
static const struct dram_sched_ops fr_fcfs_urgent_first = {.pick = fr_fcfs_urgent_first_pick};
static const struct dram_sched_ops fcfs_strict = {.pick = fcfs_pick, .in_order = true};
static const struct page_ops open_page = {0};
static const struct page_ops closed_page = {.auto_precharge = true};
static const struct page_ops closed_after_hits = {.auto_precharge = true, .spares_hits = true};
static const struct page_ops timed_page = {.timeout = true};

const struct dram_sched_ops *const dram_scheds[DRAM_SCHED_N] = {
    [DRAM_FCFS] = &fcfs,
    [DRAM_FR_FCFS] = &fr_fcfs,
    [DRAM_FCFS_STRICT] = &fcfs_strict,
};

/* Strict order has no first (gpu/machine/check/check_dram.c). */
const struct dram_sched_ops *const dram_scheds_urgent_first[DRAM_SCHED_N] = {
    [DRAM_FCFS] = &fcfs,
    [DRAM_FR_FCFS] = &fr_fcfs_urgent_first,
    [DRAM_FCFS_STRICT] = &fcfs_strict,
};

const struct page_ops *const dram_pages[PAGE_N] = {
    [PAGE_OPEN] = &open_page,
    [PAGE_CLOSED] = &closed_page,
    [PAGE_CLOSED_AFTER_HITS] = &closed_after_hits,
    [PAGE_TIMEOUT] = &timed_page,
};
