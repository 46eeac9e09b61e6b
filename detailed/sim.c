/* sim.c - wiring and time.
 *
 * Four clock domains; in one tick they are stepped in the order network, DRAM, L2, core, so that
 * what arrives at an edge can be used at that edge, and what is pushed becomes visible at the
 * receiver's next edge. */
#include "base/mem.h"
#include "base/progress.h"
#include "detailed/sim_internal.h"
#include "detailed/sites.h"

#include <assert.h>
#include <string.h>

enum { WATCHDOG_CYCLES = 2000000 }; /* of the slowest clock, without an instruction */

/* --- wake-ups --- */

static void due(struct sim *s, enum clock_domain d, uint32_t i, uint64_t cycle)
{
    struct domain *dom = &s->domain[d];
    if (cycle < dom->due[i]) dom->due[i] = cycle;
    if (cycle >= dom->next) return;
    dom->next = cycle;
    dom->tick = cycle * dom->period;
}

/* The last edge up to now: asked for by all components of a step, divided once. */
static uint64_t edge_before(struct domain *d, uint64_t tick)
{
    if (d->edge_tick != tick) {
        d->edge_tick = tick;
        d->edge = tick / d->period;
    }
    return d->edge;
}
static uint64_t edge_after(struct sim *s, enum clock_domain d)
{
    return edge_before(&s->domain[d], s->tick) + 1;
}
static uint64_t edge_from(struct sim *s, enum clock_domain d, uint64_t tick)
{
    uint64_t edge = edge_before(&s->domain[d], tick);
    return edge + (edge * s->domain[d].period < tick);
}
/* The same of an edge of another clock. */
static uint64_t edge_of(const struct sim *s, enum clock_domain d, enum clock_domain from,
                        uint64_t cycle)
{
    return clock_ceil(cycle, s->domain[from].period, s->domain[d].period);
}

static void sm_due(struct sim *s, uint32_t sm, uint64_t cycle)
{
    due(s, CLOCK_CORE, s->scalars + sm, cycle);
}

static void scalar_due(void *ctx, uint32_t sm, uint64_t cycle)
{
    struct sim *s = ctx;
    due(s, CLOCK_CORE, scalar_cache_of(&s->m.scalar, s->m.sm.count, sm), cycle);
}

static void scalar_done(void *ctx, uint32_t sm, uint32_t vinst, uint64_t now)
{
    struct sim *s = ctx;
    sm_vinst_done(&s->sm[sm], vinst, now);
    sm_due(s, sm, now);
}

static bool scalar_has_room(void *ctx, uint32_t sm)
{
    return l1_port_has_room(&((struct sim *)ctx)->sm[sm].l1);
}

static void scalar_send(void *ctx, uint32_t sm, uint32_t req, uint64_t now)
{
    struct sim *s = ctx;
    l1_send_for(&s->sm[sm].l1, req, now);
    sm_due(s, sm, now);
}

static void noc_due(void *ctx)
{
    struct sim *s = ctx;
    uint64_t cycle = edge_after(s, CLOCK_NOC);
    due(s, CLOCK_NOC, NOC_REQUEST, cycle);
    due(s, CLOCK_NOC, NOC_REPLY, cycle);
}

static void memory_due(void *ctx, uint32_t channel)
{
    struct sim *s = ctx;
    due(s, CLOCK_DRAM, channel, edge_after(s, CLOCK_DRAM));
}

static void request_arrives(void *ctx, uint32_t slice, uint64_t noc_cycle)
{
    struct sim *s = ctx;
    due(s, CLOCK_L2, slice, edge_of(s, CLOCK_L2, CLOCK_NOC, noc_cycle));
}

static void request_room(void *ctx, uint32_t sm)
{
    struct sim *s = ctx;
    sm_due(s, sm, edge_from(s, CLOCK_CORE, s->tick));
}

static void reply_arrives(void *ctx, uint32_t sm, uint64_t noc_cycle)
{
    struct sim *s = ctx;
    sm_due(s, sm, edge_of(s, CLOCK_CORE, CLOCK_NOC, noc_cycle));
}

static void reply_room(void *ctx, uint32_t slice)
{
    struct sim *s = ctx;
    due(s, CLOCK_L2, slice, edge_from(s, CLOCK_L2, s->tick));
}

