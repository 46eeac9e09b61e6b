/* launch_ends.c - see launch_ends.h. */
#include "estimator/terms/launch_ends.h"

#include "estimator/dram/hot_atomics.h"
#include "estimator/math_util.h"
#include "estimator/terms/dispatch_station.h"
#include "estimator/terms/fetch_waits.h"
#include "estimator/terms/memory_channels.h"
#include "estimator/terms/tlb_model.h"
#include "estimator/terms/write_cache_model.h"
#include "gpu/policies/power_limit.h"

static void at_least(struct launch_model *m, double cycles)
{
    m->cycles.all = math_larger(m->cycles.all, cycles);
}

/* The longest warp goes on alone when the others have ended: its remaining rounds have no
 * contention. */
static double alone_after(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    double per_instruction = math_over(m->r.compute, m->r.instructions);
    double unloaded = m->net.think + m->net.delay;
    double slowdown = m->net.customers / (m->result.throughput * unloaded);
    slowdown -= dispatch_station_wait(m) / unloaded;
    double hit = m->r.load_wait * m->latency.hit;
    /* then no other warp keeps its banks busy, nor has fetches that it joins */
    struct memory_channels of[PAGE_MEMORIES];
    double far = m->r.load_wait * m->r.miss * m->r.far, banks = 0;
    for (uint32_t i = memory_channels_find(m, of); i--;)
        banks += far * of[i].share * of[i].under->burst.conflict * of[i].cycle;
    const struct launch_delays *d = &m->delays;
    double joins =
        m->r.load_wait * d->joined * m->merges.l1.left * (m->latency.miss - m->latency.hit);
    double miss = math_larger(0, m->net.delay - hit - banks - joins);
    double alone = p->longest_instructions * per_instruction +
                   p->longest_waits * (hit + math_smaller(1, p->longest_misses) * miss);
    return math_larger(0,
                       alone - (1 - p->longest_start) * m->cycles.run / math_larger(1, slowdown));
}

void launch_ends_last_warp(struct launch_model *m)
{
    m->cycles.all += alone_after(m);
}

/* The start of a launch, which a closed network does not model.  All warps begin together and reach
 * the slowest station of the memory together, so that the last one waits for all others, which is
 * longer than the mean wait.  They request at once the loads of a wait and the stores of an
 * instruction. */
static double start_up(const struct launch_model *m)
{
    const struct warp_round *r = &m->r;
    double round = m->net.customers / m->result.throughput, busiest = 0;
    double stores = math_larger(1, math_over(m->p->store_instructions, m->r.rounds));
    double together = math_over(r->loads + r->stores / stores, r->loads + r->stores);
    for (uint32_t i = 0; i < AT_SHARED; i++)
        if (m->net.at[i].visits > 0) busiest = math_larger(busiest, m->result.utilization[i]);
    return together * math_larger(0, math_smaller(1, busiest) * round - m->result.waiting);
}

void launch_ends_start_up(struct launch_model *m)
{
    m->cycles.all += start_up(m);
}

void launch_ends_convoys(struct launch_model *m)
{
    m->cycles.all += fetch_wait_convoy(m, m->cycles.all);
}

void launch_ends_release(struct launch_model *m)
{
    m->cycles.all += write_cache_end_cycles(m);
}

void launch_ends_first_pages(struct launch_model *m)
{
    m->cycles.all +=
        math_larger(0, tlb_model_start_cycles(m) - dispatch_station_made_up(m, m->cycles.run));
}

void launch_ends_dispatch(struct launch_model *m)
{
    at_least(m, dispatch_station_launch_cycles(m));
}

/* The atomics of the hottest place, one after the other, and the way of the first. With a directory
 * L1s perform them. */
static double hot_atomics_cycles(const struct launch_model *m)
{
    double n = m->hot.share * m->p->atomics,
           memory = 2 * m->in.bursts * m->hot.gap * m->in.dram_cycle;
    if (n <= 0 || coherence_has_directory(m->e->coherence)) return 0;
    double each =
        m->levels.passing > 0 ? memory : hot_atomics_slice_cycles(m->e->l2, m->in.l2_cycle);
    return n * each + (m->levels.passing > 0 ? m->latency.memory : m->latency.l2);
}

void launch_ends_hot_atomics(struct launch_model *m)
{
    at_least(m, hot_atomics_cycles(m));
}

/* The requests for one line that go one after the other. Where no warp waits for stores, those of
 * an SM to a line that is under way join, however many they are. */
static double hottest_line(const struct launch_model *m)
{
    const struct directory_traffic *d = &m->levels.directory;
    return m->e->sm->nonblocking_stores && l3_is_there(m->e->l3) ? d->hottest_loads : d->hottest;
}

void launch_ends_hottest_line(struct launch_model *m)
{
    at_least(m, hottest_line(m) * m->latency.lock);
}

void launch_ends_latency(struct launch_model *m)
{
    m->cycles.all += m->in.launching;
}

/* Infinitely fast units, which "what would help" tries, have no power, either. */
void launch_ends_power(struct launch_model *m)
{
    const double *of = m->p->cls, own = m->cycles.all;
    double matrix = m->net.at[AT_UNIT].visits > 0 ? of[OP_TENSOR] + of[OP_WGMMA] : 0;
    at_least(m, power_limit_cycles(m->e->clock, m->e->sm, matrix));
    m->cycles.held = m->cycles.all - own;
}
