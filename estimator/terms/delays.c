/* delays.c - see delays.h. */
#include "estimator/terms/delays.h"

#include "estimator/math_util.h"
#include "estimator/terms/fetch_waits.h"
#include "estimator/terms/memory_channels.h"
#include "estimator/terms/sm_stations.h"
#include "estimator/terms/write_cache_model.h"

#include <math.h>

/* The sectors that a wait fetches come to a memory's channels one after the other. Neighbours share
 * a slice and channel, so at most as many take part as there are interleaving blocks. */
static double own_bursts(const struct launch_model *m, double sectors,
                         const struct memory_channels *s)
{
    double blocks = sectors * m->e->l2->cache.sector_bytes / m->e->l2->interleave_bytes;
    double channels = math_smaller(s->channels, math_larger(1, blocks));
    return (sectors * s->bursts / channels - 1) * m->net.at[s->at].service;
}

/* The cycles after the first for which so many transactions of loads occupy the way into the L1, by
 * its limits. */
static double own_turns(const struct launch_profile *p, double waited)
{
    double n = p->load_instructions + p->store_instructions + p->atomic_instructions;
    double loads = waited * math_over(p->load_instructions, p->loads);
    return math_larger(0, loads * math_over(p->l1_cycles, n) - 1);
}

/* How many warps load at once: those of a CTA that barriers bring together. */
static double waiting_together(const struct launch_profile *p)
{
    return 1 + math_over(p->wait_pairs, p->waits);
}

/* The accesses of one wait leave, and return, one after the other. */
static double own_queue(const struct launch_model *m)
{
    const struct warp_round *r = &m->r;
    const struct network_station *at = m->net.at;
    double waited = r->waited * waiting_together(m->p);
    double missed = math_larger(1, waited * math_over(r->l1_misses, r->loads));
    double fetched = math_larger(1, missed * math_over(r->memory_reads, r->l1_misses));
    double block = m->e->l2->interleave_bytes;
    double slices =
        math_smaller(m->spread.slices, math_larger(1, missed * est_request_bytes(m->e) / block));
    double door = math_larger((waited - 1) / launch_l1_pace(m), own_turns(m->p, waited)),
           back = (missed - 1) * at[AT_NOC_SM_IN].service;
    double slice =
        (missed / slices - 1) * math_larger(at[AT_L2].service, at[AT_NOC_SLICE_OUT].service);
    struct memory_channels of[PAGE_MEMORIES];
    double dram = 0;
    for (uint32_t i = memory_channels_find(m, of); i--;)
        dram += r->far * of[i].share * own_bursts(m, fetched, &of[i]);
    return math_larger(math_larger(door, back), math_larger(slice, dram));
}

/* Waits without a miss that join another warp's fetch in flight: an instruction's transactions join
 * it together; smoothly limited by the number of waits. */
static double merging_waits(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    double together = math_larger(1, math_over(p->loads, p->load_instructions)),
           left = 1 - m->r.miss;
    double x = math_over(m->merges.l1.n / together, p->waits);
    return left > 0 ? math_soft_smaller(x, left) : 0;
}

void delays_own_queue(struct launch_model *m)
{
    m->delays.own_queue = own_queue(m);
}

void delays_joined(struct launch_model *m)
{
    m->delays.joined = merging_waits(m);
}

void delays_heads(struct launch_model *m)
{
    m->delays.heads = fetch_wait_heads(m, &m->delays.heads_left);
}

void delays_waits(struct launch_model *m)
{
    const struct warp_round *r = &m->r;
    struct launch_delays *d = &m->delays;
    double merge = d->joined * m->merges.l1.left;
    d->load = (1 - r->miss) * m->latency.hit + merge * (m->latency.miss - m->latency.hit) +
              r->miss * m->latency.miss + d->own_queue;
    d->load +=
        math_over(d->heads, r->load_wait) * d->heads_left * (m->latency.miss - m->latency.hit);
    d->load += m->registers.collect + m->registers.write + m->tlb.late_wait;
    d->store = sm_stations_store_trip(m) + m->registers.collect;
    d->store += m->tlb.late;
}

void delays_overlap(struct launch_model *m)
{
    const struct launch_delays *d = &m->delays;
    /* compute under a wait hides the shorter of the two, with a soft corner */
    double overlap = m->r.overlap, longer = math_larger(d->load, overlap),
           shorter = math_smaller(d->load, overlap);
    m->delays.hidden = math_soft_smaller(shorter, longer);
}

void delays_release(struct launch_model *m)
{
    m->delays.release = write_cache_release_cycles(m);
}

void delays_put(struct launch_model *m)
{
    const struct warp_round *r = &m->r;
    const struct launch_delays *d = &m->delays;
    m->net.think =
        r->compute * (1 - m->first.part) + m->p->warps / m->r.rounds * m->e->sm->cta_launch_cycles;
    m->net.delay = r->load_wait * (d->load - d->hidden) + r->store_wait * d->store + d->release;
}
