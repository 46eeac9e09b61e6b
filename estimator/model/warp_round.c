/* warp_round.c - what a warp does between two waits, from the profile and the hit rates. */
#include "estimator/cache/directory_model.h"
#include "estimator/model/launch_model.h"
#include "estimator/model/math_util.h"
#include "gpu/policies/exec_unit.h"

#include <math.h>

enum { NEWTON = 5 };

/* What an instruction waits for its youngest source where instructions are `apart` cycles apart:
 * its latency less what has gone by.  *slope: of the wait over that distance. */
static double dependence_wait(const struct launch_profile *p, const struct sm_params *sm, double n,
                              double step, double apart, double *slope)
{
    double wait = 0;
    *slope = 0;
    for (uint32_t c = 0; c < OP_N; c++) {
        double latency = unit_times(sm, (uint8_t)c).latency - step;
        for (uint32_t k = 1; k < PROFILE_DEP && latency > (k - 1) * apart; k++) {
            wait += p->dep[c][k] * (latency - (k - 1) * apart) / n;
            *slope += p->dep[c][k] * (k - 1) / n;
        }
    }
    return wait;
}

/* Cycles that the launch's warps would take, summed, each alone on its sub-core and memory at once:
 * a unit takes its next instruction after its interval, a result its latency; what follows a branch
 * waits for it.  What waits between a source and its use counts for both: the distance of
 * instructions solves apart = step + wait(apart), a convex falling right side (Newton from below).
 */
static double compute_cycles(const struct launch_profile *p, const struct sm_params *sm)
{
    double cycles = 0, n = 0, slope;
    for (uint32_t c = 0; c < OP_N; c++) {
        struct unit_params u = unit_times(sm, (uint8_t)c);
        cycles += p->cls[c] * (c == OP_BRANCH ? u.latency : u.interval);
        n += p->cls[c];
    }
    if (n <= 0) return 0;
    double step = cycles / n, apart = step;
    for (uint32_t i = 0; i < NEWTON; i++)
        apart += (step + dependence_wait(p, sm, n, step, apart, &slope) - apart) / (1 + slope);
    return n * apart;
}

/* The unit with most work: its cycles over all warps. */
double launch_round_unit_cycles(const struct launch_profile *p, const struct sm_params *sm,
                                double *instructions)
{
    double most = 0;
    for (uint32_t c = OP_INT; c <= OP_BRANCH; c++) {
        double busy = p->cls[c] * unit_times(sm, (uint8_t)c).interval;
        if (busy <= most) continue;
        most = busy;
        *instructions = p->cls[c];
    }
    return most;
}

/* Warps in step want the same unit one after the other; only where their streams go on to another
 * unit does the first of them leave the rest behind.  Barriers bring them back into step, waits for
 * memory take them out of it. */
double launch_round_in_step_cycles(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct sm_params *sm = m->e->sm;
    bool whole = sm->cta_binding == CTA_ONE_SUBCORE;
    double cores = whole ? 1 : math_smaller(sm->subcores, p->warps_per_cta), cycles = 0;
    double together = p->warps_per_cta / cores;
    if (sm->scheduler != SCHED_LRR || p->barriers <= 0) return 0;
    for (uint32_t c = 0; c < OP_N; c++) {
        double alone = p->cls[c] - (1 - 1 / together) * p->runs[c];
        cycles += alone * unit_times(sm, (uint8_t)c).interval;
    }
    double kept = p->barriers / (p->barriers + p->waits);
    return kept * m->c->coef[COEF_ISSUE] * cycles / (p->ctas * cores);
}

static void round_memory(struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct cache_levels *v = &m->levels;
    struct warp_round *r = &m->r;
    double n = m->rounds, bypassed = v->l1_bypassed, looked = p->loads - bypassed;
    bool owned = directory_model_applies(m->e->coherence);
    double missed = math_larger(0, looked - math_smaller(v->l1.read_hits, looked)) + bypassed;
    if (!owned) missed += p->atomics;
    r->loads = (p->loads + p->atomics) / n;
    r->stores = p->stores / n;
    r->l1_misses = missed / n;
    r->stored = v->directory.misses / n;
    r->written = (owned ? v->directory.puts : p->sent) / n;
    r->notices = v->directory.notices / n;
    r->l2_accesses = (v->l2.reads + v->l2.writes) / n;
    r->l2_reads = v->l2.reads / n;
    r->fetches = v->fetches / n;
    r->memory_writes = (v->writebacks + v->written_through) / n;
    r->memory_instructions =
        (p->load_instructions + p->store_instructions + p->atomic_instructions) / n;
}

/* Times that a warp waits for stores: at its end, or wherever it stores. */
static double store_stops(const struct launch_profile *p, const struct sm_params *sm)
{
    bool each = sm->memory_wait == WAIT_BLOCK && !sm->nonblocking_stores;
    return each ? p->store_instructions : p->store_waits;
}

void launch_round_find(struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct sm_params *sm = m->e->sm;
    struct warp_round *r = &m->r;
    double stores = store_stops(p, sm), n = m->rounds = math_larger(p->waits + stores, p->warps);
    double issue = m->c->coef[COEF_ISSUE];
    *r = (struct warp_round){
        .instructions = launch_instructions(p) / n,
        .compute = issue * compute_cycles(p, sm) / n,
        .shared_cycles = p->shared_cycles / n,
        .load_wait = p->waits / n,
        .store_wait = stores / n,
        .waited = math_larger(1, math_over(p->waited_loads, p->waits) * m->c->coef[COEF_MLP])};
    round_memory(m);
    r->overlap = math_over(p->overlap, p->waits) * math_over(r->compute, r->instructions);
    r->miss = m->levels.wait_misses;
    /* within a wait, instructions miss the L2 one by one */
    double together =
        math_larger(1, math_over(p->load_miss_instructions, p->waits * math_larger(r->miss, 1e-9)));
    double far = math_over(m->levels.l2.reads - m->levels.l2.read_hits, m->levels.l2.reads);
    r->far = 1 - pow(1 - math_smaller(1, math_larger(0, far)), together);
}
