/* launch_model.c - see launch_model.h. */
#include "estimator/model/launch_model.h"

#include "estimator/cache/directory_model.h"
#include "estimator/cache/fetch_waits.h"
#include "estimator/cache/inclusion_model.h"
#include "estimator/cache/l1_line_reservation.h"
#include "estimator/cache/l2_miss_model.h"
#include "estimator/cache/tlb_model.h"
#include "estimator/cache/write_cache_model.h"
#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "estimator/network/crossbar_contention.h"
#include "estimator/network/dispatch_station.h"
#include "estimator/network/launch_start.h"
#include "estimator/network/loaded_latency.h"
#include "estimator/network/second_memory.h"
#include "estimator/network/stations.h"
#include "estimator/profile/like_launches.h"

#include <math.h>
#include <string.h>

static double clock_ratio(const struct clocks *c, enum clock_domain d)
{
    return (double)c->period[d] / (double)c->period[CLOCK_CORE];
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
    double places = (double)(m->e->dram->queue + l2->miss_queue) * m->channels;
    if (m->second.share > 0)
        places += (double)(m->e->second_dram->queue + l2->miss_queue) * m->second.channels;
    double sent_back = r->wait[AT_L2_MSHR] * math_larger(0, 1 - entries / places);
    return m->r.fetches * sent_back / fetch_wait_round_trip(m);
}

static double count_nacks(const struct launch_model *m)
{
    const struct network_station *door = &m->net.at[AT_NOC_SLICE_IN];
    double most = door->queues / (door->service * m->result.throughput) - door->visits + m->nacks;
    double nacks = full_file_nacks(m) + fetch_wait_line_nacks(m);
    return math_smaller(nacks, NACK_ROOM * math_larger(0, most));
}

/* Takes the inputs of the next pass from the last solution. */
static void feed_back(struct launch_model *m, double cycles)
{
    const struct network_station *s = &m->net.at[AT_DRAM];
    const struct network_result *r = &m->result;
    double load = r->throughput * s->visits / s->queues;
    stations_dram_under(m, load, load * (r->wait[AT_DRAM] + s->service));
    second_memory_feed_back(m);
    struct loaded_latency l;
    loaded_latency_find(m, &l);
    double missing = l.l2 + m->r.far * (l.memory - l.l2);
    double age = math_over(m->p->l1_ops, cycles * m->sms) * missing;
    m->l1_merges = cache_levels_l1_merges(m->p, &m->levels, age);
    age = math_over(m->p->l2_ops[m->levels.variant], cycles) * (l.memory - l.l2);
    const struct level_hits *l2 = &m->levels.l2;
    m->l2_merges = cache_levels_l2_merges(m->p->l2_age, &m->levels, l2->read_hits, age);
    m->l2_write_merges =
        cache_levels_l2_merges(m->p->l2_write_age, &m->levels, l2->write_hits, age);
    launch_round_far(m);
    register_stations_under(m);
    if (m->registers.on) launch_round_compute(m);
    m->nacks = NACK_DAMPING * m->nacks + (1 - NACK_DAMPING) * count_nacks(m);
}

/* The time of `ctas` concurrent CTAs at the network's throughput; at least the time of one. */
static double side_by_side(const struct launch_model *m, double ctas)
{
    double cycles = m->rounds / m->p->ctas * ctas / m->result.throughput;
    cycles = math_larger(cycles, launch_round_fullest_cycles(m, ctas));
    return m->p->uneven * math_larger(cycles, launch_round_in_step_cycles(m, ctas));
}

static void build_wave(struct launch_model *m, double ctas)
{
    double sms = math_smaller(m->e->sm->count, ctas);
    stations_build(m, sms, ctas / sms * m->p->warps_per_cta);
}

