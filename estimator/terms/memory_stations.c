/* memory_stations.c - see memory_stations.h. */
#include "estimator/terms/memory_stations.h"

#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "estimator/terms/inclusion_model.h"
#include "estimator/terms/l2_miss_model.h"
#include "estimator/terms/loaded_latency.h"
#include "estimator/terms/second_memory.h"
#include "estimator/terms/stations.h"
#include "estimator/terms/warp_round.h"

#include <math.h>

/* --- channels --- */

/* Of the first memory, in bursts. */
static double entries_open(const struct launch_model *m)
{
    return stations_entries_open(m, m->wave.channels, m->in.bursts) * (1 - m->second.share);
}

void memory_under_load(struct launch_model *m)
{
    const struct est_params *e = m->e;
    const struct network_station *s = &m->net.at[AT_DRAM];
    double rate = math_over(m->result.throughput * s->visits, s->queues),
           depth = rate * (m->result.wait[AT_DRAM] + s->service);
    double room = stations_queue_room(e->dram, &m->rows), most = room;
    if (e->l2->cache.mshr.entries) most = math_larger(1, math_smaller(room, entries_open(m)));
    m->memory.load = (struct dram_load){
        .rate = rate * m->in.dram_cycle,
        .depth = math_smaller(math_larger(1, depth), most),
        .most = most,
        .room = room,
        .writes = math_over(m->r.memory_writes, m->r.memory_writes + m->r.memory_reads)};
    burst_time_find(&m->memory.burst, &m->rows, e->dram, &m->memory.load);
}

void memory_channels_at_once(struct launch_model *m)
{
    const struct est_params *e = m->e;
    double asked = m->r.waited * math_over(m->r.l1_misses, m->r.loads) + m->r.stores;
    double places = m->wave.sms * loaded_latency_sm_places(m) +
                    m->spread.slices * ((double)e->noc->output_queue + e->l2->input_queue) +
                    e->dram->channels * ((double)e->l2->miss_queue + e->dram->queue);
    if (m->second.share > 0)
        places += e->second_dram->channels * ((double)e->l2->miss_queue + e->second_dram->queue);
    double together = math_smaller(m->net.customers * math_larger(1, asked), places);
    second_memory_at_once(m, together);
    /* atomics that pass the L2 queue up at the channels of their lines for the whole launch */
    m->wave.channels = m->spread.channels;
    if (m->levels.passing > 0) return;
    together *= 1 - m->second.share;
    m->wave.channels = math_smaller(m->spread.channels,
                                    e->dram->channels / row_locality_hottest(&m->rows, together));
}

/* Share of rounds that wait for what misses the L2. */
static double waits_far(const struct launch_model *m)
{
    const struct warp_round *r = &m->r;
    return r->load_wait * r->miss * r->far + r->store_wait * launch_store_far(m);
}

/* ... for the memory, counting what its victims wait there. */
static double waits_behind(const struct launch_model *m)
{
    return waits_far(m) * (1 - m->levels.l3.fetched) * (1 + m->l2_miss.exit.waits);
}

void memory_put_channels(struct launch_model *m)
{
    const struct est_params *e = m->e;
    const struct warp_round *r = &m->r;
    double writes = r->memory_writes * m->in.bursts, here = 1 - m->second.share;
    struct network_station *s =
        stations_put(m, AT_DRAM, "dram", here * (r->memory_reads * m->in.bursts + writes),
                     stations_burst_cycles(m, e->dram, m->memory.burst.service * m->in.dram_cycle) /
                         (1 - m->cpu.busy),
                     m->wave.channels);
    s->c = e->dram->model == DRAM_BANKS ? m->memory.burst.c : 0.5;
    s->chance = here * math_larger(waits_behind(m), math_smaller(1, writes));
    s->elsewhere = m->second.share;
    if (e->l2->cache.mshr.entries) s->rivals = math_smaller(s->rivals, entries_open(m));
    second_memory_put(m, r->memory_reads + r->memory_writes, waits_behind(m), r->memory_writes);
}

/* --- L3 and L2 --- */

