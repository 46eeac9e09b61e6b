/* sim_build.c - builds a simulation from a machine: which components there are, and what each is
 * connected to. */
#include "base/memory/alloc.h"
#include "detailed/constants.h"
#include "detailed/core/memory_need.h"
#include "detailed/core/sim_internal.h"

/* The latency of an unloaded fetch as an L2 slice sees it: open row, empty queues. */
static uint64_t idle_fetch_cycles(const struct sim *s)
{
    uint64_t ticks = dram_idle_latency(&s->m.dram).hit * s->clocks.period[CLOCK_DRAM] +
                     s->m.dram.extra_latency * s->clocks.period[CLOCK_CORE];
    uint64_t cycles = ticks / s->clocks.period[CLOCK_L2];
    return cycles + s->wiring.below.cycles;
}

static bool init_networks(struct sim *s)
{
    uint32_t clients = s->m.sm.count + s->m.cpu.cores, slices = s->m.l2.banks;
    struct noc *request = &s->noc[NOC_REQUEST], *reply = &s->noc[NOC_REPLY];
    if (!noc_init(request, &s->m.noc, NOC_REQUEST, clients, slices) ||
        !noc_init(reply, &s->m.noc, NOC_REPLY, slices, clients))
        return false;
    request->ctx = reply->ctx = s;
    request->on_arrival = sim_request_arrives;
    request->on_train = sim_request_crossed;
    request->on_room = sim_request_room;
    reply->on_arrival = sim_reply_arrives;
    reply->on_room = sim_reply_room;
    return true;
}

static bool init_slices(struct sim *s)
{
    s->l2_wiring = (struct l2_wiring){.reqs = &s->reqs,
                                      .request = &s->noc[NOC_REQUEST],
                                      .reply = &s->noc[NOC_REPLY],
                                      .memory = s->memory,
                                      .second_memory = s->second_memory,
                                      .below = s->wiring.below,
                                      .shadow = &s->shadow,
                                      .coherence = s->wiring.coherence,
                                      .protocol = &s->m.coherence,
                                      .link_header = s->m.l3.header_bytes,
                                      .locality = sim_locality_of(s),
                                      .placement = s->wiring.placement,
                                      .links = s->kind[KIND_l2_links].all,
                                      .joins = sim_joins_sectors(&s->m),
                                      .l1_keeps_stores = l1_keeps_stores(&s->m.l1),
                                      .mechanisms = machine_mechanisms(&s->m),
                                      .l2_period = s->clocks.period[CLOCK_L2],
                                      .noc_period = s->clocks.period[CLOCK_NOC],
                                      .idle_fetch_cycles = idle_fetch_cycles(s),
                                      .memory_due = sim_memory_due,
                                      .first_core = s->kind[KIND_cpu_core].n ? s->m.sm.count : 0,
                                      .noc_due = sim_noc_due,
                                      .ctx = s};
    for (uint32_t i = 0; i < s->m.l2.banks; i++)
        if (!l2_init(&s->slice[i], &s->m.l2, i, &s->l2_wiring) ||
            (s->m.l1.bypass == BYPASS_AGCB && !cache_keep_notes(&s->slice[i].c)))
            return false;
    return true;
}

static uint32_t (*sync_group_of(enum fifo_scope scope))(const void *, uint32_t)
{
    switch (scope) {
    case FIFO_OF_CTA: return sm_sync_group_of_cta;
    case FIFO_OF_WARP: return sm_sync_group_of_warp;
    case FIFO_OF_SM: break;
    }
    return sm_sync_group_of_sm;
}