/* The cycles in which `ctas` CTAs, spread over the SMs, run from beginning to end. */
static double wave(struct launch_model *m, double ctas)
{
    double cycles = 0;
    for (uint32_t k = 0; k < MODEL_PASSES; k++) {
        build_wave(m, ctas);
        network_solve(&m->net, m->result.throughput > 0 ? m->result.throughput : m->near,
                      &m->result);
        cycles = side_by_side(m, ctas);
        feed_back(m, cycles * m->p->ctas / ctas);
    }
    return cycles;
}

/* The CTAs that do not fill the machine run first, as a smaller wave. */
struct waves {
    double rest, slots; /* CTAs of that wave, 0: there is none; and of a full one */
    double full;        /* number of full waves */
};

static struct waves waves_of(const struct launch_model *m)
{
    double slots = (double)m->occ.ctas * m->e->sm->count, full = floor(m->p->ctas / slots);
    return (struct waves){.rest = m->p->ctas - full * slots, .slots = slots, .full = full};
}

static double place_ctas(struct launch_model *m)
{
    struct waves w = waves_of(m);
    double cycles = w.rest > 0 ? wave(m, w.rest) : 0;
    if (w.full > 0) cycles += w.full * wave(m, w.slots);
    return cycles;
}

/* The capacity behind which the memory sees the samples: the L3's for what hits it; what does not,
 * since it has been written, may be near. */
static double behind_lines(const struct launch_model *m)
{
    const struct cache_levels *v = &m->levels;
    if (!l3_is_there(m->e->l3)) return v->l2.effective_lines;
    return v->l2.effective_lines * pow(v->l3.lines / v->l2.effective_lines, v->l3.fetched);
}

/* Each memory's load by the samples of its pages; that of the slices by all of them. */
static void find_placed_load(struct launch_model *m, const struct launch_samples *samples,
                             uint32_t cls, const struct map *map, const struct placed_pages *pages,
                             const struct row_stream *s, struct sampled_load *load)
{
    struct placement_shares shares =
        placed_pages_shares(pages, samples->spread, s->l1_lines, s->l2_lines);
    struct launch_samples own = placed_pages_samples(pages, 0, samples);
    sampled_load_find(load, &own, cls, map, m->e->dram, s);
    m->local = shares.local;
    if (!map->second) return;
    load->slices = row_locality_even_slices(samples->spread, map, s->l1_lines);
    load->fetches = row_locality_even_fetches(samples->spread, map, s);
    load->homes = row_locality_even_homes(samples->spread, map, s);
    hot_atomics_find(&load->hot, samples->spread, map, m->e->dram, s->atomics_go);
    m->second.share = shares.second;
    if (shares.second <= 0) return;
    struct row_stream to = *s;
    struct sampled_load second;
    to.bursts_per_sector = m->second.bursts;
    own = placed_pages_samples(pages, 1, samples);
    sampled_load_find(&second, &own, cls, &pages->second, m->e->second_dram, &to);
    m->second.rows = second.rows;
    m->second.channels = m->second.even_channels = second.channels;
}

static struct launch_samples samples_of(const struct profile *f, uint32_t launch)
{
    const struct address_samples *s = profile_samples(f, launch);
    return (struct launch_samples){.spread = &s->spread,
                                   .each = math_larger(1, s->spread.apart),
                                   .rows = s->rows,
                                   .lines = &s->lines,
                                   .content = &f->sampled[f->place[launch].samples]};
}

/* How addresses meet channels and the crossbar is told by the fullest samples of the launches of
 * this shape; where pages are placed, by its own.  If reads and writes share a queue, write-backs
 * lie among the reads that evict them. */