static void memory_returns(void *ctx, uint32_t slice, uint32_t entry, uint32_t version,
                           uint64_t tick)
{
    struct sim *s = ctx;
    uint64_t cycle = edge_from(s, CLOCK_L2, tick);
    l2_return(&s->slice[slice], entry, version, cycle);
    due(s, CLOCK_L2, slice, cycle);
}

static void memory_writes(void *ctx, uint32_t slice, uint32_t entry, uint64_t tick)
{
    struct sim *s = ctx;
    uint64_t cycle = edge_from(s, CLOCK_L2, tick);
    l2_written(&s->slice[slice], entry, cycle);
    due(s, CLOCK_L2, slice, cycle);
}

/* --- building --- */

static bool domain_init(struct domain *d, uint64_t period, uint32_t n)
{
    *d = (struct domain){.period = period,
                         .next = UINT64_MAX,
                         .tick = UINT64_MAX,
                         .n = n,
                         .due = mem_new(n, sizeof *d->due)};
    for (uint32_t i = 0; d->due && i < n; i++)
        d->due[i] = UINT64_MAX;
    return d->due != NULL;
}

static bool init_domains(struct sim *s)
{
    s->scalars = scalar_caches(&s->m.scalar, s->m.sm.count);
    const uint32_t n[CLOCK_N] = {[CLOCK_CORE] = s->scalars + s->m.sm.count,
                                 [CLOCK_NOC] = NOC_N,
                                 [CLOCK_L2] = s->m.l2.banks,
                                 [CLOCK_DRAM] = s->m.dram.channels};
    for (uint32_t d = 0; d < CLOCK_N; d++)
        if (!domain_init(&s->domain[d], s->clocks.period[d], n[d])) return false;
    return true;
}

/* An unloaded fetch as an L2 slice sees it: open row, nothing queued. */
static uint64_t idle_fetch_cycles(const struct sim *s)
{
    uint64_t ticks = dram_idle_latency(&s->m.dram).hit * s->clocks.period[CLOCK_DRAM] +
                     s->m.dram.extra_latency * s->clocks.period[CLOCK_CORE];
    return ticks / s->clocks.period[CLOCK_L2];
}

static bool init_networks(struct sim *s)
{
    if (!noc_init(&s->noc[NOC_REQUEST], &s->m.noc, NOC_REQUEST, s->m.sm.count, s->m.l2.banks) ||
        !noc_init(&s->noc[NOC_REPLY], &s->m.noc, NOC_REPLY, s->m.l2.banks, s->m.sm.count))
        return false;
    struct noc *request = &s->noc[NOC_REQUEST], *reply = &s->noc[NOC_REPLY];
    request->ctx = reply->ctx = s;
    request->on_arrival = request_arrives;
    request->on_room = request_room;
    reply->on_arrival = reply_arrives;
    reply->on_room = reply_room;
    return true;
}

static const struct coherence *coherence_of(const struct sim *s)
{
    return s->coherence.protocol ? &s->coherence : NULL;
}

static struct locality *locality_of(struct sim *s)
{
    return s->m.sm.reuse_classes ? &s->locality : NULL;
}

/* And sends them on. */
static bool l1_keeps_stores(const struct l1_params *p)
{
    return p->cache.write == WRITE_THROUGH && p->cache.write_miss != WRITE_MISS_NO_ALLOCATE;
}

static bool init_slices(struct sim *s)
{
    s->l2_wiring = (struct l2_wiring){.reqs = &s->reqs,
                                      .request = &s->noc[NOC_REQUEST],
                                      .reply = &s->noc[NOC_REPLY],
                                      .memory = &s->memory,
                                      .shadow = &s->shadow,
                                      .coherence = coherence_of(s),
                                      .locality = locality_of(s),
                                      .l1_keeps_stores = l1_keeps_stores(&s->m.l1),
                                      .l2_period = s->clocks.period[CLOCK_L2],
                                      .noc_period = s->clocks.period[CLOCK_NOC],
                                      .idle_fetch_cycles = idle_fetch_cycles(s),
                                      .memory_due = memory_due,
                                      .noc_due = noc_due,
                                      .ctx = s};
    s->slice = mem_new(s->m.l2.banks, sizeof *s->slice);
    for (uint32_t i = 0; s->slice && i < s->m.l2.banks; i++)
        if (!l2_init(&s->slice[i], &s->m.l2, i, &s->l2_wiring) ||
            (s->m.l1.bypass == BYPASS_AGCB && !cache_keep_notes(&s->slice[i].c)))
            return false;
    return s->slice != NULL;
}

