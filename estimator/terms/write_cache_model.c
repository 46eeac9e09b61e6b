/* write_cache_model.c - see write_cache_model.h. */
#include "estimator/terms/write_cache_model.h"

#include "estimator/math_util.h"

#include <math.h>

/* Stores of other SMs that come while a FIFO of so many entries still has the line. A release by
 * any SM empties it: as often as one comes on the line's way through, it is gone. */
static double joined_in(const struct launch_profile *p, double entries)
{
    double n = 0;
    for (uint32_t k = 0; k < SHARED_LAGS; k++) {
        double low = k ? ldexp(1, (int)k) : 0, high = ldexp(1, (int)k + 1);
        double share = (entries - low) / (high - low);
        n += p->shared.joins[k] * math_smaller(1, math_larger(0, share));
    }
    return n / (1 + math_over(p->releases * entries, p->sent));
}

/* Those of a line that the L2's write caches join go on as one, and so do those in the L3's. */
static void join_stores(struct cache_levels *v, const struct launch_profile *p,
                        const struct est_params *e)
{
    double l2 = (double)e->l2->banks * e->l2->write_cache.fifo;
    double above = math_smaller(joined_in(p, l2), v->written_through);
    double all = math_smaller(joined_in(p, l2 + e->l3->write_cache.fifo), v->written_through);
    v->written_through -= above;
    v->l3.kept = math_over(all - above, v->written_through);
}

void write_cache_model_find(struct cache_levels *v, const struct launch_profile *p,
                            const struct est_params *e)
{
    join_stores(v, p, e);
    double lost = math_smaller(p->shared.lost_loads, v->l1.read_hits);
    double first = lost * math_over(p->shared.lost_first, p->shared.lost_loads);
    double hit =
        pow(1 - math_over(lost, p->loads), math_larger(1, math_over(p->waited_loads, p->waits)));
    double found = v->fetches * v->l3.fetched;
    v->l1.read_hits -= lost;
    v->wait_misses = 1 - (1 - v->wait_misses) * hit;
    v->l2.reads += lost;
    v->l2.read_hits += lost - first;
    v->fetches += first;
    v->l3.fetched = math_over(found, v->fetches);
}

/* From an L1 to the slices and back; between, to the L3 and to the L1s, whichever takes longer. */
static double marker_cycles(const struct launch_model *m)
{
    return m->latency.l2 - m->latency.hit + math_larger(m->latency.lock, m->latency.l3_way);
}

double write_cache_release_cycles(const struct launch_model *m)
{
    if (!write_cache_model_applies(m->e->coherence)) return 0;
    return m->p->releases / m->r.rounds * marker_cycles(m);
}

/* Blocks in all write caches when the launch's last warp ends. */
static double blocks_left(const struct launch_model *m)
{
    const struct est_params *e = m->e;
    double fifos = m->wave.sms * e->l1->write_cache.fifo +
                   (double)e->l2->banks * e->l2->write_cache.fifo + e->l3->write_cache.fifo;
    return math_smaller(fifos, m->p->sent);
}

/* The memory writes them after the launch's work as far as it was not busy anyway. */
double write_cache_end_cycles(const struct launch_model *m)
{
    const struct network_station *s = &m->net.at[AT_DRAM];
    if (!write_cache_model_applies(m->e->coherence)) return 0;
    double idle = 1 - math_smaller(1, m->result.utilization[AT_DRAM]);
    return marker_cycles(m) + idle * blocks_left(m) * m->in.bursts * s->service / s->queues;
}

double write_cache_invalidations(const struct launch_model *m)
{
    if (!write_cache_model_applies(m->e->coherence)) return 0;
    return m->r.written * m->e->sm->count;
}
