/* stall_roots.c - see stall_roots.h. */
#include "detailed/core/stall_roots.h"

#include "detailed/constants.h"
#include "detailed/core/sim_internal.h"

#include <math.h>

/* Accesses by the root that delays them: queued ones and moving ones. */
struct census {
    double queued[ROOT_N], moving[ROOT_N];
};

/* One sample. */
struct root_scan {
    struct sim *s;
    uint64_t tick;
    struct census all;            /* below the L1s */
    double l1_queued[ROOT_N], l1; /* queued before the L1s' tags; l1: all accesses in the L1s */
    double memory_queued;         /* share of the memory's requests that queue */
    double requests;              /* requests found outside of the L2's MSHRs */
};

/* --- what a place waits for --------------------------------------------------------------------
 */

/* Whether an output queue is (almost) full. The queue of a consumer that is slower than the network
 * stays almost full, that of a faster one almost empty; whether it has room at one moment says
 * less. */
static bool output_full(const struct noc *n, uint32_t output)
{
    return 2 * n->out[output].queue.n > n->p->output_queue;
}

/* The root for which the head of a slice's replies waits. */
static enum root reply_waits_for(const struct sim *s, uint32_t slice)
{
    const struct noc *n = &s->noc[NOC_REPLY];
    const struct noc_input *in = &n->in[slice];
    return in->queue.n && output_full(n, noc_head_output(in)) ? ROOT_L1 : ROOT_NOC;
}

static enum root plan_waits_for(const struct l2_slice *l2, const struct access *a)
{
    struct access_plan p = cache_plan(&l2->c, a);
    if (p.verdict == CACHE_STALL_MSHR || p.verdict == CACHE_STALL_MERGE) return ROOT_L2_MSHR;
    if (p.verdict == CACHE_STALL_LINE) return ROOT_L2_LINES;
    if (!l2_has_memory_room(l2, a->addr)) return ROOT_DRAM;
    return l2->p->miss_management == MISS_CONVENTIONAL ? ROOT_L2_LINES : ROOT_L2;
}

/* The root for which a slice waits that accepts no requests. */
static enum root slice_waits_for(const struct sim *s, uint32_t slice)
{
    const struct l2_slice *l2 = &s->slice[slice];
    const struct fifo *stuck = l2->side_lookup.n ? &l2->side_lookup : &l2->pipe;
    if (l2->head_stalled_since == UINT64_MAX || !stuck->n) return ROOT_L2;
    if (l2->replies.n >= l2->p->reply_queue) return reply_waits_for(s, slice);
    struct access a = l2_access_of(l2, &s->reqs.item[fifo_front(stuck)->value]);
    return plan_waits_for(l2, &a);
}

/* The root for which the head of an SM's requests waits. */
static enum root request_waits_for(const struct sim *s, uint32_t sm)
{
    const struct noc *n = &s->noc[NOC_REQUEST];
    const struct noc_input *in = &n->in[sm];
    if (!in->queue.n || !output_full(n, noc_head_output(in))) return ROOT_NOC;
    return slice_waits_for(s, noc_head_output(in));
}

/* The root for which an L1's head access waits. */
static enum root l1_waits_for(const struct sim *s, uint32_t sm)
{
    switch (s->sm[sm].l1.stall) {
    case L1_STALL_MSHR:
    case L1_STALL_MERGE: return ROOT_L1_MSHR;
    case L1_STALL_LINE: return ROOT_L1_LINES;
    case L1_STALL_NETWORK: return request_waits_for(s, sm);
    case L1_GOES: break;
    }
    return ROOT_L1;
}

/* --- where accesses stand ----------------------------------------------------------------------
 */

static void add_root(struct root_scan *k, enum root r, uint32_t queued, uint32_t moving)
{
    k->all.queued[r] += queued;
    k->all.moving[r] += moving;
    k->requests += queued + moving;
}

static void count_l1(struct root_scan *k, uint32_t sm)
{
    const struct l1 *l = &k->s->sm[sm].l1;
    uint64_t entered = l->entered - l->head, all = entered + l1_queued(l);
    enum root r = l1_waits_for(k->s, sm);
    k->l1 += (double)sm_translation_waiting(&k->s->sm[sm]); /* translation is the L1's */
    if (r == ROOT_L1)
        k->l1 += (double)all;
    else
        k->l1_queued[r] += (double)all;
    k->l1_queued[ROOT_L1_MSHR] += l->waiting;
    uint32_t refused = l->retry.n;
    if (refused) add_root(k, ROOT_NOC, refused, 0); /* keep_back attributes them */
    if (l->miss_queue.n) add_root(k, request_waits_for(k->s, sm), l->miss_queue.n, 0);
}