static bool init_scalars(struct sim *s)
{
    s->scalar_wiring = (struct scalar_wiring){.reqs = &s->reqs,
                                              .shadow = &s->shadow,
                                              .done = scalar_done,
                                              .has_room = scalar_has_room,
                                              .send = scalar_send,
                                              .sim = s};
    if (!s->scalars) return true;
    s->scalar = mem_new(s->scalars, sizeof *s->scalar);
    for (uint32_t i = 0; s->scalar && i < s->scalars; i++)
        if (!scalar_init(&s->scalar[i], &s->m.scalar, &s->scalar_wiring)) return false;
    return s->scalar != NULL;
}

static bool init_sms(struct sim *s)
{
    struct sm_wiring w = {.sm = &s->m.sm,
                          .l1 = &s->m.l1,
                          .l2_sector = s->m.l2.cache.sector_bytes,
                          .reply = &s->noc[NOC_REPLY],
                          .reader = s->reader,
                          .run = &s->run,
                          .load_latency = &s->load_latency,
                          .max_latency = &s->max_latency,
                          .locality = locality_of(s),
                          .error = &s->error};
    const struct throttle_ops *throttle = throttle_table[s->m.sm.throttle];
    bool listens = (throttle && throttle->access) || s->m.sm.reuse_classes;
    s->l1_wiring = (struct l1_wiring){.reqs = &s->reqs,
                                      .request = &s->noc[NOC_REQUEST],
                                      .map = &s->map,
                                      .shadow = &s->shadow,
                                      .coherence = coherence_of(s),
                                      .fence_invalidates = s->m.coherence.fence_invalidates,
                                      .recalls = s->m.l2.inclusion != INCLUSION_NONE,
                                      .core_period = s->clocks.period[CLOCK_CORE],
                                      .noc_period = s->clocks.period[CLOCK_NOC],
                                      .nack_retry_cycles = s->m.l2.nack_retry_cycles,
                                      .nack_releases_mshr = s->m.l2.nack_releases_l1_mshr,
                                      .done = sm_vinst_done,
                                      .issued = sm_vinst_issued,
                                      .warp_of = sm_vinst_warp,
                                      .join = sm_vinst_join,
                                      .seen = listens ? sm_l1_seen : NULL,
                                      .left = throttle && throttle->left ? sm_l1_left : NULL,
                                      .noc_due = noc_due,
                                      .sim = s};
    w.l1_wiring = &s->l1_wiring;
    s->sm = mem_new(s->m.sm.count, sizeof *s->sm);
    s->expected = mem_new(s->m.sm.count, sizeof *s->expected);
    w.scalar_due = scalar_due;
    for (uint32_t i = 0; s->sm && i < s->m.sm.count; i++) {
        if (s->scalars) w.scalar = &s->scalar[scalar_cache_of(&s->m.scalar, s->m.sm.count, i)];
        if (!sm_init(&s->sm[i], i, &w)) return false;
    }
    return s->sm && s->expected;
}

static bool build(struct sim *s, struct error *e)
{
    if (!machine_clocks(&s->m, &s->clocks))
        return error_input(e, "the clocks have no common multiple in 64 bits");
    if (!map_init(&s->map, &s->m.l2, &s->m.dram, e)) return false;
    s->reader = reader_new(s->program, e);
    if (!s->reader) return false;
    if (!memory_init(&s->memory, &s->m.dram, &s->map, s->clocks.period[CLOCK_DRAM],
                     s->clocks.period[CLOCK_CORE], &s->shadow, e))
        return false;
    s->memory.ctx = s;
    s->memory.on_return = memory_returns;
    s->memory.on_written = memory_writes;
    s->memory.wait_for_writes = s->m.l2.eviction_end == EVICTION_WRITTEN;
    if (!coherence_init(&s->coherence, s->m.coherence.protocol))
        return error_run(e, "the tables of the coherence protocol are incomplete");
    if (locality_of(s) && !locality_init(&s->locality, s->m.sm.count)) return error_no_memory(e);
    if (!init_domains(s) || !req_pool_init(&s->reqs, 1024) ||
        !shadow_init(&s->shadow, s->m.sm.count) || !init_networks(s) || !init_slices(s) ||
        !init_scalars(s) || !init_sms(s))
        return error_no_memory(e);
    return true;
}

