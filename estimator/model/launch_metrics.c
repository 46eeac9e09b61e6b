/* launch_metrics.c - see launch_metrics.h. */
#include "estimator/model/launch_metrics.h"

#include "estimator/dram/dram_energy_model.h"
#include "estimator/math_util.h"
#include "estimator/network/max_latency.h"
#include "estimator/terms/cpu_load.h"
#include "estimator/terms/dispatch_station.h"
#include "estimator/terms/inclusion_model.h"
#include "estimator/terms/loaded_latency.h"
#include "estimator/terms/memory_channels.h"
#include "estimator/terms/register_stations.h"
#include "estimator/terms/stations.h"
#include "estimator/terms/tlb_model.h"
#include "estimator/terms/warp_round.h"
#include "estimator/terms/write_cache_model.h"

/* The accesses that bypass the L1; all accesses where there is none. */
static double round_of(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    return m->e->l1->enabled ? p->bypasses : p->loads + p->stores + p->atomics;
}

static void metrics_l1(const struct launch_model *m, struct metrics *o)
{
    const struct launch_profile *p = m->p;
    const struct cache_levels *v = &m->levels;
    bool all = m->e->l1->enabled && m->e->l1->bypass == BYPASS_ALL;
    double around = all ? p->loads : round_of(m), accesses = p->loads + p->stores + p->atomics;
    double read_hits = math_larger(0, v->l1.read_hits - m->merges.l1.n);
    /* under QuickRelease stores go to a write cache: they hit nothing here */
    bool apart = write_cache_model_applies(m->e->coherence);
    double hits = read_hits + (apart ? 0 : v->l1.write_hits);
    metrics_set(o, M_l1_accesses, accesses);
    metrics_set(o, M_l1_reads, p->loads);
    metrics_set(o, M_l1_read_hits, read_hits);
    metrics_set(o, M_l1_writes, p->stores + p->atomics);
    metrics_set(o, M_l1_hits, hits);
    metrics_set(o, M_l1_merges, m->merges.l1.n);
    if (p->l1_cycles > 0) metrics_set(o, M_l1_instruction_cycles, p->l1_cycles);
    metrics_set(o, M_l1_misses, math_larger(0, accesses - around - hits - m->merges.l1.n));
    metrics_set(o, M_l1_bypasses, around);
    metrics_set(
        o, M_l1_fills,
        all || !m->e->l1->enabled ? 0 : math_larger(0, p->loads - p->bypasses - v->l1.read_hits));
}

/* Every request that misses the L2's tags looks into the FRC, and so does every one that is sent
 * back. */
static void metrics_transit(const struct launch_model *m, double misses, struct metrics *o)
{
    const struct l2_miss *t = &m->l2_miss;
    double fetches = m->levels.fetches, early = fetches * t->evicts * t->early;
    double wait = m->result.wait[AT_DRAM], recalled = fetches * t->recalled;
    double leaving = fetches * (t->leaving + t->exit.waits * wait);
    metrics_set(o, M_l2_miss_invalidation_sum, recalled);
    metrics_set(o, M_l2_miss_eviction_sum, leaving);
    metrics_set(o, M_l2_miss_total_sum, recalled + leaving + wait * fetches);
    if (!m->e->l2->frc.entries) return;
    metrics_set(o, M_l2_frc_lookups, misses + m->merges.l2.n + m->nacks * m->r.rounds);
    metrics_set(o, M_l2_frc_fetches, early);
    metrics_set(o, M_l2_frc_merges, m->merges.l2.n * t->evicts * t->early);
    metrics_set(o, M_l2_frc_swaps, early);
}

/* The hits of loads among `hits`, which count atomics, too. An atomic hits unless its sector is new
 * or it passes the L2. */
