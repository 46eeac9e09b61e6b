/* memory_stations.c - see memory_stations.h. */
#include "estimator/terms/memory_stations.h"

#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "estimator/terms/inclusion_model.h"
#include "estimator/terms/l2_miss_model.h"
#include "estimator/terms/loaded_latency.h"
#include "estimator/terms/memory_channels.h"
#include "estimator/terms/stations.h"
#include "estimator/terms/warp_round.h"

#include <math.h>

/* --- channels --- */

static void find_under(const struct launch_model *m, const struct memory_channels *s,
                       struct launch_memory *to)
{
    const struct network_station *at = &m->net.at[s->at];
    double rate = math_over(m->result.throughput * at->visits, at->queues),
           depth = rate * (m->result.wait[s->at] + at->service);
    double rounds = m->result.throughput, far = m->r.load_wait * m->r.miss * m->r.far * s->share;
    double room = stations_queue_room(s->d, s->rows), most = room;
    if (l2_miss_entries(m->e->l2) > 0)
        most = math_larger(1, math_smaller(room, memory_channels_entries_open(m, s)));
    to->load = (struct dram_load){
        .rate = rate * s->cycle,
        .depth = math_smaller(math_larger(1, depth), most),
        .most = most,
        .room = room,
        .writes = math_over(m->r.memory_writes, m->r.memory_writes + m->r.memory_reads),
        .between = math_over(m->net.customers, rounds * far) / s->cycle,
        .length = math_over(m->r.rounds, rounds) / s->cycle};
    burst_time_find(&to->burst, s->rows, s->d, &to->load);
}

void memory_under_load(struct launch_model *m)
{
    struct memory_channels of[PAGE_MEMORIES];
    struct launch_memory *const under[PAGE_MEMORIES] = {&m->memory, &m->second.under};
    for (uint32_t i = memory_channels_find(m, of); i--;)
        find_under(m, &of[i], under[i]);
}

void memory_channels_at_once(struct launch_model *m)
{
    const struct est_params *e = m->e;
    struct memory_channels of[PAGE_MEMORIES];
    double *const channels[PAGE_MEMORIES] = {&m->wave.channels, &m->second.channels};
    uint32_t n = memory_channels_find(m, of);
    double asked = m->r.waited * math_over(m->r.l1_misses, m->r.loads) + m->r.stores;
    double places = m->wave.sms * loaded_latency_sm_places(m) +
                    m->spread.slices * ((double)e->noc->output_queue + e->l2->input_queue);
    for (uint32_t i = 0; i < n; i++)
        places += of[i].d->channels * ((double)e->l2->miss_queue + of[i].d->queue);
    double together = math_smaller(m->net.customers * math_larger(1, asked), places);
    for (uint32_t i = 0; i < n; i++) {
        const struct memory_channels *s = &of[i];
        double asks = s->share * together,
               own = s->d->channels * ((double)e->l2->miss_queue + s->d->queue);
        double hottest = row_locality_late(s->rows, asks, math_smaller(own, asks));
        *channels[i] = math_smaller(s->even, s->d->channels / hottest);
    }
    /* atomics that pass the L2 queue up at the channels of their lines for the whole launch */
    if (m->levels.passing > 0) m->wave.channels = m->spread.channels;
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

/* cores: share of its time that CPU cores take. */
static void put_channels(struct launch_model *m, const struct memory_channels *s, const char *name,
                         double cores)
{
    const struct burst_time *b = &s->under->burst;
    double writes = m->r.memory_writes * s->bursts;
    double visits = s->share * (m->r.memory_reads * s->bursts + writes);
    double service = stations_burst_cycles(m, s->d, b->service * s->cycle) / (1 - cores);
    struct network_station *at = stations_put(m, s->at, name, visits, service, s->channels);
    at->c = s->d->model == DRAM_BANKS ? b->c : 0.5;
    at->chance = s->share * math_larger(waits_behind(m), math_smaller(1, writes));
    at->elsewhere = 1 - s->share;
    if (l2_miss_entries(m->e->l2) > 0)
        at->rivals = math_smaller(at->rivals, memory_channels_entries_open(m, s));
}

void memory_put_channels(struct launch_model *m)
{
    struct memory_channels of[PAGE_MEMORIES];
    uint32_t n = memory_channels_find(m, of);
    put_channels(m, &of[0], "dram", m->cpu.busy);
    if (n > 1)
        put_channels(m, &of[1], "second_dram", 0);
    else
        stations_put(m, AT_SECOND_DRAM, "second_dram", 0, 0, 1);
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

/* Where a slice may have so many requests under way, writes count, too: until the memory side has
 * taken them. */
void memory_put_l2_mshrs(struct launch_model *m)
{
    double reads = math_larger(0, m->r.fetches - m->levels.passing / m->r.rounds);
    double writes = l2_link_requests(m->e->l2) ? m->r.l2_writes : 0, held = reads + writes;
    double cycles = reads * l2_miss_entry_cycles(m) + writes * m->latency.l3_write;
    double behind = reads * (1 - m->levels.l3.fetched) * (1 + m->l2_miss.exit.waits) +
                    writes * (1 - m->levels.l3.kept);
    struct network_station *s =
        stations_put(m, AT_L2_MSHR, "l2_mshr", held, math_over(cycles, held), m->spread.fetches);
    s->chance = waits_far(m);
    stations_put_pool(s, l2_miss_capacity(m), held, m->net.customers,
                      1u << AT_DRAM | 1u << AT_SECOND_DRAM);
    s->times = math_over(behind, held);
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
