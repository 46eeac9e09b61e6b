/* wave.c - see wave.h. */
#include "estimator/terms/wave.h"

#include "estimator/math_util.h"
#include "estimator/terms/register_stations.h"
#include "estimator/terms/warp_round.h"
#include "gpu/policies/exec_unit.h"

#include <math.h>

void wave_throughput(struct launch_model *m)
{
    m->cycles.wave = m->r.rounds / m->p->ctas * m->wave.ctas / m->result.throughput;
}

static double fullest_cycles(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct sm_params *sm = m->e->sm;
    double ctas = m->wave.ctas, busy = 0;
    double sms = math_smaller(sm->count, ctas), per_sm = ceil(ctas / sms);
    bool whole = sm->cta_binding == CTA_ONE_SUBCORE;
    uint32_t cores = register_stations_unit_groups(m);
    double warps =
        whole ? ceil(per_sm / cores) * p->warps_per_cta : ceil(per_sm * p->warps_per_cta / cores);
    double work = launch_round_unit_cycles(p, sm, &busy);
    return work / p->warps * warps;
}

void wave_fullest(struct launch_model *m)
{
    m->cycles.wave = math_larger(m->cycles.wave, (1 - m->first.part) * fullest_cycles(m));
}

/* The share of loads from shared memory whose time at the port warps wait for. `turn`: cycles until
 * the first warp of each sub-core has its result. The instructions between a load and its first
 * use, `apart` cycles each, hide a part of it. */
static double shared_waited(const struct launch_profile *p, double turn, double apart)
{
    double waited = 0;
    for (uint32_t k = 1; k < PROFILE_DEP && (k - 1) * apart < turn; k++)
        waited += p->dep[OP_SHARED_LOAD][k] * (1 - (k - 1) * apart / turn);
    return math_smaller(1, math_over(waited, p->cls[OP_SHARED_LOAD]));
}

/* Warps in step need the same unit one after the other; a warp gets ahead of the others only where
 * its stream changes to another unit.  All warps of an SM take one port to the shared memory, and a
 * unit waits until the first of its warps has what it needs and did not ask for long before. */
double wave_in_step_cycles(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct sm_params *sm = m->e->sm;
    bool whole = sm->cta_binding == CTA_ONE_SUBCORE;
    double cores = whole ? 1 : math_smaller(sm->subcores, p->warps_per_cta), cycles = 0;
    double per_sm = math_larger(1, m->wave.ctas / sm->count);
    double together = per_sm * p->warps_per_cta / cores;
    for (uint32_t c = 0; c < PROFILE_CLASSES; c++) {
        double alone = p->cls[c] - (1 - 1 / together) * p->runs[c];
        cycles += alone * exec_unit_interval(sm, (uint8_t)c);
    }
    double port = m->r.rounds * m->r.shared_cycles,
           turn = math_over(port * cores, p->cls[OP_SHARED_LOAD] + p->cls[OP_SHARED_STORE]);
    double apart = math_over(cycles * together, launch_instructions(p));
    double shared = port / together * shared_waited(p, turn, apart);
    return per_sm * (cycles / cores + shared) / p->ctas;
}

/* Barriers bring warps back into step, waits for memory that no barrier follows take them out of
 * it.  CTAs that began together are in step like the warps of one. */
void wave_in_step(struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    if (m->e->sm->scheduler != SCHED_LRR || p->barriers <= 0) return;
    double kept = p->barriers / (p->barriers + p->loose_waits) * (1 - m->first.part);
    m->cycles.wave = math_larger(m->cycles.wave, kept * wave_in_step_cycles(m));
}

void wave_uneven(struct launch_model *m)
{
    m->cycles.wave *= m->p->uneven;
}
