/* under_load.c - see under_load.h. */
#include "estimator/terms/under_load.h"

#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "estimator/terms/fetch_waits.h"
#include "estimator/terms/loaded_latency.h"
#include "estimator/terms/memory_channels.h"
#include "estimator/terms/register_stations.h"
#include "estimator/terms/warp_round.h"

/* The cycles of the whole launch, if all of it were like the CTAs side by side. */
static double launch_cycles(const struct launch_model *m)
{
    return m->cycles.wave * m->p->ctas / m->wave.ctas;
}

void under_load_l1_merges(struct launch_model *m)
{
    struct loaded_latency l;
    loaded_latency_find(m, &l);
    double missing = l.l2 + m->r.far * (l.memory - l.l2);
    double age = math_over(m->p->pass_cycles, launch_cycles(m)) * missing;
    m->merges.l1 = cache_levels_merges(&m->p->l1_age, m->levels.l1.read_hits, age);
}

void under_load_l2_merges(struct launch_model *m)
{
    struct loaded_latency l;
    const struct level_hits *l2 = &m->levels.l2;
    loaded_latency_find(m, &l);
    double age = math_over(m->p->pass_cycles, launch_cycles(m)) * (l.memory - l.l2);
    m->merges.l2 = cache_levels_merges(&m->p->l2_age, l2->read_hits, age);
    m->merges.l2_writes = cache_levels_merges(&m->p->l2_write_age, l2->write_hits, age);
}

void under_load_compute(struct launch_model *m)
{
    if (m->registers.on) launch_round_compute(m);
}

/* Conventional management, and the other one with l2.nack, sends a request back if the MSHR file is
 * full; the request repeats as long as it waits, but not more often than the ports allow. */
static double full_file_nacks(const struct launch_model *m)
{
    const struct l2_params *l2 = m->e->l2;
    const struct network_result *r = &m->result;
    bool sends_back = l2->miss_management == MISS_CONVENTIONAL || l2->nack;
    if (!sends_back || !l2->cache.mshr.entries) return 0;
    /* requests that wait for room in the memory's queues are not sent back */
    double entries = (double)l2->cache.mshr.entries * l2->banks;
    struct memory_channels of[PAGE_MEMORIES];
    double places = 0;
    for (uint32_t i = memory_channels_find(m, of); i--;)
        places += (double)(of[i].d->queue + l2->miss_queue) * of[i].channels;
    double sent_back = r->wait[AT_L2_MSHR] * math_larger(0, 1 - entries / places);
    return m->r.fetches * sent_back / fetch_wait_round_trip(m);
}

static double count_nacks(const struct launch_model *m)
{
    const struct network_station *door = &m->net.at[AT_NOC_SLICE_IN];
    double most = door->queues / (door->service * m->result.throughput) - door->visits + m->nacks;
    double nacks = full_file_nacks(m) + fetch_wait_line_nacks(m);
    return math_smaller(nacks, BUSY_MOST * math_larger(0, most));
}

void under_load_nacks(struct launch_model *m)
{
    m->nacks = (1 - DAMPING) * m->nacks + DAMPING * count_nacks(m);
}
