/* stations.c - see stations.h. */
#include "estimator/network/stations_network.h"

#include "estimator/cache/fetch_waits.h"
#include "estimator/cache/inclusion_model.h"
#include "estimator/cache/l2_miss_model.h"
#include "estimator/cache/tlb_model.h"
#include "estimator/cache/write_cache_model.h"
#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "estimator/network/dispatch_station.h"
#include "estimator/network/loaded_latency.h"
#include "estimator/network/second_memory.h"
#include "estimator/network/sm_stations.h"
#include "gpu/cache/l15.h"

#include <math.h>

double stations_packet_flits(const struct noc_params *n,
                             double data) /* in whole flits per packet, as the network counts */
{
    return math_larger(1, ceil((n->header_bytes + data) / n->flit_bytes));
}

/* The way of a request to another partition of the L2 and back. */
static double partition_way(const struct launch_model *m)
{
    const struct l2_params *l2 = m->e->l2;
    return (2.0 * l2->link_latency + l2->latency) * m->l2_cycle;
}

void stations_unloaded(struct launch_model *m)
{
    const struct est_params *e = m->e;
    double reply = stations_packet_flits(e->noc, est_request_bytes(e)),
           request = stations_packet_flits(e->noc, 0);
    double one_way = noc_idle_latency(e->noc, e->sm->count, e->l2->banks);
    struct mesh_shape mesh = mesh_shape(e->noc, e->sm->count, e->l2->banks);
    for (uint32_t back = 0; e->noc->topology == TOPOLOGY_MESH && back < 2; back++)
        m->links[back] = mesh_load(&mesh, back);
    double network = (2.0 * one_way + reply + request - 2) * m->noc_cycle;
    double lookup = (e->l2->latency + e->l2->extra_latency) * m->l2_cycle;
    m->hit_latency = e->sm->memory_latency + (e->l1->enabled ? e->l1->latency : 0);
    m->l2_latency = m->hit_latency + l15_cycles(e->l1) + (network + lookup);
    /* from the home to a copy and back */
    m->lock = network + e->l1->latency + lookup;
    if (l3_is_there(e->l3))
        m->l3_way = (2.0 * e->l3->link_latency + e->l3->tag_latency) * m->l2_cycle;
    m->l2_latency += math_over(m->levels.directory.asked, m->levels.l2.reads) * m->lock;
    m->l2_latency += math_over(m->levels.copies.fetches, m->levels.l2.reads) * partition_way(m);
}

/* The latency of a fetch that goes to the L3: its tags, then its data or the memory's. */
static double l3_fetch_cycles(const struct launch_model *m, double dram)
{
    const struct l3_params *l3 = m->e->l3;
    double hit = m->levels.l3.fetched;
    return m->l3_way + hit * (l3->latency - l3->tag_latency) * m->l2_cycle + (1 - hit) * dram;
}

static void memory_latency(struct launch_model *m)
{
    const struct dram_params *d = m->e->dram;
    double dram = d->model == DRAM_FIXED
                      ? d->fixed_latency * m->dram_cycle
                      : (m->burst.latency + m->burst.conflict) * m->dram_cycle + d->extra_latency;
    m->dram_latency = dram;
    if (m->second.share > 0) m->dram_latency += m->second.share * (second_memory_latency(m) - dram);
    if (l3_is_there(m->e->l3)) m->dram_latency = l3_fetch_cycles(m, dram);
    l2_miss_find(m);
    m->memory_latency =
        m->l2_latency + m->l2_miss.lookup + m->l2_miss.exit.cycles + m->dram_latency;
    m->miss_latency = m->l2_latency + m->r.far * (m->memory_latency - m->l2_latency);
}

/* The number of requests that may meet if each customer sends `visits` at once: those of all others
 * and one of its own. */
double stations_rivals(double customers, double visits)
{
    return (customers - 1) * math_larger(1, visits) + 1;
}

double stations_queue_room(const struct dram_params *d, const struct row_locality *rows)
{
    double windows = d->per_bank_queue * rows->banks[ROW_DEPTHS - 1];
    return math_larger(1, d->queue + windows);
}

