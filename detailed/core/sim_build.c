/* sim_build.c - builds and frees the machine's parts, and wires their wake-ups. */
#include "base/memory/alloc.h"
#include "detailed/core/memory_need.h"
#include "detailed/core/sim_internal.h"

/* --- wake-ups --- */

/* The first edge at or after a tick. */
static uint64_t edge_from(struct sim *s, enum clock_domain d, uint64_t tick)
{
    uint64_t edge = sim_edge_before(&s->domain[d], tick);
    return edge + (edge * s->domain[d].period < tick);
}
/* The first edge of a clock at or after an edge of another clock. */
static uint64_t edge_of(const struct sim *s, enum clock_domain d, enum clock_domain from,
                        uint64_t cycle)
{
    return clock_ceil(cycle, s->domain[from].period, s->domain[d].period);
}

static void scalar_due(void *ctx, uint32_t sm, uint64_t cycle)
{
    struct sim *s = ctx;
    sim_due(s, CLOCK_CORE, scalar_cache_of(&s->m.scalar, s->m.sm.count, sm), cycle);
}

static void scalar_done(void *ctx, uint32_t sm, uint32_t vinst, uint64_t now)
{
    struct sim *s = ctx;
    sm_vinst_done(&s->sm[sm], vinst, now);
    sm_l1_touched(&s->sm[sm]);
    sim_sm_due(s, sm, now);
}

bool sim_port_has_room(void *ctx, uint32_t sm)
{
    return l1_port_has_room(&((struct sim *)ctx)->sm[sm].l1);
}

void sim_port_send(void *ctx, uint32_t sm, uint32_t req, uint64_t now)
{
    struct sim *s = ctx;
    l1_send_for(&s->sm[sm].l1, req, now);
    sm_l1_touched(&s->sm[sm]);
    sim_sm_due(s, sm, now);
}

static void noc_due(void *ctx)
{
    struct sim *s = ctx;
    uint64_t cycle = sim_edge_after(s, CLOCK_NOC);
    sim_due(s, CLOCK_NOC, NOC_REQUEST, cycle);
    sim_due(s, CLOCK_NOC, NOC_REPLY, cycle);
}

static void memory_due(void *ctx, uint32_t channel)
{
    struct sim *s = ctx;
    uint32_t first = s->m.dram.channels;
    if (channel < first)
        sim_due(s, CLOCK_DRAM, channel, sim_edge_after(s, CLOCK_DRAM));
    else
        sim_due(s, CLOCK_SECOND_DRAM, channel - first, sim_edge_after(s, CLOCK_SECOND_DRAM));
}

static void request_arrives(void *ctx, uint32_t slice, uint64_t noc_cycle)
{
    struct sim *s = ctx;
    sim_due(s, CLOCK_L2, slice, edge_of(s, CLOCK_L2, CLOCK_NOC, noc_cycle));
}

static void request_room(void *ctx, uint32_t sm)
{
    struct sim *s = ctx;
    if (sm < s->m.sm.count)
        sim_sm_due(s, sm, edge_from(s, CLOCK_CORE, s->tick));
    else
        sim_core_due(s, sm - s->m.sm.count, edge_from(s, CLOCK_NOC, s->tick));
}

static void reply_arrives(void *ctx, uint32_t sm, uint64_t noc_cycle)
{
    struct sim *s = ctx;
    if (sm < s->m.sm.count)
        sim_sm_due(s, sm, edge_of(s, CLOCK_CORE, CLOCK_NOC, noc_cycle));
    else
        sim_core_due(s, sm - s->m.sm.count, noc_cycle);
}

static void reply_room(void *ctx, uint32_t slice)
{
    struct sim *s = ctx;
    sim_due(s, CLOCK_L2, slice, edge_from(s, CLOCK_L2, s->tick));
}

static void memory_side_due(void *ctx, uint32_t channel, uint64_t cycle)
{
    struct sim *s = ctx;
    sim_due(s, CLOCK_L2, s->m.l2.banks + channel, cycle);
}

/* --- what comes back to the slices --- */

static void memory_returns(void *ctx, uint32_t slice, uint32_t entry, uint32_t version,
                           uint64_t tick)
{
    struct sim *s = ctx;
    uint64_t cycle = edge_from(s, CLOCK_L2, tick);
    l2_return(&s->slice[slice], entry, version, cycle);
    sim_due(s, CLOCK_L2, slice, cycle);
}