/* Counts a network's packets: behind full outputs, in flight, or before their consumers. */
static void count_network(struct root_scan *k, const struct noc *n,
                          enum root (*consumer)(const struct sim *, uint32_t output))
{
    uint64_t now = k->tick / k->s->clocks.period[CLOCK_NOC];
    uint32_t seen = 0;
    for (uint32_t i = 0; i < n->inputs; i++) {
        const struct noc_input *in = &n->in[i];
        if (!in->queue.n) continue;
        uint32_t to = noc_head_output(in);
        bool full = output_full(n, to);
        add_root(k, full ? consumer(k->s, to) : ROOT_NOC, in->queue.n - !full, !full);
        seen += in->queue.n;
    }
    for (uint32_t i = 0; i < n->outputs; i++) {
        const struct fifo *q = &n->out[i].queue;
        if (!q->n) continue;
        bool waits = q->due <= now;
        add_root(k, waits ? consumer(k->s, i) : ROOT_NOC, waits ? q->n : 0, waits ? 0 : q->n);
        seen += q->n;
    }
    uint32_t inside = noc_in_flight(n);
    if (inside > seen) add_root(k, ROOT_NOC, inside - seen, 0); /* in a mesh */
}

static enum root sm_takes(const struct sim *s, uint32_t sm)
{
    (void)s;
    (void)sm;
    return ROOT_L1;
}

static void count_slice(struct root_scan *k, uint32_t slice)
{
    const struct l2_slice *l2 = &k->s->slice[slice];
    uint32_t looked_up = l2->pipe.n + l2->side_lookup.n;
    if (looked_up) {
        enum root r = slice_waits_for(k->s, slice);
        bool moves = r == ROOT_L2;
        add_root(k, r, moves ? 0 : looked_up, moves ? looked_up : 0);
    }
    if (l2->waiting || l2->woken.n) add_root(k, ROOT_L2_LINES, l2->waiting + l2->woken.n, 0);
    if (l2->replies.n) add_root(k, reply_waits_for(k->s, slice), l2->replies.n, 0);
}

static struct dram_stats memory_counted(const struct sim *s)
{
    struct dram_stats t = {0};
    for (uint32_t i = 0; i < s->m.dram.channels; i++)
        dram_stats_add(&t, dram_counted(s->memory->channel[i].dram));
    return t;
}

/* Utilization of the memory: of the data buses, of the activates that a rank allows, or of the
 * banks. */
static double memory_busy(const struct sim *s, const struct dram_stats *t, double cycles)
{
    const struct dram_params *p = &s->m.dram;
    double buses = (double)p->channels * dram_pseudo_channels(p), ranks = buses * p->ranks;
    double bus = (double)t->busy_cycles / (buses * cycles);
    if (p->model == DRAM_FIXED) return bus;
    double activates = (double)t->activates / (ranks * cycles);
    double apart = fmax(p->t.tRRD_S, p->t.tFAW / 4.0);
    double bank = (double)(p->t.tRAS + p->t.tRP) / (p->bankgroups * p->banks_per_group);
    return fmin(1, fmax(bus, activates * fmax(apart, bank)));
}

/* Share of the requests accepted by the channels that waits for others: beyond the unloaded
 * latency, in proportion to the memory's utilization. */
static double accepted_wait(const struct sim *s, uint64_t tick)
{
    const struct dram_stats t = memory_counted(s);
    const struct stall_roots *r = &s->roots;
    double bursts = (double)(t.reads + t.writes), latency = (double)t.latency_sum;
    if (!(latency > 0)) return 0;
    double hits = (double)t.row_hits / bursts;
    double unloaded = r->idle_conflict + hits * (r->idle_hit - r->idle_conflict);
    double wait = fmax(0, 1 - (double)t.reads * unloaded / latency);
    return wait * memory_busy(s, &t, (double)tick / (double)s->clocks.period[CLOCK_DRAM]);
}

/* Requests in flight. */
static double requests_of(const struct sim *s)
{
    return s->reqs.used + (s->threads ? sim_threads_requests(s) : 0);
}