double stations_entries_open(const struct launch_model *m, double channels, double bursts)
{
    double entries = (double)m->e->l2->cache.mshr.entries * m->e->l2->banks;
    double writes = math_over(m->r.memory_writes, m->r.fetches);
    if (m->e->l2->miss_management == MISS_CONVENTIONAL &&
        m->e->l2->eviction_end == EVICTION_WRITTEN)
        writes *= m->l2_miss.early + (1 - m->l2_miss.early) * m->l2_miss.buffered;
    return entries / channels * bursts * (1 + writes);
}

/* Of the first memory, in bursts. */
static double entries_open(const struct launch_model *m)
{
    return stations_entries_open(m, m->channels, m->bursts) * (1 - m->second.share);
}

void stations_dram_under(struct launch_model *m, double rate, double depth)
{
    const struct est_params *e = m->e;
    double room = stations_queue_room(e->dram, &m->rows), most = room;
    if (e->l2->cache.mshr.entries) most = math_larger(1, math_smaller(room, entries_open(m)));
    m->dram = (struct dram_load){
        .rate = rate * m->dram_cycle,
        .depth = math_smaller(math_larger(1, depth), most),
        .most = most,
        .room = room,
        .writes = math_over(m->r.memory_writes, m->r.memory_writes + m->r.memory_reads)};
    burst_time_find(&m->burst, &m->rows, e->dram, &m->dram);
}

struct network_station *stations_put(struct launch_model *m, enum station_place at,
                                     const char *name, double visits, double service, double queues)
{
    struct network_station *s = &m->net.at[at];
    *s = (struct network_station){.name = name,
                                  .visits = visits,
                                  .service = service,
                                  .queues = queues,
                                  .pool = 1,
                                  .rivals = stations_rivals(m->net.customers, visits),
                                  .c = 0.5,
                                  .chance = math_smaller(1, visits)};
    return s;
}

void stations_put_pool(struct network_station *s, double entries, double each, double customers,
                       uint32_t holds)
{
    s->pool = entries > 0 ? entries : 1;
    s->visits = entries > 0 ? s->visits : 0;
    s->rivals = customers * math_larger(1, each);
    s->c = 1;
    s->holds = holds;
    s->times = 1;
}

double stations_burst_cycles(const struct launch_model *m, const struct dram_params *d,
                             double banks)
{
    if (d->model == DRAM_BANKS) return banks;
    double core_mhz = 1 / (m->e->clocks.tick_us * (double)m->e->clocks.period[CLOCK_CORE]);
    double bytes = (double)d->bus_bytes * d->burst_length;
    return d->fixed_gbps > 0 ? bytes / (d->fixed_gbps * 1e3) * core_mhz : 0;
}

/* Of a slice's door for one access: its ports, or the banks of its data.  Accesses that must go in
 * order keep B^0.56 of B banks busy.  A miss wants its bank once, for the fill. */
static double slice_cycles(const struct launch_model *m)
{
    const struct l2_params *l2 = m->e->l2;
    double port = m->l2_cycle / l2->ports;
    if (!l2->data_banks) return port;
    return math_larger(port, l2->bank_cycles * m->l2_cycle / pow(l2->data_banks, BANKS_IN_ORDER));
}

/* Every fetch and every write of the L2 takes a port of the part before its channel. */
static void put_l3(struct launch_model *m, double far)
{
    const struct l3_params *l3 = m->e->l3;
    double visits = l3_is_there(l3) ? m->r.fetches + m->r.l2_writes : 0;
    struct network_station *s =
        stations_put(m, AT_L3, "l3", visits, m->l2_cycle / l3->ports, m->channels);
    s->chance = far;
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
static void put_links(struct launch_model *m)
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
                 visits > 0 ? bytes / l2->link_bytes * m->l2_cycle : 0, math_larger(1, links));
}

/* What goes to a home slice in another partition has a place in its queue there, one for each
 * partition, from the time it leaves. */
static void put_link_places(struct launch_model *m)
{
    const struct l2_params *l2 = m->e->l2;
    const struct partition_hits *k = &m->levels.copies;
    double visits = l2_has_homes(l2) && k->active > 1 ? m->r.l2_accesses * partition_far(m) : 0;
    struct network_station *s = stations_put(m, AT_L2_LINK_PLACE, "l2_link_places", visits,
                                             (l2->link_latency + 1.0) * m->l2_cycle,
                                             m->home_queues * math_larger(1, k->partitions - 1));
    stations_put_pool(s, l2->miss_queue, visits, m->net.customers, 0);
}

