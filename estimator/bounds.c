/* bounds.c - see bounds.h. */
#include "estimator/bounds.h"

#include "estimator/arith.h"
#include "estimator/recalls.h"
#include "estimator/stations.h"
#include "estimator/transit.h"

#include <math.h>

/* --- low --- */

/* What no cache of so many lines can keep of a curve's accesses: first touches, or half of what LRU
 * of twice the lines misses.  Beyond the profile's own bound nobody counted. */
static double unavoidable(const struct curve *c, double lines, double counted)
{
    double far = lines < counted ? (double)c->far : 0;
    double lru = (double)c->total - curve_full_hits(c, 2 * lines);
    return 2 * lines < counted ? larger(far, 0.5 * lru) : far;
}

/* Transactions that leave the SMs at least. */
struct leaving {
    double reads, stores, atomics;
};

static struct leaving leaving_least(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct est_params *e = m->e;
    const struct l1_params *l1 = e->l1;
    bool off = !l1->enabled || l1->bypass == BYPASS_ALL,
         through = l1->cache.write == WRITE_THROUGH || l1->cache.write == WRITE_EVICT;
    bool kept = l1->merge_stores || l1->write_local != LOCAL_SAME ||
                e->coherence->protocol != PROTOCOL_NONE;
    struct leaving v = {.atomics = p->atomics};
    if (off && !l1->merge_loads)
        v.reads = p->loads;
    else if (e->scalar->loads == SCALAR_NONE)
        v.reads = unavoidable(&p->l1_read, m->occ.l1_kb * 1024.0 / l1->cache.line_bytes,
                              PROFILE_L1_BOUND_BYTES / (double)l1->cache.line_bytes);
    if (off || (through && !kept)) v.stores = l1->merge_stores ? 0 : p->stores;
    return v;
}

/* Bursts that the memory cannot be spared, per launch. */
static double bursts_least(const struct launch_model *m, const struct leaving *out)
{
    const struct l2_params *l2 = m->e->l2;
    const struct cache_params *c = &l2->cache;
    double lines = (double)l2->banks * l2->bank_kb * 1024 / c->line_bytes,
           counted = PROFILE_L2_BOUND_BYTES / (double)c->line_bytes;
    uint32_t i = m->levels.variant + (m->levels.blend > 0);
    double n = unavoidable(&m->p->l2_read[i], lines, counted);
    if (c->write_miss == WRITE_MISS_FETCH) n += unavoidable(&m->p->l2_write[i], lines, counted);
    if (c->write == WRITE_THROUGH) return (n + out->stores) * m->bursts;
    const struct curve *back = &m->p->l2_writeback[i];
    if (2 * lines < counted)
        n += 0.5 * larger(0, (double)back->total - curve_full_hits(back, 2 * lines));
    return n * m->bursts;
}

/* Cycles of a channel's data bus, or of its share of a fixed bandwidth, per burst. */
static double burst_least(const struct launch_model *m)
{
    const struct dram_params *d = m->e->dram;
    if (d->model == DRAM_BANKS)
        return dram_burst_clocks(d) * m->dram_cycle / dram_pseudo_channels(d);
    double core_mhz = 1 / (m->e->clocks.tick_us * (double)m->e->clocks.period[CLOCK_CORE]);
    double bytes = (double)d->bus_bytes * d->burst_length;
    return d->fixed_gbps > 0 ? bytes / (d->fixed_gbps * 1e3) * core_mhz : 0;
}

static double chip_least(const struct launch_model *m, const struct leaving *out)
{
    const struct est_params *e = m->e;
    const struct noc_params *n = e->noc;
    double slices = e->l2->banks, ports = ceil((double)e->sm->count / n->sms_per_port),
           all = out->reads + out->stores + out->atomics;
    double asks = all * larger(1, packet_flits(n, 0)) * m->noc_cycle,
           answers = out->reads * larger(1, packet_flits(n, request_bytes(e))) * m->noc_cycle;
    double look = m->l2_cycle / e->l2->ports;
    if (e->l2->data_banks)
        look = larger(look, e->l2->bank_cycles * m->l2_cycle / e->l2->data_banks);
    return larger(larger(asks, answers) / smaller(ports, slices), all * look / slices);
}