struct sim *sim_new(const struct machine *m, const struct program *p, struct error *e)
{
    struct sim *s = mem_new(1, sizeof *s);
    if (!s) {
        error_no_memory(e);
        return NULL;
    }
    s->m = *m;
    s->program = p;
    s->watch_next = UINT64_MAX;
    if (build(s, e)) return s;
    sim_free(s);
    return NULL;
}

void sim_free(struct sim *s)
{
    if (!s) return;
    for (uint32_t i = 0; s->sm && i < s->m.sm.count; i++)
        sm_fini(&s->sm[i]);
    for (uint32_t i = 0; s->scalar && i < s->scalars; i++)
        scalar_fini(&s->scalar[i]);
    for (uint32_t i = 0; s->slice && i < s->m.l2.banks; i++)
        l2_fini(&s->slice[i]);
    for (uint32_t i = 0; i < NOC_N; i++)
        noc_fini(&s->noc[i]);
    for (uint32_t i = 0; i < CLOCK_N; i++)
        mem_free(s->domain[i].due);
    memory_fini(&s->memory);
    locality_fini(&s->locality);
    req_pool_fini(&s->reqs);
    shadow_fini(&s->shadow);
    reader_free(s->reader);
    mem_free(s->sm);
    mem_free(s->expected);
    mem_free(s->scalar);
    mem_free(s->slice);
    mem_free(s);
}

static void watch_afresh(struct sim *s)
{
    s->watch_next = UINT64_MAX;
    for (uint32_t i = 0; i < s->watchers; i++) {
        s->watcher[i].next = s->watcher[i].every;
        if (s->watcher[i].next < s->watch_next) s->watch_next = s->watcher[i].next;
    }
}

bool sim_clear(struct sim *s, struct error *e)
{
    if (!s->used) return true;
    if (!memory_clear(&s->memory, e)) return false;
    req_pool_clear(&s->reqs);
    shadow_clear(&s->shadow);
    for (uint32_t i = 0; i < NOC_N; i++)
        noc_clear(&s->noc[i]);
    for (uint32_t i = 0; i < s->m.l2.banks; i++)
        l2_clear(&s->slice[i]);
    for (uint32_t i = 0; i < s->scalars; i++)
        scalar_clear(&s->scalar[i]);
    for (uint32_t i = 0; i < s->m.sm.count; i++)
        sm_clear(&s->sm[i]);
    for (uint32_t d = 0; d < CLOCK_N; d++) {
        s->domain[d].next = s->domain[d].tick = UINT64_MAX;
        for (uint32_t i = 0; i < s->domain[d].n; i++)
            s->domain[d].due[i] = UINT64_MAX;
    }
    s->tick = 0;
    watch_afresh(s);
    s->run = (struct launch_run){0};
    if (locality_of(s)) locality_clear(&s->locality);
    memset(&s->load_latency, 0, sizeof s->load_latency);
    memset(&s->max_latency, 0, sizeof s->max_latency);
    s->used = false;
    s->error = (struct error){0};
    return true;
}

/* --- time --- */

static uint64_t step_core(struct sim *s, uint32_t i, uint64_t cycle)
{
    if (i < s->scalars) return scalar_step(&s->scalar[i], cycle);
    return sm_step(&s->sm[i - s->scalars], cycle);
}
static uint64_t step_noc(struct sim *s, uint32_t i, uint64_t cycle)
{
    return noc_step(&s->noc[i], cycle);
}
static uint64_t step_slice(struct sim *s, uint32_t i, uint64_t cycle)
{
    return l2_step(&s->slice[i], cycle);
}
static uint64_t step_channel(struct sim *s, uint32_t i, uint64_t cycle)
{
    return memory_step(&s->memory, i, cycle);
}

static uint64_t (*const step_component[CLOCK_N])(struct sim *, uint32_t,
                                                 uint64_t) = {[CLOCK_CORE] = step_core,
                                                              [CLOCK_NOC] = step_noc,
                                                              [CLOCK_L2] = step_slice,
                                                              [CLOCK_DRAM] = step_channel};