static void put_memory(struct launch_model *m)
{
    const struct est_params *e = m->e;
    const struct warp_round *r = &m->r;
    double far = r->load_wait * r->miss * r->far + r->store_wait * launch_store_far(m);
    double writes = r->memory_writes * m->bursts, behind = 1 - m->levels.l3.fetched;
    double here = 1 - m->second.share, waits = far * behind * (1 + m->l2_miss.exit.waits);
    struct network_station *s;
    s = stations_put(m, AT_DRAM, "dram", here * (r->memory_reads * m->bursts + writes),
                     stations_burst_cycles(m, e->dram, m->burst.service * m->dram_cycle) /
                         (1 - m->cpu.busy),
                     m->channels);
    s->c = e->dram->model == DRAM_BANKS ? m->burst.c : 0.5;
    s->chance = here * math_larger(waits, math_smaller(1, writes));
    s->elsewhere = m->second.share;
    second_memory_put(m, r->memory_reads + r->memory_writes, waits, r->memory_writes);
    if (e->l2->cache.mshr.entries) s->rivals = math_smaller(s->rivals, entries_open(m));
    put_l3(m, far);
    double held = math_larger(0, r->fetches - m->levels.passing / m->rounds);
    s = stations_put(m, AT_L2_MSHR, "l2_mshr", held, l2_miss_entry_cycles(m), m->fetch_queues);
    s->chance = far;
    stations_put_pool(s, l2_miss_capacity(m), held, m->net.customers,
                      1u << AT_DRAM | 1u << AT_SECOND_DRAM);
    s->times = behind * (1 + m->l2_miss.exit.waits);
    put_links(m);
    put_link_places(m);
    stations_put(m, AT_L2, "l2",
                 r->l2_accesses * (1 + partition_far(m)) + r->notices + m->nacks +
                     inclusion_messages(m),
                 slice_cycles(m), m->slice_queues);
}

/* The sectors that a wait fetches come to a memory's channels one after the other. Neighbours share
 * a slice and channel, so at most as many take part as there are interleaving blocks. */
static double own_bursts(const struct launch_model *m, double sectors, double each, double channels,
                         double service)
{
    double fetched = sectors * each, block = m->e->l2->interleave_bytes;
    double sector = m->e->l2->cache.sector_bytes;
    channels = math_smaller(channels, math_larger(1, fetched / each * sector / block));
    return (fetched / channels - 1) * service;
}

/* The cycles after the first for which the loads of one wait occupy the way into the L1, by its
 * limits. */
static double own_turns(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    double n = p->load_instructions + p->store_instructions + p->atomic_instructions;
    double loads = m->r.waited * math_over(p->load_instructions, p->loads);
    return math_larger(0, loads * math_over(p->l1_cycles, n) - 1);
}

/* The accesses of one wait leave, and return, one after the other. */
static double own_queue(const struct launch_model *m)
{
    const struct warp_round *r = &m->r;
    const struct network_station *at = m->net.at;
    double missed = math_larger(1, r->waited * math_over(r->l1_misses, r->loads));
    double fetched = math_larger(1, missed * math_over(r->memory_reads, r->l1_misses));
    double block = m->e->l2->interleave_bytes;
    double slices =
        math_smaller(m->slice_queues, math_larger(1, missed * est_request_bytes(m->e) / block));
    double door = math_larger((r->waited - 1) / m->e->l1->ports, own_turns(m)),
           back = (missed - 1) * at[AT_NOC_SM_IN].service;
    double slice =
        (missed / slices - 1) * math_larger(at[AT_L2].service, at[AT_NOC_SLICE_OUT].service);
    const struct second_memory *second = &m->second;
    double dram = own_bursts(m, fetched, m->bursts, m->channels, at[AT_DRAM].service);
    if (second->share > 0)
        dram += second->share * (own_bursts(m, fetched, second->bursts, second->channels,
                                            at[AT_SECOND_DRAM].service) -
                                 dram);
    dram *= r->far;
    return math_larger(math_larger(door, back), math_larger(slice, dram));
}

/* Clocks by which the slowest of so many accesses waits longer for its row than the mean. */
static double closed_row(const struct burst_time *b, double fetched)
{
    return (b->row_hits - pow(b->row_hits, fetched)) * b->open;
}