static bool init_sms(struct sim *s)
{
    struct sm_wiring w = {.sm = &s->m.sm,
                          .register_file = &s->m.register_file,
                          .l1 = &s->m.l1,
                          .tlb = &s->m.tlb,
                          .wiring = &s->wiring,
                          .l2_sector = s->m.l2.cache.sector_bytes,
                          .reply = s->wiring.sm_reply,
                          .reader = s->reader,
                          .run = &s->run,
                          .load_latency = &s->load_latency,
                          .max_latency = &s->max_latency,
                          .locality = sim_locality_of(s),
                          .error = &s->error};
    const struct throttle_ops *throttle = throttle_table[s->m.sm.throttle];
    bool listens = (throttle && throttle->access) || s->m.sm.reuse_classes;
    s->l1_wiring =
        (struct l1_wiring){.reqs = &s->reqs,
                           .request = s->wiring.sm_request,
                           .map = &s->map,
                           .sms = s->m.sm.count,
                           .shadow = &s->shadow,
                           .coherence = s->wiring.coherence,
                           .mechanisms = machine_mechanisms(&s->m),
                           .fence_invalidates = s->m.coherence.fence_invalidates,
                           .stores_in_order = s->m.coherence.store_order == STORE_ORDER_IN_ORDER,
                           .victim_first = s->m.coherence.l1_victim == L1_VICTIM_FIRST,
                           .recalls = s->m.l2.inclusion != INCLUSION_NONE,
                           .core_period = s->clocks.period[CLOCK_CORE],
                           .noc_period = s->clocks.period[CLOCK_NOC],
                           .nack_retry_cycles = s->m.l2.nack_retry_cycles,
                           .joins = sim_joins_sectors(&s->m),
                           .nack_releases_mshr = s->m.l2.nack_releases_l1_mshr,
                           .behind = &s->run.counts.requests_behind,
                           .done = sm_vinst_done,
                           .issued = sm_vinst_issued,
                           .warp_of = sm_vinst_warp,
                           .join = sm_vinst_join,
                           .seen = listens ? sm_l1_seen : NULL,
                           .left = throttle && throttle->left ? sm_l1_left : NULL,
                           .noc_due = sim_noc_due,
                           .sync_groups = sm_sync_groups(&s->m.sm, s->m.coherence.fifo_scope),
                           .sync_group_of = sync_group_of(s->m.coherence.fifo_scope),
                           .sim = s};
    w.l1_wiring = &s->l1_wiring;
    struct cta_queue *queue = mem_new(s->m.sm.count, sizeof *queue);
    s->run.dispatch = (struct cta_dispatch){.kind = s->m.sm.dispatch,
                                            .sms = s->m.sm.count,
                                            .queue = queue,
                                            .period = cta_dispatch_period(&s->m.sm, 1)};
    if (!queue) return false;
    for (uint32_t i = 0; i < s->m.sm.count; i++)
        if (!sm_init(&s->sm[i], i, &w)) return false;
    return true;
}

static bool init_memory(struct sim *s, struct memory *memory, const struct dram_params *p,
                        const struct map *map, enum clock_domain d, struct error *e)
{
    if (!memory) return true;
    if (!memory_init(memory, p, map, s->kind[KIND_cpu_core].n, s->clocks.period[d],
                     s->clocks.period[CLOCK_CORE], &s->shadow, e))
        return false;
    memory->wait_for_writes = s->m.l2.eviction_end == EVICTION_WRITTEN;
    memory->tick = &s->tick;
    memory->is_shared = s->m.cpu.agents;
    memory->ctx = s;
    memory->on_return = sim_memory_returns;
    memory->on_written = sim_memory_writes;
    return true;
}

/* The objects of all components, as zeros. */
static bool make_components(struct sim *s)
{
    if (!components_make(s->kind, &s->due, &s->m)) return false;
    for (uint32_t d = 0; d < CLOCK_N; d++)
        s->domain[d] = (struct domain){.period = s->clocks.period[d],
                                       .next = UINT64_MAX,
                                       .tick = UINT64_MAX,
                                       .run_end = s->domain[d].run};
    for (uint32_t k = 0; k < KIND_N; k++) {
        const struct component *c = &s->kind[k];
        struct domain *d = &s->domain[component_clock[k]];
        bool pays = c->steps >= ANNOUNCED_SMS;
        if (!c->steps) continue;
        if (d->run_end == d->run) s->stepped[s->stepped_clocks++] = d;
        *d->run_end++ = (struct kind_run){.step = c->ops->step,
                                          .all = c->all,
                                          .due = c->due,
                                          .end = c->steps,
                                          .announce = pays ? c->ops->announce : NULL};
    }
    s->noc = s->kind[KIND_noc].all;
    s->memory = s->kind[KIND_memory].all;
    s->second_memory = s->kind[KIND_second_memory].all;
    s->slice = s->kind[KIND_l2].all;
    s->sm = s->kind[KIND_sm].all;
    return true;
}