/* Counts the requests that were found nowhere else as waiting at the L2's MSHRs for the memory. */
static void count_memory(struct root_scan *k)
{
    const struct sim *s = k->s;
    double before = 0, inside = memory_operations(s->memory), waits = requests_of(s) - k->requests;
    for (uint32_t i = 0; i < s->m.dram.channels; i++)
        before += s->memory->channel[i].waiting;
    if (s->second_memory) inside += memory_operations(s->second_memory);
    for (uint32_t i = 0; i < s->m.second_dram.channels; i++)
        before += s->second_memory->channel[i].waiting;
    if (inside > 0)
        k->memory_queued = (before + (inside - before) * accepted_wait(s, k->tick)) / inside;
    if (waits <= 0) return;
    k->all.queued[ROOT_DRAM] += waits * k->memory_queued;
    k->all.moving[ROOT_DRAM] += waits * (1 - k->memory_queued);
}

/* --- entries -----------------------------------------------------------------------------------
 */

/* Attributes rejected requests, which load the networks for lack of an entry, not of a link. */
static void keep_back(const struct sim *s, double part[ROOT_N])
{
    double packets = (double)s->noc[NOC_REQUEST].s.packets, back = 0;
    for (uint32_t i = 0; i < s->m.l2.banks; i++)
        back += (double)s->slice[i].s.nacks;
    if (!(packets > 0) || !(back > 0)) return;
    double share = fmin(1, back / packets);
    enum root entries = s->m.l2.cache.mshr.entries ? ROOT_L2_MSHR : ROOT_L2_LINES;
    part[entries] += share * part[ROOT_NOC];
    part[ROOT_NOC] *= 1 - share;
}

static void keep_in_l2(double part[ROOT_N], double memory_queued)
{
    static const enum root entries[] = {ROOT_L2_MSHR, ROOT_L2_LINES};
    for (uint32_t i = 0; i < 2; i++) {
        double waits = part[entries[i]];
        part[ROOT_DRAM] += waits * memory_queued;
        part[entries[i]] = waits * (1 - memory_queued);
    }
}

/* Attributes the SM's entries whose accesses queue further down to what they queue for. */
static void keep_in_sm(double part[ROOT_N], const struct census *below)
{
    static const enum root entries[] = {ROOT_VMB, ROOT_L1_MSHR, ROOT_L1_LINES};
    double all = 0;
    for (uint32_t i = 0; i < ROOT_N; i++)
        all += below->queued[i] + below->moving[i];
    for (uint32_t i = 0; i < 3 && all > 0; i++) {
        double waits = part[entries[i]], queued = 0;
        for (uint32_t k = 0; k < ROOT_N; k++) {
            part[k] += waits * below->queued[k] / all;
            queued += below->queued[k];
        }
        part[entries[i]] -= waits * queued / all;
    }
}

/* --- issue slots -------------------------------------------------------------------------------
 */

enum { FOR_LOADS = ROOT_N, SLOT_KINDS };

static bool wants_entry(const struct sm *sm, uint32_t sub)
{
    if (!sm->vmb.on) return false;
    return !vmb_has_room(&sm->vmb) ||
           (sm->vmb.per_warp && (sm->sub[sub].stuck & sm->vmb.full[sub]) != 0);
}

/* The root of a lost issue slot, or FOR_LOADS. */
static uint32_t slot_of(const struct sim *s, uint32_t i, uint32_t sub)
{
    const struct sm *sm = &s->sm[i];
    const enum stall_cause cause = sm->sub[sub].cause;
    if (cause == CAUSE_BARRIER) return ROOT_BARRIER;
    if (cause == CAUSE_COMPUTE || cause == CAUSE_NONE) return ROOT_COMPUTE;
    if (!(sm->wants_memory >> sub & 1)) return FOR_LOADS;
    return wants_entry(sm, sub) ? ROOT_VMB : l1_waits_for(s, i);
}

/* Counts an SM's issue slots; sub-cores at a barrier wait for the others of their SM. */
static void count_slots(const struct sim *s, uint32_t i, double slots[SLOT_KINDS])
{
    double own[SLOT_KINDS] = {0}, others = 0;
    for (uint32_t sub = 0; sub < s->m.sm.subcores; sub++)
        if (s->sm[i].sub[sub].warps.resident) own[slot_of(s, i, sub)]++;
    for (uint32_t k = 0; k < SLOT_KINDS; k++)
        others += k == ROOT_BARRIER ? 0 : own[k];
    double as_others = others > 0 ? own[ROOT_BARRIER] / others : 0;
    for (uint32_t k = 0; k < SLOT_KINDS; k++)
        slots[k] += k == ROOT_BARRIER ? (others > 0 ? 0 : own[k]) : own[k] * (1 + as_others);
}