/* A wait ends with its slowest access: one of several is more likely to have found its row
 * closed. */
static double slowest_row(const struct launch_model *m)
{
    double missed = m->r.waited * math_over(m->r.l1_misses, m->r.loads);
    double fetched = math_larger(1, missed * math_over(m->r.memory_reads, m->r.l1_misses)),
           second = m->second.share;
    if (m->e->dram->model != DRAM_BANKS) return 0;
    double wait = closed_row(&m->burst, fetched) * m->dram_cycle;
    if (second > 0)
        wait += second * (closed_row(&m->second.burst, fetched) * m->second.cycle - wait);
    return wait;
}

/* Waits without a miss that join another warp's fetch in flight: an instruction's transactions join
 * it together; smoothly limited by the number of waits. */
static double merging_waits(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    double together = math_larger(1, math_over(p->loads, p->load_instructions)),
           left = 1 - m->r.miss;
    double x = math_over(m->l1_merges.n / together, p->waits);
    return left > 0 ? math_soft_smaller(x, left) : 0;
}

static void put_delays(struct launch_model *m)
{
    const struct warp_round *r = &m->r;
    double merge = merging_waits(m) * m->l1_merges.left;
    double load = (1 - r->miss) * m->hit_latency + merge * (m->miss_latency - m->hit_latency) +
                  merging_waits(m) * fetch_wait_wakeup(m) +
                  r->miss * (m->miss_latency + r->far * slowest_row(m)) + own_queue(m);
    double store = sm_stations_store_trip(m) + m->registers.collect, left,
           held = fetch_wait_heads(m, &left);
    load += math_over(held, r->load_wait) * left * (m->miss_latency - m->hit_latency);
    load += m->registers.collect + m->registers.write + m->tlb.late_wait;
    store += m->tlb.late;
    /* compute under a wait hides the shorter of the two, with a soft corner */
    double longer = math_larger(load, r->overlap), shorter = math_smaller(load, r->overlap);
    double hidden = math_soft_smaller(shorter, longer);
    m->net.think = r->compute + m->p->warps / m->rounds * m->e->sm->cta_launch_cycles;
    m->net.delay =
        r->load_wait * (load - hidden) + r->store_wait * store + write_cache_release_cycles(m);
}

/* Of the accesses in flight at once, as many as the queues hold, more may go to one channel than on
 * average over the launch. */
static double channels_at_once(struct launch_model *m)
{
    const struct est_params *e = m->e;
    double asked = m->r.waited * math_over(m->r.l1_misses, m->r.loads) + m->r.stores;
    double places = m->sms * loaded_latency_sm_places(m) +
                    m->slice_queues * ((double)e->noc->output_queue + e->l2->input_queue) +
                    e->dram->channels * ((double)e->l2->miss_queue + e->dram->queue);
    if (m->second.share > 0)
        places += e->second_dram->channels * ((double)e->l2->miss_queue + e->second_dram->queue);
    double together = math_smaller(m->net.customers * math_larger(1, asked), places);
    second_memory_at_once(m, together);
    /* atomics that pass the L2 queue up at the channels of their lines for the whole launch */
    if (m->levels.passing > 0) return m->even_channels;
    together *= 1 - m->second.share;
    return math_smaller(m->even_channels,
                        e->dram->channels / row_locality_hottest(&m->rows, together));
}

/* The number of an SM's warps that run concurrently: a throttle holds back the others; a warp at a
 * barrier or at its end makes room for the next. */
static double run_together(const struct launch_profile *p, double warps)
{
    double all = warps * p->balance;
    return p->beside > 0 ? math_smaller(all, p->beside) : all;
}

void stations_build(struct launch_model *m, double sms, double warps_per_sm)
{
    m->sms = sms;
    m->warps_per_sm = run_together(m->p, warps_per_sm);
    m->net.customers = m->sms * m->warps_per_sm;
    m->net.n = AT_N;
    m->channels = channels_at_once(m);
    memory_latency(m);
    cpu_load_find(&m->cpu, m);
    tlb_model_find(m);
    put_memory(m);
    tlb_model_put(m);
    stations_put_network(m);
    sm_stations_put(m);
    register_stations_put(m);
    dispatch_station_put(m);
    put_delays(m);
}
