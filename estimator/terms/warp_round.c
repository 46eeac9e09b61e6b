/* warp_round.c - see warp_round.h. */
#include "estimator/terms/warp_round.h"

#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "estimator/terms/register_stations.h"
#include "gpu/policies/exec_unit.h"

#include <math.h>

/* What is left of a wait of `cycles` behind others that came `between`, where instructions are
 * `apart` cycles apart, by chance: each of the others goes on at once, or waits as long and leaves
 * none.  *slope: less for each cycle that they are farther apart. */
static double wait_left(double cycles, uint32_t between, double apart, double *slope)
{
    double left = math_larger(0, cycles - between), at_once = 1 - (apart - 1) / cycles;
    *slope = 0;
    if (between == 0 || left <= 0 || at_once <= 0) return between == 0 ? left : 0;
    *slope = left * between * pow(at_once, between - 1.0) / cycles;
    return left * pow(at_once, between);
}

/* What an instruction waits for its unit, if the arithmetic before was of its class, and for its
 * youngest source.  Other instructions come between arithmetic by chance.  Who waits for the unit
 * waits for a source just before in the same time.  *slope: of the wait over `apart`. */
static double issue_wait(const struct launch_profile *p, const struct sm_params *sm, double n,
                         double apart, double behind, double *slope)
{
    double wait = 0, arithmetic = 0, falls;
    *slope = 0;
    for (uint32_t c = 0; c < PROFILE_CLASSES; c++)
        arithmetic += inst_op_is_arithmetic((uint8_t)c) ? p->cls[c] : 0;
    double share = arithmetic / n;
    for (uint32_t c = 0; c < PROFILE_CLASSES; c++) {
        double interval = exec_unit_interval(sm, (uint8_t)c) - 1, again = p->cls[c] - p->runs[c];
        double latency = exec_unit_latency(sm, (uint8_t)c) + behind - 1;
        double next = math_over(again, p->cls[c]) * share; /* are followed by their class */
        wait -= p->dep[c][1] * next * math_smaller(interval, latency) / n;
        again *= share / n;
        for (uint32_t between = 0; interval > between; between++, again *= 1 - share) {
            wait += again * wait_left(interval, between, apart, &falls);
            *slope += again * falls;
        }
        for (uint32_t k = 1; k < PROFILE_DEP && latency > k - 1; k++) {
            wait += p->dep[c][k] / n * wait_left(latency, k - 1, apart, &falls);
            *slope += p->dep[c][k] / n * falls;
        }
    }
    return wait;
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

/* The cycles that the launch's warps would take, summed, if each were alone on its sub-core and
 * memory took no time: a warp issues in each cycle, but that a unit accepts an instruction after
 * its interval, a result takes its latency, and instructions after a branch wait for it.  Waits
 * between a source and its use count for both, so the distance of instructions solves apart = step
 * + wait(apart), whose right side is convex and falls (Newton from below). */
static double compute_cycles(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct sm_params *sm = m->e->sm;
    double collect = m->registers.collect, behind = collect + m->registers.write;
    double n = launch_instructions(p), most = 0, slope;
    if (n <= 0) return 0;
    double branch = exec_unit_latency(sm, OP_BRANCH) + collect - 1;
    double step = 1 + p->cls[OP_BRANCH] * branch / n, apart = step;
    for (uint32_t i = 0; i < DEPENDENCE_STEPS; i++)
        apart += (step + issue_wait(p, sm, n, apart, behind, &slope) - apart) / (1 + slope);
    return math_larger(n * apart, launch_round_unit_cycles(p, sm, &most));
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
