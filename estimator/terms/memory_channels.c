/* memory_channels.c - see memory_channels.h. */
#include "estimator/terms/memory_channels.h"

#include "estimator/math_util.h"
#include "estimator/terms/l2_miss_model.h"

void memory_channels_init(struct launch_model *m)
{
    const struct clocks *c = &m->e->clocks;
    const struct dram_params *d = m->e->second_dram;
    if (!d || !dram_is_there(d)) return;
    m->second.cycle = (double)c->period[CLOCK_SECOND_DRAM] / (double)c->period[CLOCK_CORE];
    m->second.bursts = math_larger(1, (double)m->e->l2->cache.sector_bytes /
                                          ((double)d->bus_bytes * d->burst_length));
}

uint32_t memory_channels_find(const struct launch_model *m,
                              struct memory_channels of[PAGE_MEMORIES])
{
    const struct second_memory *s = &m->second;
    of[0] = (struct memory_channels){m->e->dram,   &m->rows,         &m->memory,
                                     AT_DRAM,      1 - s->share,     m->in.dram_cycle,
                                     m->in.bursts, m->wave.channels, m->spread.channels};
    of[1] = (struct memory_channels){m->e->second_dram, &s->rows,    &s->under,
                                     AT_SECOND_DRAM,    s->share,    s->cycle,
                                     s->bursts,         s->channels, s->even_channels};
    return s->share > 0 ? 2 : 1;
}

double memory_channels_entries_open(const struct launch_model *m, const struct memory_channels *s)
{
    double entries = l2_miss_entries(m->e->l2) * m->e->l2->banks;
    double writes = l2_link_requests(m->e->l2) ? 0 : math_over(m->r.memory_writes, m->r.fetches);
    if (m->e->l2->miss_management == MISS_CONVENTIONAL &&
        m->e->l2->eviction_end == EVICTION_WRITTEN)
        writes *= m->l2_miss.early + (1 - m->l2_miss.early) * m->l2_miss.buffered;
    return entries / s->channels * s->bursts * (1 + writes) * s->share;
}

double memory_channels_latency(const struct memory_channels *s)
{
    const struct burst_time *b = &s->under->burst;
    if (s->d->model == DRAM_FIXED) return s->d->fixed_latency * s->cycle;
    return (b->latency + b->conflict) * s->cycle + s->d->extra_latency;
}