static double read_hits(const struct launch_model *m, double hits)
{
    const struct launch_profile *p = m->p;
    double atomics = math_larger(0, p->atomics - math_larger(p->atomics_new, m->levels.passing));
    double reads = math_larger(0, m->levels.l2.reads - p->atomics);
    return math_smaller(reads, math_larger(0, hits - atomics));
}

static void metrics_l2(const struct launch_model *m, struct metrics *o)
{
    const struct cache_levels *v = &m->levels;
    double atomics = m->p->atomics, hits = math_larger(0, v->l2.read_hits - m->merges.l2.n),
           sector = m->e->l2->cache.sector_bytes;
    double misses = v->l2.reads - v->l2.read_hits + v->l2.writes - v->l2.write_hits;
    /* under conventional management a store waits at its line, and then hits */
    bool at_line = m->e->l2->miss_management == MISS_CONVENTIONAL;
    double joined = at_line ? 0 : m->merges.l2_writes.n, writes = v->l2.write_hits - joined;
    if (at_line && m->e->l2->line_wait == LINE_WAIT_QUEUE)
        metrics_set(o, M_l2_line_waits, m->merges.l2_writes.n);
    metrics_set(o, M_l2_reads, math_larger(0, v->l2.reads - atomics));
    metrics_set(o, M_l2_writes, v->l2.writes + atomics);
    metrics_set(o, M_l2_read_hits, read_hits(m, hits));
    metrics_set(o, M_l2_write_hits, writes);
    metrics_set(o, M_l2_accesses, v->l2.reads + v->l2.writes);
    metrics_set(o, M_l2_hits, hits + writes);
    metrics_set(o, M_l2_merges, m->merges.l2.n + joined);
    metrics_set(o, M_l2_misses, misses);
    metrics_set_as_vendors(o, m->e->l2->cache.write_miss != WRITE_MISS_NO_ALLOCATE);
    metrics_set(o, M_l2_fetches, v->fetches);
    metrics_set(o, M_l2_writebacks, v->writebacks);
    metrics_set(o, M_l2_bytes_to_memory, (v->writebacks + v->written_through) * sector);
    metrics_set(o, M_l2_bytes_from_memory, v->fetches * sector);
    metrics_set(o, M_l2_nacks, m->nacks * m->r.rounds);
    metrics_set(o, M_l2_miss_memory_sum, m->result.wait[AT_DRAM] * v->fetches);
    if (m->e->l2->miss_management == MISS_CONVENTIONAL) metrics_transit(m, misses, o);
    if (m->e->l2->inclusion != INCLUSION_NONE)
        metrics_set(o, M_coherence_recalls, inclusion_messages(m) * m->r.rounds);
}

/* What goes between partitions of the L2. */
static void metrics_partitions(const struct launch_model *m, struct metrics *o)
{
    const struct partition_hits *k = &m->levels.copies;
    double sector = m->e->l2->cache.sector_bytes, written = est_request_bytes(m->e);
    if (!l2_has_homes(m->e->l2)) return;
    metrics_set(o, M_l2_copy_hits, k->hits);
    metrics_set(o, M_l2_copy_fetches, k->fetches);
    metrics_set(o, M_l2_link_writes, k->writes);
    metrics_set(o, M_l2_link_bytes,
                2 * m->e->noc->header_bytes * (k->fetches + k->writes) + sector * k->fetches +
                    written * k->writes);
}

static void metrics_noc(const struct launch_model *m, struct metrics *o)
{
    const struct noc_params *n = m->e->noc;
    const struct warp_round *r = &m->r;
    double grain = est_request_bytes(m->e), full = stations_packet_flits(n, grain),
           none = stations_packet_flits(n, 0);
    double reads = (r->l1_misses + r->stored) * m->r.rounds, writes = r->written * m->r.rounds,
           notices = (r->notices + inclusion_messages(m)) * m->r.rounds;
    metrics_set(o, M_noc_request_flits, (reads + notices) * none + writes * full);
    metrics_set(o, M_noc_reply_flits, reads * full + (writes + notices) * none);
    if (coherence_has_directory(m->e->coherence))
        metrics_set(o, M_coherence_messages,
                    reads + writes + notices + 2 * m->levels.directory.asked);
}