static void memory_writes(void *ctx, uint32_t slice, uint32_t entry, uint64_t tick)
{
    struct sim *s = ctx;
    uint64_t cycle = edge_from(s, CLOCK_L2, tick);
    l2_written(&s->slice[slice], entry, cycle);
    sim_due(s, CLOCK_L2, slice, cycle);
}

/* --- what comes back to the L3 --- */

static void l3_returned(void *ctx, uint32_t slice, uint32_t entry, uint32_t version, uint64_t tick)
{
    (void)slice;
    memory_side_returned(&((struct sim *)ctx)->memory_side, entry, version, tick);
}

static void l3_written(void *ctx, uint32_t slice, uint32_t entry, uint64_t tick)
{
    (void)slice;
    memory_side_written(&((struct sim *)ctx)->memory_side, entry, tick);
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

/* The slices, then the parts of the L3, then the CPUs. */
static uint32_t l2_components(const struct machine *m)
{
    uint32_t parts = l3_is_there(&m->l3) ? m->dram.channels : 0;
    return m->l2.banks + parts + (cpu_is_there(&m->cpu) && m->cpu.agents);
}

static bool init_domains(struct sim *s)
{
    s->scalars = scalar_caches(&s->m.scalar, s->m.sm.count);
    s->before_sms = s->scalars + sim_translates(s);
    const uint32_t n[CLOCK_N] = {[CLOCK_CORE] = s->before_sms + s->m.sm.count,
                                 [CLOCK_NOC] = NOC_N + s->m.cpu.cores,
                                 [CLOCK_L2] = l2_components(&s->m),
                                 [CLOCK_DRAM] = s->m.dram.channels,
                                 [CLOCK_SECOND_DRAM] = s->m.second_dram.channels};
    for (uint32_t d = 0; d < CLOCK_N; d++)
        if (!domain_init(&s->domain[d], s->clocks.period[d], n[d])) return false;
    return true;
}

/* The latency of an unloaded fetch as an L2 slice sees it: open row, empty queues. */
static uint64_t idle_fetch_cycles(const struct sim *s)
{
    uint64_t ticks = dram_idle_latency(&s->m.dram).hit * s->clocks.period[CLOCK_DRAM] +
                     s->m.dram.extra_latency * s->clocks.period[CLOCK_CORE];
    uint64_t cycles = ticks / s->clocks.period[CLOCK_L2];
    return l3_is_there(&s->m.l3) ? cycles + 2 * s->m.l3.link_latency + s->m.l3.tag_latency + 1
                                 : cycles;
}

static bool init_networks(struct sim *s)
{
    uint32_t clients = s->m.sm.count + s->m.cpu.cores, slices = s->m.l2.banks;
    if (!noc_init(&s->noc[NOC_REQUEST], &s->m.noc, NOC_REQUEST, clients, slices) ||
        !noc_init(&s->noc[NOC_REPLY], &s->m.noc, NOC_REPLY, slices, clients))
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

static bool init_slices(struct sim *s)
{
    s->l2_wiring = (struct l2_wiring){.reqs = &s->reqs,
                                      .request = &s->noc[NOC_REQUEST],
                                      .reply = &s->noc[NOC_REPLY],
                                      .memory = &s->memory,
                                      .second_memory = sim_has_second(s) ? &s->second_memory : NULL,
                                      .memory_side = l3_is_there(&s->m.l3) ? &s->memory_side : NULL,
                                      .shadow = &s->shadow,
                                      .coherence = coherence_of(s),
                                      .protocol = &s->m.coherence,
                                      .link_header = s->m.l3.header_bytes,
                                      .locality = sim_locality_of(s),
                                      .pages = sim_pages_of(s),
                                      .l1_keeps_stores = l1_keeps_stores(&s->m.l1),
                                      .mechanisms = machine_mechanisms(&s->m),
                                      .l2_period = s->clocks.period[CLOCK_L2],
                                      .noc_period = s->clocks.period[CLOCK_NOC],
                                      .idle_fetch_cycles = idle_fetch_cycles(s),
                                      .memory_due = memory_due,
                                      .first_core = cpu_cores_run(&s->m.cpu) ? s->m.sm.count : 0,
                                      .noc_due = noc_due,
                                      .ctx = s};
    s->slice = mem_new(s->m.l2.banks, sizeof *s->slice);
    if (!sim_partitions_init(s)) return false;
    s->links.slice = s->slice;
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
                                              .has_room = sim_port_has_room,
                                              .send = sim_port_send,
                                              .sim = s};
    if (!s->scalars) return true;
    s->scalar = mem_new(s->scalars, sizeof *s->scalar);
    for (uint32_t i = 0; s->scalar && i < s->scalars; i++)
        if (!scalar_init(&s->scalar[i], &s->m.scalar, &s->scalar_wiring)) return false;
    return s->scalar != NULL;
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
                          .l2_tlb = &s->l2_tlb,
                          .l2_sector = s->m.l2.cache.sector_bytes,
                          .reply = &s->noc[NOC_REPLY],
                          .reader = s->reader,
                          .run = &s->run,
                          .load_latency = &s->load_latency,
                          .max_latency = &s->max_latency,
                          .locality = sim_locality_of(s),
                          .pages = sim_pages_of(s),
                          .error = &s->error};
    const struct throttle_ops *throttle = throttle_table[s->m.sm.throttle];
    bool listens = (throttle && throttle->access) || s->m.sm.reuse_classes;
    s->l1_wiring =
        (struct l1_wiring){.reqs = &s->reqs,
                           .request = &s->noc[NOC_REQUEST],
                           .map = &s->map,
                           .partition_of = s->partition_of,
                           .shadow = &s->shadow,
                           .coherence = coherence_of(s),
                           .mechanisms = machine_mechanisms(&s->m),
                           .fence_invalidates = s->m.coherence.fence_invalidates,
                           .stores_in_order = s->m.coherence.store_order == STORE_ORDER_IN_ORDER,
                           .recalls = s->m.l2.inclusion != INCLUSION_NONE,
                           .core_period = s->clocks.period[CLOCK_CORE],
                           .noc_period = s->clocks.period[CLOCK_NOC],
                           .nack_retry_cycles = s->m.l2.nack_retry_cycles,
                           .nack_releases_mshr = s->m.l2.nack_releases_l1_mshr,
                           .behind = &s->run.stores_behind,
                           .done = sm_vinst_done,
                           .issued = sm_vinst_issued,
                           .warp_of = sm_vinst_warp,
                           .join = sm_vinst_join,
                           .seen = listens ? sm_l1_seen : NULL,
                           .left = throttle && throttle->left ? sm_l1_left : NULL,
                           .noc_due = noc_due,
                           .sync_groups = sm_sync_groups(&s->m.sm, s->m.coherence.fifo_scope),
                           .sync_group_of = sync_group_of(s->m.coherence.fifo_scope),
                           .sim = s};
    w.l1_wiring = &s->l1_wiring;
    s->sm = mem_new(s->m.sm.count, sizeof *s->sm);
    s->expected = mem_new(s->m.sm.count, sizeof *s->expected);
    struct cta_queue *queue = mem_new(s->m.sm.count, sizeof *queue);
    s->run.dispatch = (struct cta_dispatch){.kind = s->m.sm.dispatch,
                                            .sms = s->m.sm.count,
                                            .queue = queue,
                                            .period = cta_dispatch_period(&s->m.sm, 1)};
    if (!queue) return false;
    w.scalar_due = scalar_due;
    for (uint32_t i = 0; s->sm && i < s->m.sm.count; i++) {
        if (s->scalars) w.scalar = &s->scalar[scalar_cache_of(&s->m.scalar, s->m.sm.count, i)];
        if (!sm_init(&s->sm[i], i, &w)) return false;
    }
    return s->sm && s->expected;
}

