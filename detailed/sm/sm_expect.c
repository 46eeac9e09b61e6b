/* sm_expect.c - prefetches into the host's caches what a reply leads to, in steps: from its request
 * to the MSHR entry, from there to the reserved line and the first waiter, from there to the warp.
 *
 * In a large machine none of it is in the host's caches, so each step is done for all SMs before
 * the next one. Nothing of the simulated machine changes. */
#include "detailed/sm/sm.h"

struct sm_expected {
    const struct sm *sm;
    uint32_t req, entry, vinst;
};

static void expect_first(struct sm_expected *x, const struct sm *s, uint32_t req)
{
    x->sm = s;
    x->req = req;
    prefetch_line(&s->l1.w->reqs->item[req]);
}

static void expect_second(struct sm_expected *x)
{
    const struct sm *s = x->sm;
    const struct req *r = &s->l1.w->reqs->item[x->req];
    x->entry = r->kind == REQ_READ && !r->bypass_l1 && !r->scalar ? r->entry : MSHR_NONE;
    x->vinst = l1_accesses_vinst(r->vinst);
    if (x->entry != MSHR_NONE)
        prefetch_line(&s->l1.c.mshr.entry[x->entry]);
    else if (x->vinst < s->vinst_cap)
        prefetch_line(&s->vinst[x->vinst]);
}

static void expect_third(struct sm_expected *x)
{
    if (x->entry == MSHR_NONE) return;
    const struct mshr_entry *e = &x->sm->l1.c.mshr.entry[x->entry];
    x->vinst = e->first == MSHR_NONE ? MSHR_NONE : l1_accesses_vinst(e->first);
    mshr_expect(&x->sm->l1.c.mshr, e->key);
    if (e->line != UINT32_MAX) prefetch_line(&x->sm->l1.c.line[e->line]);
    if (e->first != MSHR_NONE) prefetch_line(&x->sm->vinst[x->vinst]);
}

/* Only the last access of an instruction affects its warp. */
static void expect_last(const struct sm_expected *x)
{
    const struct sm *s = x->sm;
    if (x->vinst >= s->vinst_cap || s->vinst[x->vinst].left > MSHR_SECTORS) return;
    const struct warp *w = sm_warp(s, s->vinst[x->vinst].warp);
    const uint64_t *row = s->registers + (size_t)(w - s->warp) * s->register_cap;
    prefetch_line(w);
    prefetch_line((const char *)w + 64);
    prefetch_line((const char *)w + 128);
    for (uint32_t i = 0; i < s->register_cap && i < 32; i += 8)
        prefetch_line(&row[i]);
}

void sm_expect(const struct sm *sm, const uint64_t *due, uint32_t first, uint32_t end,
               uint64_t cycle)
{
    const struct noc *reply = sm->reply;
    uint64_t noc_cycle = clock_floor(cycle, sm->core_period, sm->noc_period);
    struct sm_expected x[SM_COUNT_MAX];
    uint32_t n = 0;
    for (uint32_t i = first; i < end; i++)
        if (due[i] <= cycle && noc_ready_at(reply, i) <= noc_cycle)
            expect_first(&x[n++], &sm[i], noc_next(reply, i));
    for (uint32_t k = 0; k < n; k++)
        expect_second(&x[k]);
    for (uint32_t k = 0; k < n; k++)
        expect_third(&x[k]);
    for (uint32_t k = 0; k < n; k++)
        expect_last(&x[k]);
}