/* A memory in the launch: what is done there, and how busy it is. */
struct memory_share {
    const struct dram_params *d;
    const struct burst_time *burst;
    struct memory_use use;
    double cycle, channel_us; /* of its clock, in core cycles; channels x time */
};

static struct memory_share share_of(const struct launch_model *m, const struct memory_channels *of)
{
    const struct cache_levels *v = &m->levels;
    const struct burst_time *b = &of->under->burst;
    double reads = of->share * cache_levels_memory_reads(v) * of->bursts,
           writes = of->share * cache_levels_memory_writes(v) * of->bursts;
    double us = m->cycles.all * m->e->clocks.tick_us * (double)m->e->clocks.period[CLOCK_CORE];
    return (struct memory_share){.d = of->d,
                                 .burst = b,
                                 .use = {.reads = reads,
                                         .writes = writes,
                                         .activates = (reads + writes) * (1 - b->row_hits),
                                         .us = us,
                                         .rows = of->share > 0 ? of->rows : NULL},
                                 .cycle = of->cycle,
                                 .channel_us = us * of->d->channels * dram_pseudo_channels(of->d)};
}

/* Returns the number of memories, also of those that no access goes to. */
static uint32_t memories_find(const struct launch_model *m, struct memory_share at[PAGE_MEMORIES])
{
    struct memory_channels of[PAGE_MEMORIES];
    uint32_t n = m->second.cycle > 0 ? 2 : 1;
    memory_channels_find(m, of);
    for (uint32_t i = 0; i < n; i++)
        at[i] = share_of(m, &of[i]);
    return n;
}

/* Adds the CPU cores' share of their lines. */
static void add_cores(const struct launch_model *m, double share, struct memory_share *at)
{
    double reads = share * m->cpu.bursts * m->cpu.reads * m->cycles.all,
           writes = share * m->cpu.bursts * m->cpu.writes * m->cycles.all;
    at->use.reads += reads;
    at->use.writes += writes;
    at->use.activates += (reads + writes) * (1 - at->burst->row_hits);
}

/* A memory to which no access goes has its background and refreshes. */
static void metrics_dram_energy(const struct memory_share *at, uint32_t memories, struct metrics *o,
                                struct rows_left *rows)
{
    const struct dram_params *d[PAGE_MEMORIES];
    struct memory_use use[PAGE_MEMORIES];
    for (uint32_t i = 0; i < memories; i++) {
        d[i] = at[i].d;
        use[i] = at[i].use;
        rows[i] = dram_energy_rows_left(d[i], &use[i]);
    }
    dram_energy_add_all(d, use, memories, o);
}

/* Banks that are busy while any is. Requests whose column command is due stand at a channel at
 * random (Little 1961); as many, one behind the other, go to so many banks. */
static double banks_at(const struct row_locality *r, double depth)
{
    return depth < 2 ? 1 + (depth - 1) * (r->banks[0] - 1) : row_locality_at(r->banks, depth);
}

static void metrics_banks(const struct launch_model *m, const struct loaded_latency *l,
                          const struct memory_share *at, uint32_t memories, struct metrics *o)
{
    double active = 0, busy = 0;
    for (uint32_t i = 0; i < memories; i++) {
        const struct memory_use *u = &at[i].use;
        double due = l->memory_dram[i] - at[i].burst->column * at[i].cycle;
        double bursts = (u->reads + u->writes) / m->cycles.all * math_over(u->us, at[i].channel_us);
        double waiting = bursts * math_larger(0, due), some = -expm1(-waiting);
        if (some <= 0 || !u->rows) continue;
        active += some * at[i].channel_us;
        busy += some * at[i].channel_us * banks_at(u->rows, waiting / some);
    }
    metrics_set(o, M_dram_active_us, active);
    metrics_set(o, M_dram_bank_us, busy);
}