static void find_load(struct launch_model *m, const struct profile *f, uint32_t launch,
                      const struct map *map, const struct placed_pages *pages)
{
    const struct est_params *e = m->e;
    const struct cache_levels *v = &m->levels;
    const struct launch_samples own = samples_of(f, launch), *samples = &own;
    struct row_stream s;
    memset(&s, 0, sizeof s); /* padding included: it is part of a key */
    s.l1_lines = v->l1.effective_lines;
    s.l2_lines = behind_lines(m);
    s.bursts_per_sector = m->bursts;
    s.behind = (uint64_t)e->l2->banks * e->l2->bank_kb * 1024;
    s.together = e->l2->interleave_bytes;
    bool fetch =
        e->l2->cache.write_miss == WRITE_MISS_FETCH || coherence_has_directory(e->coherence);
    double written = v->l2.writes - v->l2.write_hits;
    double takes = cache_levels_memory_reads(v) + (fetch ? 0 : written);
    s.stores_fetch = fetch;
    s.writebacks = math_over(v->writebacks * (1 - v->l3.kept), takes);
    s.stores_go = v->written_through > v->passing;
    s.hits_go = e->l2->cache.write != WRITE_BACK;
    s.hits_load = s.hits_go && l3_is_there(e->l3);
    double bytes = s.l2_lines * e->l2->cache.line_bytes;
    uint32_t k = 0;
    while (k + 1 < SAMPLE_CLASSES && bytes >= profile_sample_bytes[k + 1])
        k++;
    if (s.hits_go) {
        double lines = (double)profile_sample_bytes[k] / e->l2->cache.line_bytes;
        double near = curve_full_hits(&m->p->l2_write[v->variant], lines);
        near = math_larger(
            /* the stores that L1s hold are those that recur soonest */
            0, near - (m->p->stores - m->p->sent));
        s.again = math_larger(0, math_over(near, v->l2.writes - near));
    }
    s.atomics_go = v->passing > 0;
    /* atomics that pass the L2 go to memory, however near their lines were */
    uint32_t blocks = s.atomics_go ? (uint32_t)SAMPLE_ASKED : k;
    uint32_t like =
        pages ? launch : like_launches_fullest(f, launch, blocks, s.l1_lines, s.l2_lines);
    const struct launch_samples of_shape = samples_of(f, like);
    struct sampled_load load;
    if (pages)
        find_placed_load(m, samples, k, map, pages, &s, &load);
    else
        sampled_load_find(&load, &of_shape, blocks, map, e->dram, &s);
    crossbar_contention_find(m, &of_shape, map);
    m->slice_reserved = INFINITY;
    if (e->l2->miss_management != MISS_CONVENTIONAL)
        m->slice_reserved = launch_reserved_in_slice_cached(samples, k, map, e->l2, s.l1_lines,
                                                            v->l2.effective_lines);
    else
        lines_at_once_find(&m->lines, samples, k, map, e->l2, s.l1_lines, v->l2.effective_lines);
    m->rows = load.rows;
    m->slice_queues = load.slices;
    m->fetch_queues = load.fetches;
    m->home_queues = load.homes;
    m->hot = load.hot;
    m->channels = m->even_channels = load.channels;
}

bool launch_model_init(struct launch_model *m, const struct profile *f, uint32_t launch,
                       const struct est_params *e, const struct map *map,
                       struct placed_pages *pages, struct error *err)
{
    const struct launch_profile *p = profile_launch(f, launch);
    const struct launch *shape = &f->shape[launch];
    const struct launch_samples samples = samples_of(f, launch);
    memset(m, 0, sizeof *m);
    if (pages) placed_pages_find(pages, f, launch);
    m->p = p;
    m->place = &f->place[launch];
    m->launching = sm_launch_cycles(e->sm, launch > 0);
    m->shape = shape;
    m->e = e;
    m->occ = occupancy(e->sm, e->l1, shape);
    if (!m->occ.ctas)
        return error_input(err, "launch %u: a CTA of %u warps does not fit on an SM", shape->id,
                           shape->warps_per_cta);
    m->l2_cycle = clock_ratio(&e->clocks, CLOCK_L2);
    m->noc_cycle = clock_ratio(&e->clocks, CLOCK_NOC);
    m->dram_cycle = clock_ratio(&e->clocks, CLOCK_DRAM);
    m->bursts = math_larger(1, (double)e->l2->cache.sector_bytes /
                                   ((double)e->dram->bus_bytes * e->dram->burst_length));
    second_memory_init(m);
    const struct est_params *of = e->caches ? e->caches : e;
    double lines = occupancy(of->sm, of->l1, shape).l1_kb * 1024.0 / of->l1->cache.line_bytes;
    cache_levels_find(&m->levels, p, &f->view, of->l1, lines, e->sm->count,
                      math_smaller(e->sm->count, p->ctas), of->l2, of->l3);
    if (coherence_has_directory(of->coherence))
        directory_model_find(&m->levels, p, of->coherence, of->l2, lines,
                             math_smaller(e->sm->count, p->ctas));
    if (write_cache_model_applies(of->coherence)) write_cache_model_find(&m->levels, p, of);
    struct cache_params l1 = e->l1->cache;
    double own = m->occ.l1_kb * 1024.0 / l1.line_bytes;
    if (e->l1->adaptive && own >= l1.sets) l1.ways = (uint32_t)own / l1.sets;
    m->reserved = l1_reserved_sectors_cached(samples.lines, samples.content->digest, &l1,
                                             &e->l1->frc, m->levels.l1.effective_lines);
    find_load(m, f, launch, map, pages);
    l2_miss_init(m);
    inclusion_init(m);
    register_stations_init(m);
    stations_unloaded(m);
    return true;
}