/* Puts the L3, if there is one, between the slices and the memory. */
static bool init_memory_side(struct sim *s)
{
    s->memory.ctx = s->second_memory.ctx = s;
    s->memory.on_return = s->second_memory.on_return = memory_returns;
    s->memory.on_written = s->second_memory.on_written = memory_writes;
    if (!l3_is_there(&s->m.l3)) return true;
    if (cpu_is_there(&s->m.cpu) && !cpu_cluster_init(&s->cpu, &s->m.cpu)) return false;
    const struct protocol *protocol = s->coherence.protocol;
    struct memory_side_wiring w = {.map = &s->map,
                                   .memory = &s->memory,
                                   .shadow = &s->shadow,
                                   .l2_period = s->clocks.period[CLOCK_L2],
                                   .link_bytes = l2_are_several(&s->m.l2) ? s->m.l2.link_bytes : 0,
                                   .tick = &s->tick,
                                   .syncs = protocol && protocol->sync_fifos,
                                   .probes_all = !protocol || !protocol->directory,
                                   .cpu = cpu_is_there(&s->m.cpu) ? &s->cpu : NULL,
                                   .due = memory_side_due,
                                   .memory_due = memory_due,
                                   .on_return = memory_returns,
                                   .on_written = memory_writes,
                                   .ctx = s};
    s->memory.on_return = l3_returned;
    s->memory.on_written = l3_written;
    return memory_side_init(&s->memory_side, &s->m.l3, &w);
}