/* The metrics of pages. */
static void metrics_placed(const struct launch_model *m, struct metrics *o)
{
    double misses = math_larger(0, m->levels.l2.reads - m->levels.l2.read_hits);
    metrics_set(o, M_dram_placed_misses, misses);
    metrics_set(o, M_dram_local_misses, m->spread.local * misses);
}

static void metrics_dram(const struct launch_model *m, const struct loaded_latency *l,
                         struct metrics *o, struct rows_left *rows)
{
    const struct cache_levels *v = &m->levels;
    struct memory_share at[PAGE_MEMORIES];
    uint32_t memories = memories_find(m, at);
    double reads = 0, writes = 0, hits = 0, activates = 0, busy = 0, channels = 0;
    double us = m->e->clocks.tick_us * (double)m->e->clocks.period[CLOCK_CORE];
    bool banks = false;
    for (uint32_t i = 0; i < memories; i++) {
        add_cores(m, i ? 1 - m->cpu.first : m->cpu.first, &at[i]);
        const struct memory_use *u = &at[i].use;
        reads += u->reads;
        writes += u->writes;
        if (at[i].d->model != DRAM_BANKS) continue; /* no rows, no bus */
        banks = true;
        channels += at[i].channel_us;
        hits += (u->reads + u->writes) * at[i].burst->row_hits;
        activates += u->activates;
        busy += (u->reads + u->writes) * at[i].burst->data * at[i].cycle * us;
    }
    metrics_set(o, M_dram_reads, reads);
    metrics_set(o, M_dram_writes, writes);
    metrics_set(o, M_dram_bursts, reads + writes);
    metrics_set(o, M_dram_bytes,
                (cache_levels_memory_reads(v) + cache_levels_memory_writes(v)) *
                        m->e->l2->cache.sector_bytes +
                    (m->cpu.reads + m->cpu.writes) * m->cycles.all * CPU_LINE);
    metrics_set(o, M_dram_channel_us, banks ? channels : at[0].channel_us);
    if (pages_are_placed(m->e->pages)) metrics_placed(m, o);
    if (!banks) return;
    metrics_set(o, M_dram_row_hits, hits);
    metrics_set(o, M_dram_activates, activates);
    metrics_set(o, M_dram_busy, busy);
    metrics_dram_energy(at, memories, o, rows);
    metrics_set(o, M_dram_latency_sum, reads * l->dram * us * 1e3);
    if (pages_are_placed(m->e->pages)) metrics_banks(m, l, at, memories, o);
}

/* While places are left, accesses that arrive together find ever more of them taken: their waits
 * range from 0 to twice the mean.  When all are taken, one enters when one leaves: all wait
 * alike. */
static void add_waiting(struct histogram *h, double latency, double before, double most, double n)
{
    enum { STEPS = 8 };
    double wide = math_larger(0, math_smaller(before, most - latency - before));
    uint32_t steps = wide >= 1 ? STEPS : 1;
    for (uint32_t k = 0; k < steps; k++) {
        double off = wide * ((2.0 * k + 1) / steps - 1);
        histogram_add(h, (uint64_t)(latency + before + off + 0.5), n / steps);
    }
}

/* A store takes until the L2 has it or, with a directory, until its block is in the L1. */
static void add_stores(const struct launch_model *m, const struct loaded_latency *l,
                       const struct issue_wait *b, struct histogram *store)
{
    double n = m->p->stores, here = 0, far = launch_store_far(m);
    if (coherence_has_directory(m->e->coherence)) {
        here = math_smaller(1, math_over(m->levels.l1.write_hits, n));
        far = math_over(m->levels.l2.reads - m->levels.l2.read_hits, m->levels.l2.reads);
    }
    add_waiting(store, l->hit, b->hit, b->most, n * here);
    add_waiting(store, l->l2, b->hit, b->most, n * (1 - here) * (1 - far));
    add_waiting(store, l->memory, b->miss, b->most, n * (1 - here) * far);
}

