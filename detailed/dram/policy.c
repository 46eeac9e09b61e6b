/* policy.c - schedulers and page policies of the bank model.
 *
 * FCFS: each bank in order, banks overlap.  FR-FCFS: a bank's oldest request to its open row, else
 * its oldest (Khairy II section V).  Between banks the plan prefers columns, then age. */
#include "detailed/dram/banks.h"

static uint32_t fcfs_pick(const struct banks *c, const struct queue *q, uint32_t row)
{
    (void)c;
    (void)row;
    return q->head;
}

static uint32_t fr_fcfs_pick(const struct banks *c, const struct queue *q, uint32_t row)
{
    if (row == NO_ROW) return q->head;
    for (uint32_t r = q->head; r != q->waiting; r = c->request[r].next) {
        if (c->request[r].row == row) return r;
    }
    return q->head;
}

static const struct sched_ops fcfs = {fcfs_pick};
static const struct sched_ops fr_fcfs = {fr_fcfs_pick};
static const struct page_ops open_page = {.auto_precharge = false};
static const struct page_ops closed_page = {.auto_precharge = true};

const struct sched_ops *const dram_scheds[DRAM_SCHED_N] = {
    [DRAM_FCFS] = &fcfs,
    [DRAM_FR_FCFS] = &fr_fcfs,
};

const struct page_ops *const dram_pages[PAGE_N] = {
    [PAGE_OPEN] = &open_page,
    [PAGE_CLOSED] = &closed_page,
};
