/* launch_start.c - see launch_start.h. */
#include "estimator/terms/launch_start.h"

#include "estimator/math_util.h"
#include "estimator/terms/memory_channels.h"
#include "estimator/terms/wave.h"

/* A warp's instructions are taken to be as many before its first wait as between two. */
static double before_waits(const struct launch_profile *p)
{
    double waits = p->waits / p->warps;
    return math_smaller(1, waits) / (1 + waits);
}

static bool starts_in_step(const struct launch_model *m)
{
    return m->e->sm->scheduler == SCHED_LRR;
}

void launch_start_find(struct launch_model *m)
{
    double slots = (double)m->in.occ.ctas * m->e->sm->count;
    m->first.share = starts_in_step(m) ? before_waits(m->p) : 0;
    m->first.part = m->first.share * math_smaller(1, slots / m->p->ctas);
}

void launch_start_add(struct launch_model *m)
{
    double alone = m->r.compute * m->r.rounds / m->p->warps;
    if (m->net.at[AT_UNIT].visits <= 0) return;
    m->cycles.all += m->first.share * math_larger(alone, wave_in_step_cycles(m));
}

/* The cycles in which the station serves so many visits of each warp. */
static double drain(const struct launch_model *m, enum station_place at, double visits)
{
    const struct network_station *s = &m->net.at[at];
    return m->net.customers * visits * s->service / s->queues;
}

/* The cycles over which the loads leave the SMs. */
static double spread(const struct launch_model *m, double loads)
{
    double work = starts_in_step(m) ? 0 : before_waits(m->p) * wave_in_step_cycles(m);
    double instructions =
        loads * math_over(m->p->load_instructions, m->p->loads);
    work = math_larger(work, drain(m, AT_MEMORY_UNIT, instructions));
    work = math_larger(work, drain(m, AT_DISPATCH, 1 / m->p->warps_per_cta));
    return math_larger(work, drain(m, AT_L1, loads));
}

/* Of n that come at once, places let so many behind the issue. */
static double batch_wait(double cycles, double spread, double places, double n)
{
    double let = math_smaller(1, math_over(places, n));
    return let * (1 - 0.5 * let) * math_larger(0, cycles - spread);
}

struct read_waits launch_start_waits(const struct launch_model *m)
{
    const struct warp_round *r = &m->r;
    double loads = math_over(r->loads, r->load_wait), missed = math_over(r->l1_misses, r->load_wait);
    double apart = spread(m, loads), fetched = missed * math_over(r->memory_reads, r->l1_misses);
    double n = m->net.customers * missed;
    static const enum station_place way[] = {AT_NOC_SM_OUT,  AT_NOC_LINKS_OUT, AT_NOC_SLICE_IN, AT_L2,
                                             AT_NOC_SLICE_OUT, AT_NOC_LINKS_BACK, AT_NOC_SM_IN};
    double cycles = 0, memory = 0;
    for (uint32_t i = 0; i < sizeof way / sizeof *way; i++)
        if (m->net.at[way[i]].visits > 0) cycles = math_larger(cycles, drain(m, way[i], missed));
    struct memory_channels of[PAGE_MEMORIES];
    for (uint32_t i = memory_channels_find(m, of); i--;)
        memory = math_larger(memory, drain(m, of[i].at, fetched * of[i].share * of[i].bursts));
    double places = loaded_latency_places(m);
    return (struct read_waits){
        .l2 = batch_wait(cycles, apart, places, n),
        .memory = batch_wait(math_larger(cycles, memory), apart, places, n)};
}