/* What all components use. */
static bool build_common(struct sim *s, struct error *e)
{
    s->reader = reader_new(s->program, e);
    if (!s->reader) return false;
    if (!coherence_init(&s->coherence, s->m.coherence.protocol))
        return error_run(e, "the tables of the coherence protocol are incomplete");
    uint32_t partitions = l2_are_several(&s->m.l2) ? s->m.l2.partitions : 1;
    bool ok = req_pool_init(&s->reqs, 1024) && shadow_init(&s->shadow, s->m.sm.count, partitions) &&
              (!sim_locality_of(s) || locality_init(&s->locality, s->m.sm.count));
    return ok || error_no_memory(e);
}

/* sim_wake as a port of each kind. */
#define WAKES(kind, clock)                                         \
    static void wake_##kind(void *sim, uint32_t i, uint64_t cycle) \
    {                                                              \
        sim_wake(sim, KIND_##kind, i, cycle);                      \
    }
COMPONENTS(WAKES)

/* What components are wired from. */
static void wire(struct sim *s)
{
#define WAKE(kind, clock) [KIND_##kind] = wake_##kind,
    s->wiring = (struct wiring){.m = &s->m,
                                .clocks = &s->clocks,
                                .tick = &s->tick,
                                .map = &s->map,
                                .second_map = s->second_memory ? &s->second_map : NULL,
                                .reqs = &s->reqs,
                                .shadow = &s->shadow,
                                .coherence = s->coherence.protocol ? &s->coherence : NULL,
                                .sm_request = &s->noc[NOC_REQUEST],
                                .sm_reply = &s->noc[NOC_REPLY],
                                .sim = s,
                                .wake = {COMPONENTS(WAKE)},
                                .noc_due = sim_noc_due,
                                .memory_due = sim_memory_due,
                                .on_return = sim_memory_returns,
                                .on_written = sim_memory_writes,
                                .port_has_room = sim_port_has_room,
                                .port_send = sim_port_send,
                                .access_done = sim_access_done};
}

static bool build_parts(struct sim *s, struct error *e)
{
    const struct machine *m = &s->m;
    if (!machine_clocks(m, &s->clocks))
        return error_input(e, "the clocks have no common multiple in 64 bits");
    if (!memory_suffices(m, e)) return false;
    if (!make_components(s)) return error_no_memory(e);
    if (!map_init(&s->map, &m->l2, &m->dram, e)) return false;
    s->map.second = s->second_memory != NULL;
    if (s->map.second && !map_init_second(&s->second_map, &m->l2, &m->second_dram, e)) return false;
    if (!build_common(s, e) || !init_memory(s, s->memory, &m->dram, &s->map, CLOCK_DRAM, e) ||
        !init_memory(s, s->second_memory, &m->second_dram, &s->second_map, CLOCK_SECOND_DRAM, e))
        return false;
    s->memory->second = s->second_memory;
    wire(s);
    bool ok =
        init_networks(s) && components_build(s->kind, &s->wiring) && init_slices(s) && init_sms(s);
    return ok || error_no_memory(e);
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
    if (!build_parts(s, e)) {
        sim_free(s);
        return NULL;
    }
    stall_roots_init(s);
    return s;
}

void sim_free(struct sim *s)
{
    if (!s) return;
    components_free(s->kind);
    sim_threads_free(s);
    mem_free(s->due);
    locality_fini(&s->locality);
    req_pool_fini(&s->reqs);
    shadow_fini(&s->shadow);
    reader_free(s->reader);
    register_map_fini(&s->run.registers);
    mem_free(s->run.dispatch.queue);
    mem_free(s);
}
