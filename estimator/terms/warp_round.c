/* warp_round.c - see warp_round.h. */
#include "estimator/terms/warp_round.h"

#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "estimator/terms/register_stations.h"
#include "gpu/policies/exec_unit.h"

#include <math.h>

/* What an instruction waits for its youngest source where instructions are `apart` cycles apart:
 * its latency less what has gone by.  *slope: of the wait over that distance. */
static double dependence_wait(const struct launch_profile *p, const struct sm_params *sm, double n,
                              double step, double apart, double behind, double *slope)
{
    double wait = 0;
    *slope = 0;
    for (uint32_t c = 0; c < PROFILE_CLASSES; c++) {
        double latency = exec_unit_latency(sm, (uint8_t)c) + behind - step;
        for (uint32_t k = 1; k < PROFILE_DEP && latency > (k - 1) * apart; k++) {
            wait += p->dep[c][k] * (latency - (k - 1) * apart) / n;
            *slope += p->dep[c][k] * (k - 1) / n;
        }
    }
    return wait;
}

/* The cycles that the launch's warps would take, summed, if each were alone on its sub-core and
 * memory took no time: a unit accepts an instruction after its interval, a result takes its
 * latency, and instructions after a branch wait for it.  Waits between a source and its use count
 * for both, so the distance of instructions solves apart = step + wait(apart), whose right side is
 * convex and falls (Newton from below). */
static double compute_cycles(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct sm_params *sm = m->e->sm;
    double collect = m->registers.collect, behind = collect + m->registers.write;
    double cycles = 0, n = 0, slope;
    for (uint32_t c = 0; c < PROFILE_CLASSES; c++) {
        double alone = c == OP_BRANCH ? exec_unit_latency(sm, (uint8_t)c) + collect
                                      : exec_unit_interval(sm, (uint8_t)c);
        cycles += p->cls[c] * alone;
        n += p->cls[c];
    }
    if (n <= 0) return 0;
    double step = cycles / n, apart = step;
    for (uint32_t i = 0; i < DEPENDENCE_STEPS; i++)
        apart +=
            (step + dependence_wait(p, sm, n, step, apart, behind, &slope) - apart) / (1 + slope);
    return n * apart;
}

/* The cycles of the unit with most work, over all warps. */
double launch_round_unit_cycles(const struct launch_profile *p, const struct sm_params *sm,
                                double *instructions)
{
    double busy[UNIT_NONE + 1] = {0}, n[UNIT_NONE + 1] = {0};
    uint32_t most = 0;
    for (uint32_t c = 0; c < PROFILE_CLASSES; c++) {
        enum unit unit = unit_of((uint8_t)c);
        busy[unit] += p->cls[c] * exec_unit_interval(sm, (uint8_t)c);
        n[unit] += p->cls[c];
    }
    for (uint32_t unit = 1; unit < UNIT_OWN_N; unit++)
        if (busy[unit] > busy[most]) most = unit;
    if (busy[most] > 0) *instructions = n[most];
    return busy[most];
}

static void round_memory(struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct cache_levels *v = &m->levels;
    struct warp_round *r = &m->r;
    double n = m->r.rounds, bypassed = v->l1_bypassed, looked = p->loads - bypassed;
    bool owned = coherence_has_directory(m->e->coherence);
    double missed = math_larger(0, looked - math_smaller(v->l1.read_hits, looked)) + bypassed;
    r->l1_fetched = (missed - bypassed) / n;
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
    r->memory_reads = cache_levels_memory_reads(v) / n;
    r->l2_writes = (v->writebacks + v->written_through) / n;
    r->memory_writes = cache_levels_memory_writes(v) / n;
    r->memory_instructions =
        (p->load_instructions + p->store_instructions + p->atomic_instructions) / n;
}

/* How often a warp waits for stores: once at its end and where it drains, or at every store. */
static double store_stops(const struct launch_profile *p, const struct sm_params *sm)
{
    bool each = sm->memory_wait == WAIT_BLOCK && !sm->nonblocking_stores;
    if (each) return p->store_instructions;
    double ends = sm->exit_waits_for_stores ? 0 : math_smaller(p->warps, p->store_waits);
    return p->store_waits - ends;
}

double launch_silent_atomics(const struct launch_model *m, double *missed)
{
    const struct launch_profile *p = m->p;
    double silent = p->atomics - p->atomics_back;
    if (coherence_has_directory(m->e->coherence)) silent = 0;
    *missed = silent * (m->levels.passing > 0 ? 1 : math_over(p->atomics_new, p->atomics));
    return silent;
}

double launch_far(const struct launch_model *m)
{
    const struct level_hits *l2 = &m->levels.l2;
    double missed, silent = launch_silent_atomics(m, &missed);
    missed = math_larger(0, l2->reads - l2->read_hits - missed);
    missed += m->merges.l2.n * m->merges.l2.left;
    return math_smaller(1, math_over(missed, math_larger(0, l2->reads - silent)));
}

double launch_store_far(const struct launch_model *m)
{
    const struct level_hits *l2 = &m->levels.l2;
    const struct level_merges *joined = &m->merges.l2_writes;
    if (m->e->l2->cache.write_miss != WRITE_MISS_FETCH) return 0;
    return math_smaller(
        1, math_over(l2->writes - l2->write_hits + joined->n * joined->left, l2->writes));
}

void launch_round_far(struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    struct warp_round *r = &m->r;
    /* the instructions of one wait miss the L2 independently */
    double together =
        math_larger(1, math_over(p->load_miss_instructions, p->waits * math_larger(r->miss, 1e-9)));
    r->far = 1 - pow(1 - launch_far(m), together);
}

void launch_round_compute(struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    struct warp_round *r = &m->r;
    r->compute = compute_cycles(m) / m->r.rounds;
    r->overlap = math_over(p->overlap, p->waits) * math_over(r->compute, r->instructions);
}

void launch_round_find(struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct sm_params *sm = m->e->sm;
    struct warp_round *r = &m->r;
    double stores = store_stops(p, sm), n = math_larger(p->waits + stores, p->warps);
    *r = (struct warp_round){.rounds = n,
                             .instructions = launch_instructions(p) / n,
                             .shared_cycles = p->shared_cycles / n,
                             .load_wait = p->waits / n,
                             .store_wait = stores / n,
                             .waited = math_larger(1, math_over(p->waited_loads, p->waits))};
    round_memory(m);
    launch_round_compute(m);
    r->miss = m->levels.wait_misses;
    launch_round_far(m);
}