enum { ANNOUNCED_SMS = 24 }; /* fewer SMs lie in the host's caches as they are */

/* What the replies of this cycle will touch is announced to the host before the first SM is
 * stepped, in four rounds: each follows what the one before has fetched. */
static void announce(struct sim *s, uint64_t cycle)
{
    uint64_t noc_cycle =
        clock_floor(cycle, s->domain[CLOCK_CORE].period, s->domain[CLOCK_NOC].period);
    struct sm_expected *x = s->expected;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->m.sm.count; i++)
        if (noc_ready_at(&s->noc[NOC_REPLY], i) <= noc_cycle)
            sm_expect_first(&x[n++], &s->sm[i], noc_next(&s->noc[NOC_REPLY], i));
    for (uint32_t k = 0; k < n; k++)
        sm_expect_second(&x[k]);
    for (uint32_t k = 0; k < n; k++)
        sm_expect_third(&x[k]);
    for (uint32_t k = 0; k < n; k++)
        sm_expect_last(&x[k]);
}

static void step_domain(struct sim *s, enum clock_domain d, uint64_t cycle)
{
    struct domain *dom = &s->domain[d];
    uint64_t (*const step)(struct sim *, uint32_t, uint64_t) = step_component[d];
    uint64_t soonest = UINT64_MAX, *const due_at = dom->due;
    const uint32_t n = dom->n;
    dom->next = UINT64_MAX; /* lowered by who is woken meanwhile */
    if (d == CLOCK_CORE && s->m.sm.count >= ANNOUNCED_SMS) announce(s, cycle);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t at = due_at[i];
        if (at <= cycle) {
            due_at[i] = UINT64_MAX;
            uint64_t next = step(s, i, cycle);
            at = due_at[i]; /* by who woke it meanwhile */
            if (next < at) due_at[i] = at = next;
        }
        if (at < soonest) soonest = at;
    }
    if (soonest < dom->next) dom->next = soonest;
    if (dom->next <= cycle) dom->next = cycle + 1;
    dom->tick = dom->next == UINT64_MAX ? UINT64_MAX : dom->next * dom->period;
}

/* The next tick at which anything is due; UINT64_MAX: everything sleeps. */
static uint64_t next_tick(const struct sim *s)
{
    uint64_t t = UINT64_MAX;
    for (uint32_t d = 0; d < CLOCK_N; d++)
        if (s->domain[d].tick < t) t = s->domain[d].tick;
    return t;
}

static void step_tick(struct sim *s)
{
    static const enum clock_domain order[CLOCK_N] = {CLOCK_NOC, CLOCK_DRAM, CLOCK_L2, CLOCK_CORE};
    for (uint32_t k = 0; k < CLOCK_N; k++) {
        struct domain *d = &s->domain[order[k]];
        if (d->tick == s->tick) step_domain(s, order[k], d->next);
    }
}

static enum sim_end stuck(struct sim *s, const char *why, struct error *e)
{
    struct text t = {0};
    for (uint32_t i = 0; i < s->m.sm.count && t.len < 400; i++)
        sm_stuck(&s->sm[i], &t);
    for (uint32_t i = 0; i < s->scalars && t.len < 500; i++)
        scalar_stuck(&s->scalar[i], &t);
    for (uint32_t i = 0; i < s->m.l2.banks && t.len < 600; i++)
        l2_stuck(&s->slice[i], &t);
    noc_stuck(&s->noc[NOC_REQUEST], "request network", &t);
    noc_stuck(&s->noc[NOC_REPLY], "reply network", &t);
    memory_stuck(&s->memory, s->tick, &t);
    for (size_t i = 0; i < t.len; i++)
        if (t.s[i] == '\n') t.s[i] = ';';
    error_run(e, "simulation of '%s' %s at core cycle %llu: %.700s", s->run.launch->name, why,
              (unsigned long long)sim_core_cycle(s), text_str(&t));
    text_fini(&t);
    return SIM_FAILED;
}

static bool launch_over(const struct sim *s)
{
    return s->run.done_ctas == s->run.launch->ctas;
}