static void phase_lines(const struct launch_model *m, double lines[PHASE_LEVELS])
{
    lines[PHASE_L1] = m->levels.l1.effective_lines;
    lines[PHASE_L2] = m->levels.l2.effective_lines;
}

double launch_model_part(const struct launch_model *m, uint32_t part, struct phase *out)
{
    double lines[PHASE_LEVELS];
    phase_lines(m, lines);
    return phase_of_part(&m->p->phase, lines, part, out);
}

uint32_t launch_model_phases(const struct launch_model *m, struct phase phase[PHASES])
{
    double lines[PHASE_LEVELS];
    phase_lines(m, lines);
    phase_find(&m->p->phase, lines, phase);
    if (phase[PHASES - 1].misses[PHASE_L2] - phase[0].misses[PHASE_L2] > PHASES_DIFFER)
        return PHASES;
    phase[0] = (struct phase){{1, 1}};
    return 1;
}

/* The longest warp goes on alone when the others have ended: its remaining rounds have no
 * contention. */
static double alone_after(const struct launch_model *m, double cycles)
{
    const struct launch_profile *p = m->p;
    double per_instruction = math_over(m->r.compute, m->r.instructions);
    double unloaded = m->net.think + m->net.delay;
    double slowdown = m->net.customers / (m->result.throughput * unloaded);
    slowdown -= dispatch_station_wait(m) / unloaded;
    double hit = m->r.load_wait * m->hit_latency;
    /* then no other warp keeps its banks busy */
    double far = m->r.load_wait * m->r.miss * m->r.far,
           banks = far * m->burst.conflict * m->dram_cycle;
    banks += m->second.share * (far * m->second.burst.conflict * m->second.cycle - banks);
    double miss = math_larger(0, m->net.delay - hit - banks);
    double alone = p->longest_instructions * per_instruction +
                   p->longest_waits * (hit + math_smaller(1, p->longest_misses) * miss);
    return math_larger(0, alone - (1 - p->longest_start) * cycles / math_larger(1, slowdown));
}

/* The start of a launch, which a closed network does not model.  All warps begin together and reach
 * the slowest station of the memory together, so that the last one waits for all others, which is
 * longer than the mean wait.  They request at once the loads of a wait and the stores of an
 * instruction. */
static double start_up(const struct launch_model *m)
{
    const struct warp_round *r = &m->r;
    double round = m->net.customers / m->result.throughput, busiest = 0;
    double stores = math_larger(1, math_over(m->p->store_instructions, m->rounds));
    double together = math_over(r->loads + r->stores / stores, r->loads + r->stores);
    for (uint32_t i = 0; i < AT_SHARED; i++)
        if (m->net.at[i].visits > 0) busiest = math_larger(busiest, m->result.utilization[i]);
    return together * math_larger(0, math_smaller(1, busiest) * round - m->result.waiting);
}

