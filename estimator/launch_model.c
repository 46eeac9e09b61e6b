/* launch_model.c - see launch_model.h. */
#include "estimator/launch_model.h"

#include <math.h>
#include <string.h>

enum { PASSES = 4 };

static double larger(double a, double b)
{
    return a > b ? a : b;
}
static double smaller(double a, double b)
{
    return a < b ? a : b;
}
static double over(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static double clock_ratio(const struct clocks *c, enum clock_domain d)
{
    return (double)c->period[d] / (double)c->period[CLOCK_CORE];
}

/* --- compute --- */

static struct unit_params unit_of(const struct sm_params *sm, enum op_class cls)
{
    switch (cls) {
    case OP_INT: return sm->int32;
    case OP_FP32: return sm->fp32;
    case OP_FP64: return sm->fp64;
    case OP_SFU: return sm->sfu;
    case OP_TENSOR: return sm->tensor;
    case OP_BRANCH: return (struct unit_params){sm->branch.latency, sm->branch.interval};
    case OP_SHARED_LOAD:
    case OP_SHARED_STORE: return (struct unit_params){sm->shared_latency, 1};
    case OP_LOAD:
    case OP_STORE:
    case OP_ATOMIC:
    case OP_BARRIER:
    case OP_FENCE:
    case OP_ACQUIRE:
    case OP_RELEASE:
    case OP_EXIT:
    case OP_N: break;
    }
    return (struct unit_params){1, 1};
}

/* Cycles that the launch's warps would take, summed, each alone on its sub-core and memory at once:
 * a unit takes its next instruction after its interval, a result its latency; what follows a branch
 * waits for it. */
static double compute_cycles(const struct launch_profile *p, const struct sm_params *sm)
{
    double cycles = 0, n = 0;
    for (uint32_t c = 0; c < OP_N; c++) {
        struct unit_params u = unit_of(sm, (enum op_class)c);
        cycles += p->cls[c] * (c == OP_BRANCH ? u.latency : u.interval);
        n += p->cls[c];
    }
    double step = over(cycles, n);
    for (uint32_t c = 0; c < OP_N; c++) {
        double latency = unit_of(sm, (enum op_class)c).latency;
        for (uint32_t k = 1; k < PROFILE_DEP; k++)
            cycles += p->dep[c][k] * larger(0, latency - k * step);
    }
    return cycles;
}

/* The unit with most work: its cycles over all warps. */
static double unit_cycles(const struct launch_profile *p, const struct sm_params *sm,
                          double *instructions)
{
    double most = 0;
    for (uint32_t c = OP_INT; c <= OP_BRANCH; c++) {
        double busy = p->cls[c] * unit_of(sm, (enum op_class)c).interval;
        if (busy <= most) continue;
        most = busy;
        *instructions = p->cls[c];
    }
    return most;
}

static double instructions_of(const struct launch_profile *p)
{
    double n = 0;
    for (uint32_t c = 0; c < OP_N; c++)
        n += p->cls[c];
    return n;
}

/* --- a round --- */

static void round_memory(struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct levels *v = &m->levels;
    struct round *r = &m->r;
    double n = m->rounds, bypassed = v->l1_bypassed, looked = p->loads - bypassed;
    double missed = larger(0, looked - smaller(v->l1.read_hits, looked)) + bypassed + p->atomics;
    r->loads = (p->loads + p->atomics) / n;
    r->stores = p->stores / n;
    r->l1_misses = missed / n;
    r->l2_accesses = (v->l2.reads + v->l2.writes) / n;
    r->l2_reads = v->l2.reads / n;
    r->fetches = v->fetches / n;
    r->memory_writes = (v->writebacks + v->written_through) / n;
    r->memory_instructions =
        (p->load_instructions + p->store_instructions + p->atomic_instructions) / n;
}

static void round_find(struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct sm_params *sm = m->e->sm;
    struct round *r = &m->r;
    double n = m->rounds = larger(p->waits + p->store_waits, p->warps);
    double issue = m->c->coef[COEF_ISSUE];
    *r =
        (struct round){.instructions = instructions_of(p) / n,
                       .compute = issue * compute_cycles(p, sm) / n,
                       .shared_cycles = p->shared_cycles / n,
                       .load_wait = p->waits / n,
                       .store_wait = p->store_waits / n,
                       .waited = larger(1, over(p->waited_loads, p->waits) * m->c->coef[COEF_MLP])};
    round_memory(m);
    r->overlap = over(p->overlap, p->waits) * over(r->compute, r->instructions);
    r->miss = m->levels.wait_misses;
    /* within a wait, instructions miss the L2 one by one */
    double together = larger(1, over(p->load_miss_instructions, p->waits * larger(r->miss, 1e-9)));
    double far = over(m->levels.l2.reads - m->levels.l2.read_hits, m->levels.l2.reads);
    r->far = 1 - pow(1 - smaller(1, larger(0, far)), together);
}

/* --- unloaded latencies --- */

static double flits(const struct noc_params *n,
                    double data) /* whole flits per packet, as the network counts */
{
    return ceil((n->header_bytes + data) / n->flit_bytes);
}

static void latencies(struct launch_model *m)
{
    const struct est_params *e = m->e;
    double reply = flits(e->noc, e->l1->cache.sector_bytes), request = flits(e->noc, 0);
    double network = (2.0 * e->noc->latency + reply + request - 2) * m->noc_cycle;
    double lookup = (e->l2->latency + e->l2->extra_latency) * m->l2_cycle;
    m->hit_latency = e->sm->memory_latency + (e->l1->enabled ? e->l1->latency : 0);
    m->l2_latency = m->hit_latency + m->c->coef[COEF_LATENCY] * (network + lookup);
}

static void memory_latency(struct launch_model *m)
{
    const struct dram_params *d = m->e->dram;
    double device = d->model == DRAM_FIXED ? d->fixed_latency
                                           : (m->burst.latency + m->burst.conflict) * m->dram_cycle + d->extra_latency;
    m->memory_latency = m->l2_latency + m->c->coef[COEF_LATENCY] * device;
    m->miss_latency = m->l2_latency + m->r.far * (m->memory_latency - m->l2_latency);
}

/* --- the network --- */

/* Requests that may meet where each customer sends `visits` at once: all others' and one of one's
 * own. */
static double rivals(double customers, double visits)
{
    return (customers - 1) * larger(1, visits) + 1;
}

static struct network_station *put(struct launch_model *m, enum place at, const char *name,
                                   double visits, double service, double queues)
{
    struct network_station *s = &m->net.at[at];
    *s = (struct network_station){.name = name,
                                  .visits = visits,
                                  .service = service,
                                  .queues = queues,
                                  .pool = 1,
                                  .rivals = rivals(m->net.customers, visits),
                                  .c = 0.5,
                                  .chance = smaller(1, visits)};
    return s;
}

static struct network_station *put_at_sm(struct launch_model *m, enum place at, const char *name,
                                         double visits, double service)
{
    struct network_station *s = put(m, at, name, visits, service, m->sms);
    s->rivals = rivals(m->warps_per_sm, visits);
    return s;
}

/* A file of `entries` (0 = unbounded), wanted `each` times at once by `customers`, held along other
 * stations. */
static void put_pool(struct network_station *s, uint32_t entries, double each, double customers,
                     uint32_t holds)
{
    s->pool = entries ? entries : 1;
    s->visits = entries ? s->visits : 0;
    s->rivals = customers * larger(1, each);
    s->c = 1;
    s->holds = holds;
}

/* Requests that a channel's scheduler can choose from. */
static double queue_room(const struct dram_params *d)
{
    double banks = (double)d->ranks * d->bankgroups * d->banks_per_group, room = d->queue;
    if (d->per_bank_queue) room = smaller(room, d->per_bank_queue * banks);
    return larger(1, room);
}

/* Requests that the L2's MSHR files let to one channel at once. */
static double entries_open(const struct launch_model *m)
{
    double entries = (double)m->e->l2->cache.mshr.entries * m->e->l2->banks;
    return entries / m->channels * m->bursts * (1 + over(m->r.memory_writes, m->r.fetches));
}

/* The memory under so many bursts per core cycle and channel.  The L2's MSHR files let only so many
 * fetches through, and the write-backs beside them. */
static void dram_under(struct launch_model *m, double rate, double depth)
{
    const struct est_params *e = m->e;
    double room = queue_room(e->dram), most = room;
    if (e->l2->cache.mshr.entries) most = larger(1, smaller(room, entries_open(m)));
    m->dram = (struct dram_load){.rate = rate * m->dram_cycle,
                                 .depth = smaller(larger(1, depth), most),
                                 .most = most,
                                 .room = room,
                                 .writes = over(m->r.memory_writes,
                                                m->r.memory_writes + m->r.fetches)};
    burst_time_find(&m->burst, &m->rows, e->dram, &m->dram);
}

static double burst_cycles(const struct launch_model *m)
{
    const struct dram_params *d = m->e->dram;
    if (d->model == DRAM_BANKS) return m->c->coef[COEF_DRAM] * m->burst.service * m->dram_cycle;
    double core_mhz = 1 / (m->e->clocks.tick_us * (double)m->e->clocks.period[CLOCK_CORE]);
    double bytes = (double)d->bus_bytes * d->burst_length;
    return d->fixed_gbps > 0 ? m->c->coef[COEF_DRAM] * bytes / (d->fixed_gbps * 1e3) * core_mhz : 0;
}

/* How long a fetch holds its MSHR but for other fetches' queues.  Neighbours come together.  Under
 * conventional management the victim leaves first: a notice and its answer cross two clock domains, a
 * dirty victim's write stands before the read. */
static double entry_cycles(const struct launch_model *m)
{
    const struct burst_time *b = &m->burst;
    double writes = over(m->r.memory_writes, m->r.fetches), together = m->rows.run - 1, dram = 0;
    double cycles = m->memory_latency - m->l2_latency;
    if (m->e->dram->model == DRAM_BANKS) dram = 0.5 * together * (1 + writes) * b->data;
    if (m->e->l2->miss_management != MISS_CONVENTIONAL) return cycles + dram * m->dram_cycle;
    bool notice = m->e->l2->clean_victim_notice;
    double evict = (notice ? 1 : smaller(1, writes)) * (m->dram_cycle + m->l2_cycle);
    if (!m->e->dram->write_queue) dram += smaller(1, writes) * b->after_write;
    return cycles + evict + dram * m->dram_cycle;
}

static void put_memory(struct launch_model *m)
{
    const struct est_params *e = m->e;
    const struct round *r = &m->r;
    double far = r->load_wait * r->miss * r->far, l2c = m->c->coef[COEF_L2];
    double writes = r->memory_writes * m->bursts;
    struct network_station *s;
    s = put(m, AT_DRAM, "dram", r->fetches * m->bursts + writes, burst_cycles(m), m->channels);
    s->c = e->dram->model == DRAM_BANKS ? m->burst.c : 0.5;
    s->chance = larger(far, smaller(1, writes));
    if (e->l2->cache.mshr.entries) s->rivals = smaller(s->rivals, entries_open(m));
    s = put(m, AT_L2_MSHR, "l2_mshr", r->fetches, entry_cycles(m), m->slice_queues);
    s->chance = far;
    put_pool(s, e->l2->cache.mshr.entries, r->fetches, m->net.customers, 1u << AT_DRAM);
    put(m, AT_L2, "l2", r->l2_accesses, l2c * m->l2_cycle / e->l2->ports, m->slice_queues);
}

/* Packets wait in their inputs for those ahead of them: outputs can be kept busy only so much, and
 * the narrower side carries so many times less than its ports. Saturated inputs' heads are a closed
 * network over the outputs (Karol et al. 1987, infinite switch), with both sides finite. */
static double head_of_line(double inputs, double outputs)
{
    double c = 0.5 * (1 - 1 / larger(1, inputs)) * (1 - 1 / larger(1, outputs));
    double a = inputs / outputs, b = 1 + a;
    double busy = (b - sqrt(larger(0, b * b - 4 * a * (1 - c)))) / (2 * (1 - c));
    return smaller(inputs, outputs) / (busy * outputs);
}

/* Cycles that a packet takes at a port: a grant takes one even where nothing but address lines are
 * used. */
static double port_cycles(const struct noc_params *n, double data)
{
    return larger(1, flits(n, data));
}

static void put_network(struct launch_model *m)
{
    const struct noc_params *n = m->e->noc;
    const struct round *r = &m->r;
    double grain = m->e->l1->cache.sector_bytes, l2c = m->c->coef[COEF_L2] * m->noc_cycle;
    double reads = r->l1_misses, all = reads + r->stores, slices = m->slice_queues;
    double out = over(reads * port_cycles(n, 0) + r->stores * port_cycles(n, grain), all) * l2c;
    double in = over(reads * port_cycles(n, grain) + r->stores * port_cycles(n, 0), all) * l2c;
    double asked = head_of_line(m->sms, slices), answered = head_of_line(slices, m->sms);
    bool few_slices = slices < m->sms;
    put_at_sm(m, AT_NOC_SM_OUT, "noc_request", all, out * (few_slices ? 1 : asked));
    put(m, AT_NOC_SLICE_IN, "noc_request_slice", all, out * (few_slices ? asked : 1), slices);
    put(m, AT_NOC_SLICE_OUT, "noc_reply_slice", all, in * (few_slices ? answered : 1), slices);
    put_at_sm(m, AT_NOC_SM_IN, "noc_reply", all,
              larger(in * (few_slices ? 1 : answered), 1.0 / m->e->l1->fill_ports));
}

static void put_sm(struct launch_model *m)
{
    const struct est_params *e = m->e;
    const struct round *r = &m->r;
    uint32_t below = (1u << AT_L1) - 1;
    double per_core = m->warps_per_sm / e->sm->subcores, issue = m->c->coef[COEF_ISSUE], busy = 0;
    struct network_station *s;
    put_at_sm(m, AT_L1, "l1", r->loads + r->stores, 1.0 / e->l1->ports);
    s = put_at_sm(m, AT_L1_MSHR, "l1_mshr", r->l1_misses, m->miss_latency);
    s->chance = r->load_wait * r->miss;
    put_pool(s, e->l1->enabled ? e->l1->cache.mshr.entries : 0, r->l1_misses, m->warps_per_sm,
             below);
    s = put_at_sm(m, AT_VMB, "vmb", r->memory_instructions,
                  m->hit_latency + r->miss * (m->miss_latency - m->hit_latency));
    put_pool(s, e->sm->vmb_entries, r->memory_instructions, m->warps_per_sm,
             below | 1u << AT_L1 | 1u << AT_L1_MSHR);
    put_at_sm(m, AT_MEMORY_UNIT, "memory_unit", r->memory_instructions, 1);
    put_at_sm(m, AT_SHARED, "shared", smaller(1, r->shared_cycles), larger(1, r->shared_cycles));
    double work = unit_cycles(m->p, e->sm, &busy);
    s = put(m, AT_UNIT, "unit", busy / m->rounds, issue * over(work, busy),
            m->sms * e->sm->subcores);
    s->rivals = per_core;
    s->serial = true;
    s = put(m, AT_ISSUE, "issue", r->instructions, issue, m->sms * e->sm->subcores);
    s->rivals = per_core;
    s->serial = true;
}

/* Own accesses of one wait leave, and come back, one after the other. */
static double own_queue(const struct launch_model *m)
{
    const struct round *r = &m->r;
    const struct network_station *at = m->net.at;
    double missed = larger(1, r->waited * over(r->l1_misses, r->loads));
    double fetched = larger(1, missed * over(r->fetches, r->l1_misses)) * m->bursts;
    /* neighbours go to one slice and channel: as many take part as there are interleaving blocks */
    double block = m->e->l2->interleave_bytes;
    double slices =
        smaller(m->slice_queues, larger(1, missed * m->e->l1->cache.sector_bytes / block));
    double channels =
        smaller(m->channels, larger(1, fetched / m->bursts * m->e->l2->cache.sector_bytes / block));
    double door = (r->waited - 1) / m->e->l1->ports, back = (missed - 1) * at[AT_NOC_SM_IN].service;
    double slice = (missed / slices - 1) * larger(at[AT_L2].service, at[AT_NOC_SLICE_OUT].service);
    double dram = (fetched / channels - 1) * at[AT_DRAM].service * r->far;
    return larger(larger(door, back), larger(slice, dram));
}

/* A wait ends with its slowest access: one of several is more likely to have found its row closed.
 */
static double slowest_row(const struct launch_model *m)
{
    double missed = m->r.waited * over(m->r.l1_misses, m->r.loads);
    double fetched = larger(1, missed * over(m->r.fetches, m->r.l1_misses)), h = m->burst.row_hits;
    if (m->e->dram->model != DRAM_BANKS) return 0;
    return m->c->coef[COEF_LATENCY] * (h - pow(h, fetched)) * m->burst.open * m->dram_cycle;
}

/* Waits that miss nothing but meet a fetch of another warp under way: an instruction's transactions
 * meet it together; softly no more of them than there are. */
static double merging_waits(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    double together = larger(1, over(p->loads, p->load_instructions)), left = 1 - m->r.miss;
    double x = over(m->merges_l1 / together, p->waits);
    return left > 0 ? x / pow(1 + pow(x / left, 4), 0.25) : 0;
}

static void delays(struct launch_model *m)
{
    const struct round *r = &m->r;
    double merge = merging_waits(m) * m->merge_left;
    double load = (1 - r->miss) * m->hit_latency + merge * (m->miss_latency - m->hit_latency) +
                  r->miss * (m->miss_latency + r->far * slowest_row(m)) + own_queue(m);
    double store = m->l2_latency;
    if (m->e->l2->cache.write_miss == WRITE_MISS_FETCH)
        store += over(m->levels.l2.writes - m->levels.l2.write_hits, m->levels.l2.writes) *
                 (m->memory_latency - m->l2_latency);
    /* compute under a wait hides the shorter of the two, with a soft corner */
    double longer = larger(load, r->overlap), shorter = smaller(load, r->overlap),
           q = shorter / longer;
    double hidden = shorter / pow(1 + q * q * q * q, 0.25);
    m->net.think = r->compute;
    m->net.delay = r->load_wait * (load - hidden) + r->store_wait * store;
}

static void network_build(struct launch_model *m, double sms, double warps_per_sm)
{
    m->sms = sms;
    m->warps_per_sm = warps_per_sm * m->p->balance;
    m->net.customers = m->sms * m->warps_per_sm;
    m->net.n = AT_N;
    memory_latency(m);
    put_memory(m);
    put_network(m);
    put_sm(m);
    delays(m);
}

/* --- time --- */

/* Takes from the last answer what the next pass starts from. */
static void feed_back(struct launch_model *m, double cycles)
{
    const struct network_station *s = &m->net.at[AT_DRAM];
    const struct network_result *r = &m->result;
    double load = r->throughput * s->visits / s->queues;
    dram_under(m, load, load * (r->wait[AT_DRAM] + s->service));
    double missing =
        m->miss_latency + r->wait[AT_DRAM] * m->r.far + r->wait[AT_L2] + r->wait[AT_NOC_SM_IN];
    double age = over(m->p->l1_ops, cycles * m->sms) * missing, passed;
    m->merges_l1 = levels_l1_merges(m->p, age, &passed);
    m->merge_left = 1 - over(passed, age);
    double fetching = m->memory_latency - m->l2_latency + r->wait[AT_DRAM];
    m->merges_l2 = levels_l2_merges(m->p, &m->levels,
                                    over(m->p->l2_ops[m->levels.variant], cycles) * fetching);
    m->merges_l1 = smaller(m->merges_l1, m->levels.l1.read_hits);
    m->merges_l2 = smaller(m->merges_l2, m->levels.l2.read_hits);
}

/* Cycles in which `ctas` CTAs, spread over the SMs, run from beginning to end. */
static double wave(struct launch_model *m, double ctas)
{
    double sms = smaller(m->e->sm->count, ctas), cycles = 0;
    for (uint32_t k = 0; k < PASSES; k++) {
        network_build(m, sms, ctas / sms * m->p->warps_per_cta);
        network_solve(&m->net, &m->result);
        cycles = m->rounds / m->p->ctas * ctas / m->result.throughput;
        feed_back(m, cycles * m->p->ctas / ctas);
    }
    return cycles;
}

static double place_ctas(struct launch_model *m, double (*one)(struct launch_model *, double))
{
    double slots = (double)m->occ.ctas * m->e->sm->count, full = floor(m->p->ctas / slots);
    double rest = m->p->ctas - full * slots, cycles = rest > 0 ? one(m, rest) : 0;
    if (full > 0) cycles += full * one(m, slots);
    return cycles;
}

/* With one queue for both, write-backs stand among the reads that push them out. */
static void find_rows(struct launch_model *m, const struct block_sample *blocks,
                      const struct map *map)
{
    const struct est_params *e = m->e;
    const struct levels *v = &m->levels;
    struct row_stream s = {.l1_lines = v->l1.effective_lines,
                           .l2_lines = v->l2.effective_lines,
                           .bursts_per_sector = m->bursts,
                           .behind = (uint64_t)e->l2->banks * e->l2->bank_kb * 1024,
                           .together = e->l2->interleave_bytes,
                           .in_order = e->dram->scheduler == DRAM_FCFS};
    if (!e->dram->write_queue) s.writebacks = over(v->writebacks, v->fetches);
    row_locality_find(&m->rows, blocks, map, &s);
}

bool launch_model_init(struct launch_model *m, const struct launch_profile *p,
                       const struct spread_sample *spread, const struct block_sample *blocks,
                       const struct launch *shape, const struct profile_view *view,
                       const struct est_params *e, const struct correction *c,
                       const struct map *map, struct error *err)
{
    memset(m, 0, sizeof *m);
    m->p = p;
    m->shape = shape;
    m->e = e;
    m->c = c;
    m->occ = occupancy(e->sm, e->l1, shape);
    if (!m->occ.ctas)
        return error_input(err, "launch %u: a CTA of %u warps does not fit on an SM", shape->id,
                           shape->warps_per_cta);
    m->l2_cycle = clock_ratio(&e->clocks, CLOCK_L2);
    m->noc_cycle = clock_ratio(&e->clocks, CLOCK_NOC);
    m->dram_cycle = clock_ratio(&e->clocks, CLOCK_DRAM);
    m->bursts = larger(1, (double)e->l2->cache.sector_bytes /
                              ((double)e->dram->bus_bytes * e->dram->burst_length));
    double lines = m->occ.l1_kb * 1024.0 / e->l1->cache.line_bytes;
    levels_find(&m->levels, p, view, e->l1, lines, e->l2);
    find_rows(m, blocks, map);
    m->slice_queues = even_slices(spread, map, m->levels.l1.effective_lines);
    m->channels =
        even_channels(spread, map, m->levels.l1.effective_lines, m->levels.l2.effective_lines);
    latencies(m);
    return true;
}

uint32_t launch_model_phases(const struct launch_model *m, struct phase phase[PHASES])
{
    const struct levels *v = &m->levels;
    const double lines[PHASE_LEVELS] = {[PHASE_L1] = v->l1.effective_lines,
                                        [PHASE_L2] = v->l2.effective_lines};
    phase_find(&m->p->phase, lines, phase);
    if (phase[PHASES - 1].misses[PHASE_L2] - phase[0].misses[PHASE_L2] > 0.1) return PHASES;
    phase[0] = (struct phase){{1, 1}};
    return 1;
}

void launch_model_solve(struct launch_model *m, const struct phase *phase)
{
    levels_in_phase(&m->levels, phase);
    round_find(m);
    dram_under(m, 0, 1);
    m->cycles = m->e->sm->launch_cycles + place_ctas(m, wave);
}

static double wave_without(struct launch_model *m, double ctas)
{
    double sms = smaller(m->e->sm->count, ctas);
    network_build(m, sms, ctas / sms * m->p->warps_per_cta);
    for (uint32_t i = 0; i < AT_N; i++)
        if (m->without >> i & 1) m->net.at[i].visits = 0;
    network_solve(&m->net, &m->result);
    return m->rounds / m->p->ctas * ctas / m->result.throughput;
}

double launch_model_cycles_without(const struct launch_model *m, uint32_t without)
{
    struct launch_model copy = *m;
    copy.without = without;
    return m->e->sm->launch_cycles + place_ctas(&copy, wave_without);
}

static double wave_low(struct launch_model *m, double ctas)
{
    double low, high, sms = smaller(m->e->sm->count, ctas);
    network_build(m, sms, ctas / sms * m->p->warps_per_cta);
    network_bounds(&m->net, &low, &high);
    return m->rounds / m->p->ctas * ctas / high;
}

static double wave_high(struct launch_model *m, double ctas)
{
    double low, high, sms = smaller(m->e->sm->count, ctas);
    network_build(m, sms, ctas / sms * m->p->warps_per_cta);
    network_bounds(&m->net, &low, &high);
    return m->rounds / m->p->ctas * ctas / low;
}

void launch_model_bounds(const struct launch_model *m, double *low, double *high)
{
    struct launch_model copy = *m;
    *low = m->e->sm->launch_cycles + place_ctas(&copy, wave_low);
    *high = m->e->sm->launch_cycles + place_ctas(&copy, wave_high);
}

/* --- metrics --- */

static void metrics_l1(const struct launch_model *m, struct metrics *o)
{
    const struct launch_profile *p = m->p;
    const struct levels *v = &m->levels;
    double hits = larger(0, v->l1.read_hits - m->merges_l1);
    metrics_set(o, M_l1_accesses, p->loads + p->stores + p->atomics);
    metrics_set(o, M_l1_reads, p->loads);
    metrics_set(o, M_l1_read_hits, hits);
    metrics_set(o, M_l1_writes, p->stores + p->atomics);
    metrics_set(o, M_l1_hits, hits + v->l1.write_hits);
    metrics_set(o, M_l1_merges, m->merges_l1);
    metrics_set(o, M_l1_misses, p->loads - v->l1.read_hits + p->stores + p->atomics);
    metrics_set(o, M_l1_bypasses,
                m->e->l1->enabled ? p->bypasses : p->loads + p->stores + p->atomics);
}

static void metrics_l2(const struct launch_model *m, struct metrics *o)
{
    const struct levels *v = &m->levels;
    double atomics = m->p->atomics, hits = larger(0, v->l2.read_hits - m->merges_l2),
           sector = m->e->l2->cache.sector_bytes;
    double misses = v->l2.reads - v->l2.read_hits + v->l2.writes - v->l2.write_hits;
    metrics_set(o, M_l2_reads, larger(0, v->l2.reads - atomics));
    metrics_set(o, M_l2_writes, v->l2.writes + atomics);
    metrics_set(o, M_l2_read_hits, smaller(hits, larger(0, v->l2.reads - atomics)));
    metrics_set(o, M_l2_write_hits, v->l2.write_hits);
    metrics_set(o, M_l2_accesses, v->l2.reads + v->l2.writes);
    metrics_set(o, M_l2_hits, hits + v->l2.write_hits);
    metrics_set(o, M_l2_merges, m->merges_l2);
    metrics_set(o, M_l2_misses, misses);
    metrics_set(o, M_l2_fetches, v->fetches);
    metrics_set(o, M_l2_writebacks, v->writebacks);
    metrics_set(o, M_l2_bytes_to_memory, (v->writebacks + v->written_through) * sector);
    metrics_set(o, M_l2_bytes_from_memory, v->fetches * sector);
    metrics_set(o, M_l2_miss_memory_sum, m->result.wait[AT_DRAM] * v->fetches);
}

static void metrics_noc(const struct launch_model *m, struct metrics *o)
{
    const struct noc_params *n = m->e->noc;
    double grain = m->e->l1->cache.sector_bytes, reads = m->r.l1_misses * m->rounds,
           stores = m->p->stores;
    metrics_set(o, M_noc_request_flits, reads * flits(n, 0) + stores * flits(n, grain));
    metrics_set(o, M_noc_reply_flits, reads * flits(n, grain) + stores * flits(n, 0));
}

static void metrics_dram(const struct launch_model *m, struct metrics *o)
{
    const struct dram_params *d = m->e->dram;
    const struct levels *v = &m->levels;
    double reads = v->fetches * m->bursts,
           writes = (v->writebacks + v->written_through) * m->bursts;
    double us = m->e->clocks.tick_us * (double)m->e->clocks.period[CLOCK_CORE];
    metrics_set(o, M_dram_reads, reads);
    metrics_set(o, M_dram_writes, writes);
    metrics_set(o, M_dram_bursts, reads + writes);
    metrics_set(o, M_dram_bytes,
                (v->fetches + v->writebacks + v->written_through) * m->e->l2->cache.sector_bytes);
    metrics_set(o, M_dram_channel_us, m->cycles * us * d->channels);
    if (d->model != DRAM_BANKS) return;
    metrics_set(o, M_dram_row_hits, (reads + writes) * m->burst.row_hits);
    metrics_set(o, M_dram_activates, (reads + writes) * (1 - m->burst.row_hits));
    metrics_set(o, M_dram_busy, (reads + writes) * m->burst.data * m->dram_cycle * us);
    metrics_set(o, M_dram_latency_sum,
                reads * ((m->burst.latency + m->burst.conflict) * m->dram_cycle + m->result.wait[AT_DRAM]) * us * 1e3);
}

static void metrics_latency(const struct launch_model *m, struct metrics *o)
{
    const struct network_result *r = &m->result;
    double n = m->p->loads + m->p->atomics;
    double miss = over(m->r.l1_misses, m->r.loads);
    double far = over(m->levels.l2.reads - m->levels.l2.read_hits, m->levels.l2.reads);
    double l2 = m->l2_latency + r->wait[AT_L2] + r->wait[AT_NOC_SM_IN] + r->wait[AT_NOC_SLICE_OUT] +
                r->wait[AT_L1_MSHR];
    double hit = m->hit_latency + r->wait[AT_L1];
    double memory = l2 + m->memory_latency - m->l2_latency + r->wait[AT_DRAM];
    double merged = smaller(m->merges_l1, n * (1 - miss)), far_mean = l2 + far * (memory - l2);
    double met = hit + m->merge_left * (far_mean - hit);
    histogram_add(&o->load_latency, (uint64_t)(hit + 0.5), n * (1 - miss) - merged);
    histogram_add(&o->load_latency, (uint64_t)(met + 0.5), merged);
    histogram_add(&o->load_latency, (uint64_t)(l2 + 0.5), n * miss * (1 - far));
    histogram_add(&o->load_latency, (uint64_t)(memory + 0.5), n * miss * far);
    o->has_load_latency = true;
    double issue = r->wait[AT_ISSUE] * m->net.at[AT_ISSUE].visits +
                   r->wait[AT_UNIT] * m->net.at[AT_UNIT].visits;
    metrics_set(o, M_warp_memory, m->rounds * (m->net.delay + r->waiting - issue));
    metrics_set(o, M_warp_compute, m->rounds * (m->net.think + issue));
}

void launch_model_metrics(const struct launch_model *m, struct metrics *o)
{
    *o = (struct metrics){0};
    metrics_set(o, M_cycles, m->cycles);
    metrics_set(o, M_time_us,
                m->cycles * m->e->clocks.tick_us * (double)m->e->clocks.period[CLOCK_CORE]);
    metrics_set(o, M_warp_instructions, instructions_of(m->p));
    metrics_set(o, M_lane_operations, m->p->lane_operations);
    metrics_set(o, M_masked_operations, m->p->masked_operations);
    metrics_set(o, M_warps, m->p->warps);
    metrics_l1(m, o);
    metrics_l2(m, o);
    metrics_noc(m, o);
    metrics_dram(m, o);
    metrics_latency(m, o);
}