static bool components_failed(const struct sim *s)
{
    if (s->error.kind != ERROR_NONE) return true;
    for (uint32_t i = 0; i < NOC_N; i++)
        if (s->noc[i].no_memory) return true;
    for (uint32_t i = 0; i < s->scalars; i++)
        if (s->scalar[i].no_memory) return true;
    for (uint32_t i = 0; i < s->m.l2.banks; i++)
        if (s->slice[i].no_memory) return true;
    for (uint32_t i = 0; i < s->m.sm.count; i++)
        if (s->sm[i].l1.no_memory) return true;
    return false;
}

static uint64_t watchdog_ticks(const struct sim *s)
{
    uint64_t slowest = 0;
    for (uint32_t d = 0; d < CLOCK_N; d++)
        if (s->domain[d].period > slowest) slowest = s->domain[d].period;
    return WATCHDOG_CYCLES * slowest;
}

/* Called now and then: interruption and progress. */
static bool look_round(struct sim *s, uint64_t *watch_instructions, uint64_t *watch_tick,
                       enum sim_end *end, struct error *e)
{
    sim_check(s, false);
    if (plumb_interrupted) {
        *end = SIM_INTERRUPTED;
        return false;
    }
    if (s->run.instructions != *watch_instructions) {
        *watch_instructions = s->run.instructions;
        *watch_tick = s->tick;
    } else if (s->tick - *watch_tick > watchdog_ticks(s)) {
        *end = stuck(s, "makes no progress", e);
        return false;
    }
    return true;
}

static enum sim_end failed(struct sim *s, struct error *e)
{
    if (s->error.kind == ERROR_NONE) error_no_memory(&s->error);
    if (e) *e = s->error;
    return SIM_FAILED;
}

void sim_watch(struct sim *s, uint64_t cycles, sim_watch_fn *each, void *ctx)
{
    assert(cycles > 0 && s->watchers < SIM_WATCHERS);
    s->watcher[s->watchers++] =
        (struct watcher){.every = cycles * s->domain[CLOCK_CORE].period, .each = each, .ctx = ctx};
    watch_afresh(s);
}

void sim_count_sites(struct sim *s, struct sites *x)
{
    s->sites = s->l2_wiring.sites = x;
    s->l1_wiring.seen = sm_l1_seen;
    for (uint32_t i = 0; i < s->m.sm.count; i++)
        s->sm[i].sites = x;
}

/* Time may have jumped over several. */
static void watched(struct sim *s)
{
    struct metrics now;
    sim_metrics(s, &now);
    s->watch_next = UINT64_MAX;
    for (uint32_t i = 0; i < s->watchers; i++) {
        struct watcher *w = &s->watcher[i];
        if (s->tick >= w->next) {
            w->each(&now, w->ctx);
            w->next = (s->tick / w->every + 1) * w->every;
        }
        if (w->next < s->watch_next) s->watch_next = w->next;
    }
}

enum sim_end sim_advance(struct sim *s, uint64_t instructions, struct error *e)
{
    uint64_t left = UINT64_MAX - s->run.instructions;
    uint64_t target =
        instructions && instructions < left ? s->run.instructions + instructions : UINT64_MAX;
    uint64_t watch_instructions = s->run.instructions, watch_tick = s->tick, steps = 0;
    enum sim_end end = SIM_DONE;
    while (!launch_over(s)) {
        uint64_t t = next_tick(s);
        if (t == UINT64_MAX)
            return components_failed(s) ? failed(s, e) : stuck(s, "is deadlocked", e);
        s->tick = t;
        step_tick(s);
        if (s->tick >= s->watch_next) watched(s);
        if (s->error.kind != ERROR_NONE) return failed(s, e);
        if (s->run.instructions >= target) return components_failed(s) ? failed(s, e) : SIM_LIMIT;
        if ((++steps & 0x3fff) == 0 && !look_round(s, &watch_instructions, &watch_tick, &end, e))
            return end;
    }
    if (components_failed(s)) return failed(s, e);
    sim_check(s, true);
    return SIM_DONE;
}

/* --- launches and copies
 * ------------------------------------------------------------------------------------------ */