static bool init_pages(struct sim *s)
{
    const struct map *maps[PAGE_MEMORIES] = {&s->map, sim_has_second(s) ? &s->second_map : NULL};
    const double gbps[PAGE_MEMORIES] = {dram_channels_gbps(&s->m.dram),
                                        dram_channels_gbps(&s->m.second_dram)};
    return !sim_pages_of(s) || page_table_init(&s->pages, &s->m.pages, s->m.sm.count, maps, gbps);
}

static bool build_parts(struct sim *s, struct error *e)
{
    if (!machine_clocks(&s->m, &s->clocks))
        return error_input(e, "the clocks have no common multiple in 64 bits");
    if (!memory_suffices(&s->m, e)) return false;
    if (!map_init(&s->map, &s->m.l2, &s->m.dram, e)) return false;
    s->map.second = sim_has_second(s);
    if (s->map.second && !map_init_second(&s->second_map, &s->m.l2, &s->m.second_dram, e))
        return false;
    if (!init_pages(s)) return error_no_memory(e);
    s->reader = reader_new(s->program, e);
    if (!s->reader) return false;
    if (!memory_init(&s->memory, &s->m.dram, &s->map, cpu_cores_run(&s->m.cpu),
                     s->clocks.period[CLOCK_DRAM], s->clocks.period[CLOCK_CORE], &s->shadow, e))
        return false;
    if (sim_has_second(s) &&
        !memory_init(&s->second_memory, &s->m.second_dram, &s->second_map, cpu_cores_run(&s->m.cpu),
                     s->clocks.period[CLOCK_SECOND_DRAM], s->clocks.period[CLOCK_CORE], &s->shadow,
                     e))
        return false;
    s->memory.wait_for_writes = s->second_memory.wait_for_writes =
        s->m.l2.eviction_end == EVICTION_WRITTEN;
    if (!coherence_init(&s->coherence, s->m.coherence.protocol))
        return error_run(e, "the tables of the coherence protocol are incomplete");
    if (sim_locality_of(s) && !locality_init(&s->locality, s->m.sm.count))
        return error_no_memory(e);
    if (!init_domains(s) || !req_pool_init(&s->reqs, 1024) ||
        !shadow_init(&s->shadow, s->m.sm.count,
                     l2_are_several(&s->m.l2) ? s->m.l2.partitions : 1) ||
        !init_memory_side(s) || !init_networks(s) || !init_slices(s) || !init_scalars(s) ||
        !sim_translation_init(s) || !init_sms(s) || !sim_cores_init(s, noc_due))
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
    for (uint32_t i = 0; s->sm && i < s->m.sm.count; i++)
        sm_fini(&s->sm[i]);
    for (uint32_t i = 0; s->scalar && i < s->scalars; i++)
        scalar_fini(&s->scalar[i]);
    if (sim_translates(s)) l2_tlb_fini(&s->l2_tlb);
    for (uint32_t i = 0; s->slice && i < s->m.l2.banks; i++)
        l2_fini(&s->slice[i]);
    for (uint32_t i = 0; i < NOC_N; i++)
        noc_fini(&s->noc[i]);
    for (uint32_t i = 0; i < CLOCK_N; i++)
        mem_free(s->domain[i].due);
    page_table_fini(&s->pages);
    memory_fini(&s->second_memory);
    memory_fini(&s->memory);
    if (memory_side_is_on(&s->memory_side)) memory_side_fini(&s->memory_side);
    if (s->cpu.p) cpu_cluster_fini(&s->cpu);
    locality_fini(&s->locality);
    req_pool_fini(&s->reqs);
    shadow_fini(&s->shadow);
    reader_free(s->reader);
    mem_free(s->sm);
    mem_free(s->expected);
    register_map_fini(&s->run.registers);
    mem_free(s->run.dispatch.queue);
    mem_free(s->core);
    mem_free(s->scalar);
    mem_free(s->slice);
    l2_links_fini(&s->links);
    mem_free(s->partition_of);
    mem_free(s);
}
