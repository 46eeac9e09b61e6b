/* launch_start.c - see launch_start.h. */
#include "estimator/terms/launch_start.h"

#include "estimator/math_util.h"
#include "estimator/terms/loaded_latency.h"
#include "estimator/terms/memory_channels.h"
#include "estimator/terms/warp_round.h"
#include "estimator/terms/wave.h"

/* The share of warps that wait at all. */
static double who_wait(const struct launch_profile *p)
{
    return math_smaller(1, p->waits / p->warps);
}

/* The share of all instructions that come before their warp's first wait. */
static double before_waits(const struct launch_profile *p)
{
    return math_smaller(1, math_over(p->before_waits, launch_instructions(p)));
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

static bool is_of_slices(enum station_place at)
{
    return at == AT_NOC_SLICE_IN || at == AT_L2 || at == AT_NOC_SLICE_OUT;
}

/* The slices that share the loads. Where atomics follow that no warp waits for, spread.slices says
 * how few slices have the hottest counters. */
static double loaded_slices(const struct launch_model *m)
{
    double missed, slices = m->spread.slices;
    return launch_silent_atomics(m, &missed) > 0 ? math_larger(slices, m->spread.fetches) : slices;
}

/* The cycles from the first to the last, where each warp comes so often to a station. */
static double drain(const struct launch_model *m, enum station_place at, double visits)
{
    const struct network_station *s = &m->net.at[at];
    double queues = s->queues;
    if (s->visits <= 0) return 0;
    if (is_of_slices(at)) queues = loaded_slices(m);
    return math_larger(0, m->net.customers * visits / queues - 1) * s->service;
}

/* The cycles over which the loads leave the SMs: at least those of the instructions between them,
 * and of the other warps' before them where warps are not in step. */
static double batch_spread(const struct launch_model *m, double loads)
{
    const struct launch_profile *p = m->p;
    double between = math_over(p->overlap, p->waits) * math_over(p->warps, launch_instructions(p));
    double warps = math_larger(1, m->wave.warps_per_sm / m->e->sm->subcores);
    double turns = starts_in_step(m) ? 0 : before_waits(p) * (1 - 1 / warps);
    double cycles = math_larger(between, turns) * wave_in_step_cycles(m);
    double instructions = loads * math_over(p->load_instructions, p->loads);
    cycles = math_larger(cycles, drain(m, AT_MEMORY_UNIT, instructions));
    cycles = math_larger(cycles, drain(m, AT_DISPATCH, 1 / p->warps_per_cta));
    return math_larger(cycles, drain(m, AT_L1, loads));
}

/* The mean wait behind the issue of n that come within `spread` to what serves them in `cycles`.
 * What finds none of the places waits before the issue. */
static double batch_wait(double cycles, double spread, double places, double n)
{
    double let = math_smaller(1, math_over(places, n));
    return let * (1 - 0.5 * let) * math_larger(0, cycles - spread);
}

void launch_start_batch_find(const struct launch_model *m, struct launch_start_batch *b)
{
    static const enum station_place way[] = {AT_NOC_SM_OUT, AT_NOC_LINKS_OUT, AT_NOC_SLICE_IN,
                                             AT_L2,         AT_NOC_SLICE_OUT, AT_NOC_LINKS_BACK,
                                             AT_NOC_SM_IN};
    const struct warp_round *r = &m->r;
    double far, silent = launch_silent_atomics(m, &far) / r->rounds, who = who_wait(m->p);
    double loads = who * math_over(math_larger(0, r->loads - silent), r->load_wait);
    double asked = math_larger(0, r->l1_misses - silent);
    double missed = who * math_over(asked, r->load_wait), cycles = 0, memory = 0;
    double fetched = missed * math_smaller(1, math_over(r->memory_reads, asked));
    double places = loaded_latency_places(m), n = m->net.customers * missed;
    for (uint32_t i = 0; i < sizeof way / sizeof *way; i++)
        cycles = math_larger(cycles, drain(m, way[i], missed));
    struct memory_channels of[PAGE_MEMORIES];
    for (uint32_t i = memory_channels_find(m, of); i--;)
        memory = math_larger(memory, drain(m, of[i].at, fetched * of[i].share * of[i].bursts));
    b->share = math_smaller(1, math_over(m->net.customers * who, r->rounds * r->load_wait));
    b->spread = batch_spread(m, loads);
    b->l2 = batch_wait(cycles, b->spread, places, n);
    b->memory = batch_wait(math_larger(cycles, memory), b->spread, places, n);
}

double launch_start_left(const struct launch_start_batch *b, double cycles)
{
    return 1 - 0.5 * math_smaller(1, math_over(b->spread, cycles));
}