/* Resident warps' waits, each no shorter than its look-ups.  With a scoreboard waits of one warp
 * may lie side by side. */
static double waits_least(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct sm_params *sm = m->e->sm;
    double resident = smaller(p->warps, (double)m->occ.ctas * sm->count * p->warps_per_cta);
    double look = m->hit_latency, longest = p->longest_instructions;
    if (sm->memory_wait == WAIT_SCOREBOARD || m->e->scalar->loads != SCALAR_NONE) return longest;
    bool off = !m->e->l1->enabled || m->e->l1->bypass == BYPASS_ALL;
    double far = off ? p->waits : (double)p->wait_far.far;
    double sum = p->waits * look + smaller(far, p->waits) * (m->l2_latency - look);
    return larger(larger(longest, p->longest_waits * look), sum / resident);
}

static double least(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct sm_params *sm = m->e->sm;
    const struct l1_params *l1 = m->e->l1;
    double slots = (double)sm->count * sm->subcores, busy = 0, sms = sm->count;
    double issue = larger(launch_instructions(p), round_unit_cycles(p, sm, &busy)) / slots;
    double memory = (p->load_instructions + p->store_instructions + p->atomic_instructions) / sms;
    double looked = (l1->merge_loads ? 0 : p->loads) + (l1->merge_stores ? 0 : p->stores);
    struct leaving out = leaving_least(m);
    double sm_side = larger(larger(issue, memory), looked / (sms * l1->ports));
    double bus = bursts_least(m, &out) * burst_least(m) / m->e->dram->channels;
    return larger(larger(sm_side, chip_least(m, &out)), larger(bus, waits_least(m)));
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

enum { FEWER = 2 }; /* lines that count of a cache's, where sets and order are against one */

static double missed_most(const struct curve *c, double lines, double modelled)
{
    return larger(modelled, (double)c->total - curve_full_hits(c, lines / FEWER));
}

static void miss_much(struct levels *v, const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct l2_params *l2 = m->e->l2;
    bool fetch = l2->cache.write_miss == WRITE_MISS_FETCH, back = l2->cache.write == WRITE_BACK;
    bool off = v->l1.read_hits <= 0;
    double l1_lines = m->occ.l1_kb * 1024.0 / m->e->l1->cache.line_bytes,
           l2_lines = (double)l2->banks * l2->bank_kb * 1024 / l2->cache.line_bytes;
    double missed = off ? p->loads : missed_most(&p->l1_read, l1_lines, p->loads - v->l1.read_hits);
    v->l1.read_hits = larger(0, p->loads - missed);
    uint32_t i = off ? 0 : v->variant;
    double reads = missed_most(&p->l2_read[i], l2_lines, v->l2.reads - v->l2.read_hits),
           writes = missed_most(&p->l2_write[i], l2_lines, v->l2.writes - v->l2.write_hits);
    v->l2.reads = larger(v->l2.reads, missed + p->atomics);
    v->l2.writes = larger(v->l2.writes, p->stores + p->atomics);
    v->l2.read_hits = larger(0, v->l2.reads - reads);
    v->l2.write_hits = larger(0, v->l2.writes - writes);
    v->fetches = reads + (fetch ? writes : 0);
    v->writebacks = back ? larger(v->writebacks, writes) : 0;
    v->written_through = back ? v->written_through : v->l2.writes;
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

/* times: what the replayed channel needs at any depth; 0: each burst alone. */
static void no_row_open(struct row_locality *r, const struct dram_params *d, double times)
{
    double worst = worst_burst(d), most = 0;
    for (uint32_t k = 0; k < ROW_DEPTHS; k++)
        most = larger(most, r->service[k]);
    for (uint32_t k = 0; k < ROW_DEPTHS; k++) {
        r->hit[k] = 0;
        r->banks[k] = 1;
        r->service[k] = times > 0 ? smaller(worst, times * most) : worst;
    }
    for (uint32_t k = 1; k < LOAD_WINDOWS; k++)
        r->hottest[k] = larger(r->hottest[k], r->hottest[k - 1]);
}

/* Lists of merges that fill keep the loads behind them until the fetch is back.  Each fills once
 * per fetch at most, and only by loads that come while it is under way: those that follow within
 * LATE times its unloaded way.  Queues on that way are the other stations'. */
enum { LATE = 8 };

static double lists_filled(double accesses, double met, double fetches, uint32_t list)
{
    if (!list) return 0;
    return smaller(accesses / (list + 1.0), smaller(fetches, met / list));
}

static double full_merge_lists(const struct launch_model *m, const struct launch_model *solved,
                               double sms)
{
    uint32_t l1 = m->e->l1->enabled ? m->e->l1->cache.mshr.max_merge : 0,
             l2 = m->e->l2->cache.mshr.max_merge;
    const struct launch_profile *p = m->p;
    double way = LATE * m->memory_latency / solved->cycles, passed;
    double met1 = levels_l1_merges(p, over(p->l1_ops, solved->sms) * way, &passed),
           met2 = levels_l2_merges(p, &m->levels, p->l2_ops[m->levels.variant] * way);
    double n1 = lists_filled(m->r.loads, met1 / m->rounds, m->r.l1_misses, l1),
           n2 = lists_filled(m->r.l2_accesses, met2 / m->rounds, m->r.fetches, l2);
    return n1 * m->memory_latency / sms +
           n2 * (m->memory_latency - m->l2_latency) / m->slice_queues;
}

/* What a round waits for each other one: at every station, or at the busiest and the files. */
static double demand(const struct launch_model *m, bool serial)
{
    double sum = 0, most = 0;
    for (uint32_t i = 0; i < AT_N; i++) {
        const struct network_station *s = &m->net.at[i];
        if (s->visits <= 0) continue;
        double d = s->visits * s->service / (s->queues * s->pool);
        most = larger(most, d);
        if (serial || s->pool > 1 || s->holds) sum += d;
    }
    return serial ? sum : sum + most;
}

/* As many CTAs as there is room for. */
static double worst_wave(struct launch_model *m, const struct launch_model *solved, double ctas,
                         bool serial)
{
    double sms = smaller(m->e->sm->count, ctas), alone = 0;
    stations_build(m, sms, ctas / sms * m->p->warps_per_cta);
    for (uint32_t i = 0; i < AT_N; i++)
        if (m->net.at[i].pool <= 1) alone += m->net.at[i].visits * m->net.at[i].service;
    double own = (m->net.think + m->net.delay + (serial ? 0 : alone)) / m->net.customers;
    double others = full_merge_lists(m, solved, sms) + demand(m, serial);
    return m->rounds / m->p->ctas * ctas * (own + others);
}

static double worst(const struct launch_model *m, struct launch_model *w, bool serial)
{
    const struct launch_profile *p = m->p;
    w->merges_l1 = w->merges_l2 = w->nacks = 0;
    transit_worst(w);
    recalls_worst(w);
    round_find(w);
    stations_dram_under(w, 0, 1);
    double slots = smaller(p->ctas, (double)m->occ.ctas * m->e->sm->count);
    double cycles = worst_wave(w, m, slots, serial) * p->ctas / slots;
    double each = over(w->r.compute, w->r.instructions);
    return cycles + p->longest_instructions * each + p->longest_waits * w->net.delay;
}

/* What no station says: sets full of lines on their way, one access that holds up others. */
static const double UNSAID = 1.5;

static double most(const struct launch_model *m)
{
    struct launch_model w = *m;
    miss_all(&w.levels, m->p, m->e->l2);
    no_row_open(&w.rows, m->e->dram, 0);
    double serial = worst(m, &w, true);
    w = *m;
    miss_much(&w.levels, m);
    no_row_open(&w.rows, m->e->dram, 2);
    return smaller(serial, UNSAID * worst(m, &w, false));
}

/* A calibration teaches estimates; what the machine can do stays what it is. */
void launch_bounds(const struct launch_model *m, double *low, double *high)
{
    const struct correction none = correction_none();
    struct launch_model plain = *m;
    plain.c = &none;
    stations_unloaded(&plain);
    *low = m->e->sm->launch_cycles + least(&plain);
    /* all entries that are locked for copies' answers, one after the other */
    double locked = plain.levels.owned.asked * plain.lock;
    *high = m->e->sm->launch_cycles + most(&plain) + locked;
}
