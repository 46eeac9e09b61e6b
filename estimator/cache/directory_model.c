/* directory_model.c - what a directory's protocol does to a launch's hits: loads and stores that
 * other SMs' stores turn into misses are taken from the L1's hits, every missed store brings its
 * block, and blocks that leave L1s are puts (with data) and notices (without).
 *
 * A put hits the L2 unless as many lines have been filled since as evict it: a binomial over the
 * sets, iterated a few times, because puts that miss take lines, too. The counts of lost hits come
 * from moesi_write_sharing.h. Source: Candel 2019, 2.4.A, 4.6.4; docs/models/estimator.md. */
#include "estimator/cache/directory_model.h"

#include "estimator/constants.h"
#include "estimator/math_util.h"

#include <math.h>

/* Of the blocks that are put, those whose line is still in the L2: as many others as L1s hold have
 * been filled since, and what was put meanwhile and missed took lines, too. */
static double put_hits(const struct l2_params *l2, double lines, double puts_per_fill)
{
    double sets = (double)l2->banks * l2->cache.sets, hits = 1;
    if (l2->inclusion == INCLUSION_FULL) return 1;
    for (uint32_t i = 0; i < DIRECTORY_STEPS; i++)
        hits = hit_curve_binomial(lines * (1 + puts_per_fill * (1 - hits)), l2->cache.ways, sets);
    return hits;
}

/* Hits that other SMs' stores turn into misses, all of which find their line in the L2; and stores
 * that hit a line of which there are other copies. */
static double lose_hits(struct cache_levels *v, const struct launch_profile *p)
{
    const struct shared_counts *s = &p->shared;
    double loads = math_smaller(s->lost_loads, v->l1.read_hits);
    double own = math_over(v->l1.write_hits, p->stores + p->atomics);
    double stores = math_smaller(s->lost_stores * own, v->l1.write_hits);
    double hit =
        pow(1 - math_over(loads, p->loads), math_larger(1, math_over(p->waited_loads, p->waits)));
    v->l1.read_hits -= loads;
    v->l1.write_hits -= stores;
    v->wait_misses = 1 - (1 - v->wait_misses) * hit;
    v->directory.asked = s->asked;
    v->directory.hottest = s->hottest;
    v->directory.hottest_loads = s->hottest_loads;
    return loads;
}

void directory_model_find(struct cache_levels *v, const struct launch_profile *p,
                          const struct coherence_params *c, const struct l2_params *l2,
                          double lines, double sms)
{
    double all = lines * sms, stores = p->stores + p->atomics;
    double lost = lose_hits(v, p);
    double missed = stores - math_smaller(stores, v->l1.write_hits);
    double loads = math_larger(0, p->loads - v->l1.read_hits), filled = missed + loads;
    double far = math_larger(0, v->l2.writes - v->l2.write_hits);
    /* at a launch's end L1s are full of the last lines; with NMOESI stored lines leave then, and
     * shared ones are dropped silently at acquires */
    bool leaves = c->protocol == PROTOCOL_NMOESI;
    double dropped = all + p->dropped;
    v->directory.misses = missed;
    v->directory.puts = leaves ? missed : missed * (1 - math_smaller(1, math_over(all, filled)));
    v->directory.notices = loads * (1 - math_smaller(1, math_over(dropped, filled)));
    v->l2.reads = loads + missed;
    v->l2.read_hits =
        math_smaller(math_larger(0, v->l2.read_hits + missed + lost - far), v->l2.reads);
    v->l2.writes = v->directory.puts;
    v->l2.write_hits = v->directory.puts * put_hits(l2, all, math_over(v->directory.puts, filled));
    v->fetches = v->l2.reads - v->l2.read_hits;
    if (l2->cache.write_miss == WRITE_MISS_FETCH) v->fetches += v->l2.writes - v->l2.write_hits;
}
