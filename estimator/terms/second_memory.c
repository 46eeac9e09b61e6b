/* second_memory.c - see second_memory.h. */
#include "estimator/terms/second_memory.h"

#include "estimator/math_util.h"
#include "estimator/terms/stations.h"

void second_memory_init(struct launch_model *m)
{
    const struct clocks *c = &m->e->clocks;
    const struct dram_params *d = m->e->second_dram;
    if (!d || !dram_is_there(d)) return;
    m->second.cycle = (double)c->period[CLOCK_SECOND_DRAM] / (double)c->period[CLOCK_CORE];
    m->second.bursts = math_larger(1, (double)m->e->l2->cache.sector_bytes /
                                          ((double)d->bus_bytes * d->burst_length));
}

void second_memory_at_once(struct launch_model *m, double together)
{
    struct second_memory *s = &m->second;
    if (s->share <= 0) return;
    double hottest = row_locality_hottest(&s->rows, s->share * together);
    s->channels = math_smaller(s->even_channels, m->e->second_dram->channels / hottest);
}

void second_memory_under_load(struct launch_model *m)
{
    struct second_memory *s = &m->second;
    const struct dram_params *d = m->e->second_dram;
    const struct network_station *at = &m->net.at[AT_SECOND_DRAM];
    if (s->share <= 0) return;
    double rate = math_over(m->result.throughput * at->visits, at->queues),
           depth = rate * (m->result.wait[AT_SECOND_DRAM] + at->service);
    double room = stations_queue_room(d, &s->rows), most = room;
    double open = stations_entries_open(m, s->channels, s->bursts) * s->share;
    if (m->e->l2->cache.mshr.entries) most = math_larger(1, math_smaller(room, open));
    s->dram = (struct dram_load){.rate = rate * s->cycle,
                                 .depth = math_smaller(math_larger(1, depth), most),
                                 .most = most,
                                 .room = room,
                                 .writes = m->memory.load.writes};
    burst_time_find(&s->burst, &s->rows, d, &s->dram);
}

double second_memory_latency(const struct launch_model *m)
{
    const struct second_memory *s = &m->second;
    const struct dram_params *d = m->e->second_dram;
    if (d->model == DRAM_FIXED) return d->fixed_latency * s->cycle;
    return (s->burst.latency + s->burst.conflict) * s->cycle + d->extra_latency;
}

void second_memory_put(struct launch_model *m, double visits, double far, double writes)
{
    const struct second_memory *s = &m->second;
    const struct dram_params *d = m->e->second_dram;
    if (s->share <= 0) {
        stations_put(m, AT_SECOND_DRAM, "second_dram", 0, 0, 1);
        return;
    }
    double service = stations_burst_cycles(m, d, s->burst.service * s->cycle);
    struct network_station *at = stations_put(m, AT_SECOND_DRAM, "second_dram",
                                              s->share * visits * s->bursts, service, s->channels);
    at->c = d->model == DRAM_BANKS ? s->burst.c : 0.5;
    at->chance = s->share * math_larger(far, math_smaller(1, writes * s->bursts));
    at->elsewhere = 1 - s->share;
    if (m->e->l2->cache.mshr.entries)
        at->rivals =
            math_smaller(at->rivals, stations_entries_open(m, s->channels, s->bursts) * s->share);
}