/* The requests for one line that go one after the other. Where no warp waits for stores, those of
 * an SM to a line that is under way join, however many they are. */
static double hottest_line(const struct launch_model *m)
{
    const struct directory_traffic *d = &m->levels.directory;
    return m->e->sm->nonblocking_stores && l3_is_there(m->e->l3) ? d->hottest_loads : d->hottest;
}

/* The atomics of the hottest place, one after the other, and the way of the first. With a directory
 * L1s perform them. */
static double hot_atomics_cycles(const struct launch_model *m)
{
    double n = m->hot.share * m->p->atomics, memory = 2 * m->bursts * m->hot.gap * m->dram_cycle;
    if (n <= 0 || coherence_has_directory(m->e->coherence)) return 0;
    double each = m->levels.passing > 0 ? memory : hot_atomics_slice_cycles(m->e->l2, m->l2_cycle);
    return n * each + (m->levels.passing > 0 ? m->memory_latency : m->l2_latency);
}

/* The cycles including start and end. */
static double whole_launch_cycles(const struct launch_model *m, double cycles)
{
    double all = math_larger(cycles + alone_after(m, cycles) + start_up(m), launch_start_cycles(m));
    all += fetch_wait_convoy_cycles(m, all) + write_cache_end_cycles(m);
    all += math_larger(0, tlb_model_start_cycles(m) - dispatch_station_made_up(m, cycles));
    all = math_larger(all, dispatch_station_launch_cycles(m));
    all = math_larger(all, hot_atomics_cycles(m));
    return math_larger(all, hottest_line(m) * m->lock);
}

void launch_model_solve(struct launch_model *m, const struct phase *phase)
{
    cache_levels_in_phase(&m->levels, phase);
    register_stations_under(m);
    launch_round_find(m);
    stations_dram_under(m, 0, 1);
    second_memory_under(m, 0, 1);
    double cycles = place_ctas(m);
    m->cycles = m->launching + whole_launch_cycles(m, cycles);
}

/* --- without stations ------------------------------------------------------------------------- */

static bool has_visits(const struct network *n, uint32_t stations)
{
    for (uint32_t i = 0; i < AT_N; i++)
        if (stations >> i & 1 && n->at[i].visits > 0) return true;
    return false;
}

static double wave_of_built(struct launch_model *m, uint32_t without, double ctas)
{
    for (uint32_t i = 0; i < AT_N; i++)
        if (without >> i & 1) m->net.at[i].visits = 0;
    network_solve(&m->net, m->result.throughput, &m->result);
    return side_by_side(m, ctas);
}

/* The cycles of all waves without stations; *m: the network of the first is built. */
static double waves_without(struct launch_model *m, const struct waves *w, uint32_t without)
{
    if (w->rest <= 0) return w->full * wave_of_built(m, without, w->slots);
    double cycles = wave_of_built(m, without, w->rest);
    if (w->full <= 0) return cycles;
    build_wave(m, w->slots);
    return cycles + w->full * wave_of_built(m, without, w->slots);
}

void launch_model_cycles_without(const struct launch_model *m, const uint32_t *without, uint32_t n,
                                 double *cycles)
{
    struct waves w = waves_of(m);
    bool several = w.rest > 0 && w.full > 0;
    struct launch_model built = *m, room;
    double unchanged = NAN;
    build_wave(&built, w.rest > 0 ? w.rest : w.slots);
    room = built;
    for (uint32_t i = 0; i < n; i++) {
        bool changes = has_visits(&built.net, without[i]);
        cycles[i] = unchanged;
        if (!changes && !isnan(unchanged)) continue;
        if (several) room = built; /* the second wave's network was built there */
        room.net = built.net;
        room.result.throughput = m->result.throughput;
        double waves = waves_without(&room, &w, without[i]);
        cycles[i] = m->launching + whole_launch_cycles(&room, waves);
        if (!changes) unchanged = cycles[i];
    }
}