static void share_loads(struct root_scan *k, double slots[SLOT_KINDS])
{
    double all = k->l1, part[ROOT_N] = {[ROOT_L1] = k->l1};
    for (uint32_t r = 0; r < ROOT_N; r++) {
        double at = k->l1_queued[r] + k->all.queued[r] + k->all.moving[r];
        part[r] += at;
        all += at;
    }
    if (!(all > 0)) slots[ROOT_L1] += slots[FOR_LOADS];
    for (uint32_t r = 0; r < ROOT_N && all > 0; r++)
        slots[r] += slots[FOR_LOADS] * part[r] / all;
    slots[FOR_LOADS] = 0;
}

static void scan_machine(struct sim *s, uint64_t tick, uint64_t times)
{
    struct root_scan k = {.s = s, .tick = tick};
    double slots[SLOT_KINDS] = {0}, looked = 0;
    for (uint32_t i = 0; i < s->m.sm.count; i++)
        if (s->sm[i].ctas) count_slots(s, i, slots);
    for (uint32_t i = 0; i < SLOT_KINDS; i++)
        looked += slots[i];
    if (!(looked > 0)) return;
    s->roots.looked += times;
    if (slots[FOR_LOADS] + slots[ROOT_VMB] + slots[ROOT_L1_MSHR] + slots[ROOT_L1_LINES] +
            slots[ROOT_L2_MSHR] + slots[ROOT_L2_LINES] >
        0) {
        for (uint32_t i = 0; i < s->m.sm.count; i++)
            count_l1(&k, i);
        count_network(&k, &s->noc[NOC_REQUEST], slice_waits_for);
        for (uint32_t i = 0; i < s->m.l2.banks; i++)
            count_slice(&k, i);
        count_network(&k, &s->noc[NOC_REPLY], sm_takes);
        count_memory(&k);
        keep_back(s, k.all.queued);
        keep_back(s, k.l1_queued);
        keep_in_l2(k.all.queued, k.memory_queued);
        keep_back(s, slots);
        share_loads(&k, slots);
        keep_in_l2(slots, k.memory_queued);
        keep_in_sm(slots, &k.all);
    }
    for (uint32_t i = 0; i < ROOT_N; i++)
        s->roots.part[i] += (double)times * slots[i] / looked;
}

void stall_roots_record(struct sim *s, uint64_t tick)
{
    struct stall_roots *r = &s->roots;
    uint64_t times = (tick - 1 - r->next) / r->period + 1;
    scan_machine(s, r->next, times);
    r->next += times * r->period;
}

/* --- the rest ----------------------------------------------------------------------------------
 */

void stall_roots_init(struct sim *s)
{
    const struct dram_idle idle = dram_idle_latency(&s->m.dram);
    s->roots.idle_hit = idle.hit;
    s->roots.idle_conflict = idle.conflict;
    stall_roots_clear(s);
}

void stall_roots_clear(struct sim *s)
{
    struct stall_roots *r = &s->roots;
    r->period = r->next = (uint64_t)(ROOTS_PERIOD * (double)s->clocks.period[CLOCK_CORE]);
    r->looked = 0;
    for (uint32_t i = 0; i < ROOT_N; i++)
        r->part[i] = 0;
}

bool stall_roots_check(const struct stall_roots *r)
{
    double sum = 0;
    for (uint32_t i = 0; i < ROOT_N; i++) {
        if (r->part[i] < -1e-9 * (double)r->looked) return false;
        sum += r->part[i];
    }
    return fabs(sum - (double)r->looked) <= 1e-9 * (double)r->looked;
}

void stall_roots_metrics(const struct sim *s, struct metrics *m)
{
    static const enum metric id[ROOT_N] = {
        [ROOT_COMPUTE] = M_root_compute_looks, [ROOT_BARRIER] = M_root_barrier_looks,
        [ROOT_VMB] = M_root_vmb_looks,         [ROOT_L1] = M_root_l1_looks,
        [ROOT_L1_MSHR] = M_root_l1_mshr_looks, [ROOT_L1_LINES] = M_root_l1_lines_looks,
        [ROOT_NOC] = M_root_noc_looks,         [ROOT_L2] = M_root_l2_looks,
        [ROOT_L2_MSHR] = M_root_l2_mshr_looks, [ROOT_L2_LINES] = M_root_l2_lines_looks,
        [ROOT_DRAM] = M_root_dram_looks};
    for (uint32_t i = 0; i < ROOT_N; i++)
        metrics_set(m, id[i], s->roots.part[i]);
    metrics_set(m, M_root_looks, (double)s->roots.looked);
}