static void metrics_latency(const struct launch_model *m, const struct loaded_latency *all,
                            struct metrics *o)
{
    const struct network_result *r = &m->result;
    struct histogram *load = &o->load_latency, store = {0};
    struct loaded_latency own = *all, *l = &own;
    struct issue_wait b;
    loaded_latency_before_issue(m, all, &b);
    add_stores(m, all, &b, &store);
    loaded_latency_of_loads(m, l);
    loaded_latency_before_issue(m, l, &b);
    double quiet_far, quiet = launch_silent_atomics(m, &quiet_far);
    double n = m->p->loads + m->p->atomics - quiet,
           asked = math_larger(0, m->levels.l2.reads - quiet);
    double miss = math_smaller(1, math_over(m->r.l1_misses * m->r.rounds - quiet, n));
    double far = math_over(m->levels.l2.reads - m->levels.l2.read_hits - quiet_far, asked);
    far = math_smaller(1, math_larger(0, far));
    double joined = math_smaller(1 - far, math_over(m->merges.l2.n, asked));
    double merged = math_smaller(m->merges.l1.n, n * (1 - miss)),
           mean = l->l2 + launch_far(m) * (l->memory - l->l2),
           rest = l->l2 + m->merges.l2.left * (l->memory - l->l2);
    double met = l->hit + l->l1_left * (mean - l->hit);
    add_waiting(load, l->hit, b.hit, b.most, n * (1 - miss) - merged);
    add_waiting(load, met, b.hit, b.most, merged);
    add_waiting(load, l->l2, b.miss, b.most, n * miss * (1 - far - joined));
    add_waiting(load, rest, b.miss, b.most, n * miss * joined);
    add_waiting(load, l->memory, b.miss, b.most, n * miss * far);
    max_latency_find(m->p, load, &store, &o->max_latency);
    o->has_load_latency = o->has_max_latency = true;
    double issue = r->wait[AT_ISSUE] * m->net.at[AT_ISSUE].visits +
                   r->wait[AT_UNIT] * m->net.at[AT_UNIT].visits;
    double placed = m->net.delay + r->waiting - dispatch_station_wait(m);
    metrics_set(o, M_warp_memory, m->r.rounds * (placed - issue));
    metrics_set(o, M_warp_compute, m->r.rounds * (m->net.think + issue));
}

void launch_model_metrics(const struct launch_model *m, struct metrics *o,
                          struct rows_left rows[PAGE_MEMORIES])
{
    struct loaded_latency l;
    loaded_latency_find(m, &l);
    *o = (struct metrics){0};
    for (uint32_t i = 0; i < PAGE_MEMORIES; i++)
        rows[i] = (struct rows_left){0};
    metrics_set(o, M_cycles, m->cycles.all);
    metrics_set(o, M_time_us,
                m->cycles.all * m->e->clocks.tick_us * (double)m->e->clocks.period[CLOCK_CORE]);
    if (m->e->clock->sustained_mhz > 0) metrics_set(o, M_clock_held, m->cycles.held);
    metrics_set(o, M_warp_instructions, launch_instructions(m->p));
    metrics_set(o, M_lane_operations, m->p->lane_operations);
    metrics_set(o, M_masked_operations, m->p->masked_operations);
    metrics_set(o, M_warps, m->p->warps);
    register_stations_metrics(m, o);
    metrics_l1(m, o);
    metrics_l2(m, o);
    metrics_partitions(m, o);
    metrics_noc(m, o);
    metrics_dram(m, &l, o, rows);
    cpu_load_metrics(m, o);
    metrics_latency(m, &l, o);
    tlb_model_metrics(m, o);
}