bool sim_begin_launch(struct sim *s, uint32_t launch, uint64_t starts, struct error *e)
{
    const struct launch *l = program_launch(s->program, launch);
    struct occupancy occ = occupancy(&s->m.sm, &s->m.l1, l);
    if (!occ.ctas)
        return error_input(e,
                           "%s: a CTA of launch %u ('%s') does not fit on an SM of %s; needs %u "
                           "warps, %u registers per "
                           "lane, %u bytes of shared memory",
                           program_name(s->program), launch, l->name, s->m.name, l->warps_per_cta,
                           l->registers_per_lane, l->shared_bytes);
    if (l->warps_per_cta > CTA_MAX_WARPS)
        return error_input(e, "%s: CTAs of launch %u have %u warps; at most %d are modelled",
                           program_name(s->program), launch, l->warps_per_cta, CTA_MAX_WARPS);
    s->used = true;
    s->run.launch = l;
    s->run.index = launch;
    s->run.next_cta = s->run.done_ctas = 0;
    s->run.starts = starts;
    s->run.running = true;
    if (locality_of(s)) locality_launch(&s->locality, l->warps_per_cta);
    if (s->sites && !sites_launch(s->sites, l)) return error_no_memory(e);
    for (uint32_t i = 0; i < s->scalars; i++)
        scalar_drop(&s->scalar[i]);
    for (uint32_t i = 0; i < s->m.sm.count; i++) {
        if (s->m.l1.flush_at_launch) l1_flush(&s->sm[i].l1, sim_core_cycle(s));
        if (!sm_launch(&s->sm[i], &occ, sim_core_cycle(s))) return error_no_memory(e);
        sm_due(s, i, edge_after(s, CLOCK_CORE));
    }
    return true;
}

/* Host-to-device copies leave their lines in the L2, clean or dirty, without taking time (Khairy
 * II, IV-C).  Only the last part of a copy larger than the L2 can matter. */
static void copy_to_device(struct sim *s, const struct command *c)
{
    if (!s->m.l2.copy_warms) return;
    s->used = true;
    uint64_t step = s->m.l2.cache.sector_bytes,
             capacity = (uint64_t)s->m.l2.banks * s->m.l2.bank_kb * 1024;
    uint64_t from = c->bytes > 2 * capacity ? c->addr + c->bytes - 2 * capacity : c->addr;
    for (uint64_t a = from & ~(step - 1); a < c->addr + c->bytes; a += step) {
        struct l2_slice *slice = &s->slice[map_slice(&s->map, a)];
        struct access read = {.addr = a, .kind = ACCESS_READ};
        struct victim v;
        cache_touch(&slice->c, &read, &v);
        if (s->m.l2.copy_dirty) cache_soil(&slice->c, a);
        for (uint32_t k = 0; SHADOW_ON && k < slice->c.sectors; k++) {
            uint64_t key = (v.tag << slice->c.line_shift >> slice->c.sector_shift) + k;
            if (v.dirty >> k & 1)
                shadow_put(&s->shadow, &s->shadow.memory, key,
                           shadow_get(&s->shadow, &s->shadow.l2, key));
        }
    }
}

static bool in_scope(const struct sim_scope *scope, uint32_t launch)
{
    return !scope || !scope->launch_range ||
           (launch >= scope->first_launch && launch <= scope->last_launch);
}

enum sim_end sim_run(struct sim *s, const struct sim_scope *scope, sim_launch_fn *each, void *ctx,
                     struct error *e)
{
    struct metrics before, after, one;
    enum sim_end end = SIM_DONE;
    uint64_t limit = scope ? scope->max_instructions : 0;
    if (!sim_clear(s, e)) return SIM_FAILED;
    for (uint32_t i = 0; i < program_commands(s->program) && end == SIM_DONE; i++) {
        const struct command *c = program_command(s->program, i);
        if (c->kind == COMMAND_COPY_TO_DEVICE) copy_to_device(s, c);
        if (c->kind != COMMAND_LAUNCH || !in_scope(scope, c->launch)) continue;
        if (each) sim_metrics(s, &before);
        if (!sim_begin_launch(s, c->launch, sim_core_cycle(s) + s->m.sm.launch_cycles, e))
            return SIM_FAILED;
        if (limit && s->run.instructions >= limit) return SIM_LIMIT;
        end = sim_advance(s, limit ? limit - s->run.instructions : 0, e);
        if (!each || end != SIM_DONE) continue;
        sim_metrics(s, &after);
        metrics_diff(&one, &after, &before);
        each(c->launch, &one, ctx);
    }
    return end;
}