/* Every fetch and every write of the L2 takes a port of the part before its channel. */
void memory_put_l3(struct launch_model *m)
{
    const struct l3_params *l3 = m->e->l3;
    double visits = l3_is_there(l3) ? m->r.fetches + m->r.l2_writes : 0;
    double held = math_larger(1.0 / l3->ports, l3_data_cycles(l3)) * m->in.l2_cycle;
    struct network_station *s = stations_put(m, AT_L3, "l3", visits, held, m->wave.channels);
    s->chance = waits_far(m);
}

void memory_put_l2_mshrs(struct launch_model *m)
{
    double behind = 1 - m->levels.l3.fetched;
    double held = math_larger(0, m->r.fetches - m->levels.passing / m->r.rounds);
    struct network_station *s =
        stations_put(m, AT_L2_MSHR, "l2_mshr", held, l2_miss_entry_cycles(m), m->spread.fetches);
    s->chance = waits_far(m);
    stations_put_pool(s, l2_miss_capacity(m), held, m->net.customers,
                      1u << AT_DRAM | 1u << AT_SECOND_DRAM);
    s->times = behind * (1 + m->l2_miss.exit.waits);
}

/* Of a slice's door for one access: its ports, or the banks of its data.  Accesses that must go in
 * order keep B^0.56 of B banks busy.  A miss wants its bank once, for the fill. */
static double slice_cycles(const struct launch_model *m)
{
    const struct l2_params *l2 = m->e->l2;
    double port = m->in.l2_cycle / l2->ports;
    if (!l2->data_banks) return port;
    return math_larger(port,
                       l2->bank_cycles * m->in.l2_cycle / pow(l2->data_banks, BANKS_IN_ORDER));
}

/* The share of the L2's accesses that go to another partition. */
static double partition_far(const struct launch_model *m)
{
    const struct cache_levels *v = &m->levels;
    return math_smaller(
        1, math_over(v->copies.fetches + v->copies.writes, v->l2.reads + v->l2.writes));
}

/* The links of partitions. Between them, those with work send headers and what they write, and the
 * homes what is read; where all work, each does both. From an L3, what is fetched. */
void memory_put_links(struct launch_model *m)
{
    const struct l2_params *l2 = m->e->l2;
    const struct partition_hits *k = &m->levels.copies;
    double bytes = m->e->noc->header_bytes + l2->cache.sector_bytes, links = k->partitions - 1;
    double visits = m->r.l2_accesses * partition_far(m);
    if (k->active > 1) {
        bytes += m->e->noc->header_bytes;
        links = k->partitions;
    }
    if (l2_are_several(l2)) {
        visits = m->r.fetches;
        bytes = m->e->l3->header_bytes + l2->cache.sector_bytes;
        links = k->active;
    }
    if (!l2->link_bytes || k->partitions <= 1) visits = 0;
    stations_put(m, AT_L2_LINK, "l2_link", visits,
                 visits > 0 ? bytes / l2->link_bytes * m->in.l2_cycle : 0, math_larger(1, links));
}

/* What goes to a home slice in another partition has a place in its queue there, one for each
 * partition, from the time it leaves. */
void memory_put_link_places(struct launch_model *m)
{
    const struct l2_params *l2 = m->e->l2;
    const struct partition_hits *k = &m->levels.copies;
    double visits = l2_has_homes(l2) && k->active > 1 ? m->r.l2_accesses * partition_far(m) : 0;
    struct network_station *s = stations_put(m, AT_L2_LINK_PLACE, "l2_link_places", visits,
                                             (l2->link_latency + 1.0) * m->in.l2_cycle,
                                             m->spread.homes * math_larger(1, k->partitions - 1));
    stations_put_pool(s, l2->miss_queue, visits, m->net.customers, 0);
}

void memory_put_l2(struct launch_model *m)
{
    const struct warp_round *r = &m->r;
    stations_put(m, AT_L2, "l2",
                 r->l2_accesses * (1 + partition_far(m)) + r->notices + m->nacks +
                     inclusion_messages(m),
                 slice_cycles(m), m->spread.slices);
}
