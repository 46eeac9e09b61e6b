/* launch_start.c - see launch_start.h. */
#include "estimator/terms/launch_start.h"

#include "estimator/math_util.h"
#include "estimator/terms/memory_channels.h"
#include "estimator/terms/stations.h"

/* The station's cycles for `n` visits, divided among all its servers. */
static double service_time(const struct launch_model *m, enum station_place at, double n)
{
    const struct network_station *s = &m->net.at[at];
    return s->visits > 0 ? n * s->service / (s->queues * s->pool) : 0;
}

/* The transactions of one wait that miss the L1. */
static double missed_of_wait(const struct launch_model *m)
{
    return m->r.waited * math_over(m->r.l1_misses, m->r.loads);
}

/* How long the loads of one wait of one warp keep the slowest station of the memory busy. */
static double slowest_of_loads(const struct launch_model *m, double fetched)
{
    const struct warp_round *r = &m->r;
    double missed = missed_of_wait(m);
    double reply = stations_packet_flits(m->e->noc, est_request_bytes(m->e)) * m->in.noc_cycle;
    const struct network_station *back = &m->net.at[AT_NOC_SLICE_OUT];
    double slowest =
        math_larger(service_time(m, AT_L1, r->waited), service_time(m, AT_L1_MSHR, missed));
    slowest = math_larger(slowest, service_time(m, AT_L2, missed));
    slowest = math_larger(slowest, service_time(m, AT_NOC_SM_IN, missed));
    if (back->visits > 0) slowest = math_larger(slowest, missed * reply / back->queues);
    slowest = math_larger(slowest, service_time(m, AT_L2_MSHR, fetched));
    struct memory_channels of[PAGE_MEMORIES];
    for (uint32_t i = memory_channels_find(m, of); i--;)
        slowest =
            math_larger(slowest, service_time(m, of[i].at, of[i].share * fetched * of[i].bursts));
    return slowest;
}

/* The cycles of the busier of issue slots and units, over the launch. */
static double work_cycles(const struct launch_model *m)
{
    double issue = service_time(m, AT_ISSUE, m->net.at[AT_ISSUE].visits);
    return m->r.rounds * math_larger(issue, service_time(m, AT_UNIT, m->net.at[AT_UNIT].visits));
}

/* First touches may lie in any part of the launch, which takes at least their time on the data
 * buses.  A memory of fixed latency has no buses; that its bandwidth spreads first touches, too, is
 * not modelled (docs/models/estimator.md). */
static double first_touches(const struct launch_model *m, double sectors)
{
    struct memory_channels of[PAGE_MEMORIES];
    double longest = 0;
    for (uint32_t i = memory_channels_find(m, of); i--;) {
        const struct memory_channels *s = &of[i];
        if (s->d->model != DRAM_BANKS) continue;
        longest = math_larger(longest, s->share * sectors * s->bursts * dram_burst_clocks(s->d) *
                                           s->cycle / s->even);
    }
    return longest;
}

double launch_start_spread(const struct launch_model *m)
{
    double cold = math_smaller((double)m->p->l2_read[m->levels.variant].far,
                               m->net.customers * missed_of_wait(m));
    double loads = m->net.customers * slowest_of_loads(m, 0);
    double apart = (m->wave.warps_per_sm - 1) / (m->wave.warps_per_sm + 1);
    return apart * math_larger(loads, first_touches(m, cold));
}

double launch_start_cycles(const struct launch_model *m)
{
    const struct cache_levels *v = &m->levels;
    double far = math_over(v->l2.reads - v->l2.read_hits, v->l2.reads);
    double cores = math_over(m->net.at[AT_ISSUE].queues, m->wave.sms);
    double warps = math_larger(1, m->wave.warps_per_sm / math_larger(1, cores));
    double loads = m->net.customers * slowest_of_loads(m, far * missed_of_wait(m));
    if (m->r.load_wait <= 0) return 0;
    return m->e->sm->cta_launch_cycles + m->latency.miss + loads / warps + work_cycles(m);
}
