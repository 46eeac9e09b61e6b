/* bounds.c - see bounds.h. */
#include "estimator/bounds.h"

#include "estimator/arith.h"
#include "estimator/stations.h"

/* --- low --- */

/* Cycles of the data buses for what no cache can keep: every sector's first touch. */
static double first_touches(const struct launch_model *m)
{
    const struct curve *c = &m->p->l2_read[0];
    const struct dram_params *d = m->e->dram;
    double cold = larger(0, (double)c->total - curve_full_hits(c, 1e15)), bus = 0;
    if (d->model == DRAM_BANKS) bus = dram_burst_clocks(d) * m->dram_cycle;
    return cold * m->bursts * bus / ((double)d->channels * dram_pseudo_channels(d));
}

static double least(const struct launch_model *m)
{
    const struct sm_params *sm = m->e->sm;
    double slots = (double)sm->count * sm->subcores, busy = 0;
    double issue = larger(launch_instructions(m->p), round_unit_cycles(m->p, sm, &busy)) / slots;
    return larger(larger(issue, first_touches(m)), m->p->longest_instructions);
}

/* --- high --- */

static void miss_all(struct levels *v, const struct launch_profile *p, const struct l2_params *l2)
{
    double atomics = p->atomics, reads = p->loads + atomics, writes = p->stores + atomics;
    bool fetch = l2->cache.write_miss == WRITE_MISS_FETCH, back = l2->cache.write == WRITE_BACK;
    v->l1.read_hits = 0;
    v->l2 = (struct level_hits){.reads = reads, .writes = writes};
    v->fetches = reads + (fetch ? writes : 0);
    v->writebacks = back ? writes : 0;
    v->written_through = back ? 0 : writes;
    v->wait_misses = 1;
}

/* A closed row in a bank that was just written, and the bus turned both ways. */
static double worst_burst(const struct dram_params *d)
{
    const struct dram_timing *t = &d->t;
    double data = dram_burst_clocks(d), row = larger(t->tRC, t->tRAS + t->tRP);
    double written = t->tAL + t->tCWL + data + larger(t->tWR, t->tWTR_L);
    return larger(row, t->tRP + t->tRCDRD) + written + t->tAL + t->tCL + data + t->tRTRS;
}

static void no_row_open(struct row_locality *r, const struct dram_params *d)
{
    for (uint32_t k = 0; k < ROW_DEPTHS; k++) {
        r->hit[k] = 0;
        r->banks[k] = 1;
        r->service[k] = worst_burst(d);
    }
    for (uint32_t k = 1; k < LOAD_WINDOWS; k++)
        r->hottest[k] = larger(r->hottest[k], r->hottest[k - 1]);
}

/* Loads that find their fetch's list of merges full keep those behind them until it is back: one of
 * each list's length + 1 at worst, for all of the fetch's way.  Queues on that way are the other
 * stations'. */
static double full_merge_lists(const struct launch_model *m, double sms)
{
    uint32_t l1 = m->e->l1->enabled ? m->e->l1->cache.mshr.max_merge : 0,
             l2 = m->e->l2->cache.mshr.max_merge;
    double sum = 0;
    if (l1) sum += m->r.loads / (l1 + 1.0) * m->memory_latency / sms;
    if (l2)
        sum +=
            m->r.l2_accesses / (l2 + 1.0) * (m->memory_latency - m->l2_latency) / m->slice_queues;
    return sum;
}

/* As many CTAs as there is room for, with every warp behind all others at every station. */
static double serial_wave(struct launch_model *m, double ctas)
{
    double sms = smaller(m->e->sm->count, ctas);
    stations_build(m, sms, ctas / sms * m->p->warps_per_cta);
    double demand = full_merge_lists(m, sms);
    for (uint32_t i = 0; i < AT_N; i++) {
        const struct network_station *s = &m->net.at[i];
        if (s->visits > 0) demand += s->visits * s->service / (s->queues * s->pool);
    }
    double own = (m->net.think + m->net.delay) / m->net.customers;
    return m->rounds / m->p->ctas * ctas * (own + demand);
}

static double most(const struct launch_model *m)
{
    struct launch_model w = *m;
    const struct launch_profile *p = m->p;
    miss_all(&w.levels, p, m->e->l2);
    no_row_open(&w.rows, m->e->dram);
    w.merges_l1 = w.merges_l2 = w.nacks = 0;
    round_find(&w);
    stations_dram_under(&w, 0, 1);
    double slots = smaller(p->ctas, (double)m->occ.ctas * m->e->sm->count);
    double cycles = serial_wave(&w, slots) * p->ctas / slots;
    double each = over(w.r.compute, w.r.instructions);
    return cycles + p->longest_instructions * each + p->longest_waits * w.net.delay;
}

void launch_bounds(const struct launch_model *m, double *low, double *high)
{
    *low = m->e->sm->launch_cycles + least(m);
    *high = m->e->sm->launch_cycles + most(m);
}
