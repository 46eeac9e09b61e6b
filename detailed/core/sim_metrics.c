/* sim_metrics.c - from the components' counters to the one record. */
#include "detailed/coherence/directory.h"
#include "detailed/core/sim_internal.h"

/* What warps that still run have lived and waited so far: an interval then counts its own share,
 * whenever its warps began and will end. */
static void add_live_warps(const struct sm *sm, uint64_t now, struct sm_stats *t)
{
    for (uint32_t i = 0; i < sm->p->subcores; i++) {
        const struct subcore *sc = &sm->sub[i];
        for (uint64_t rest = sc->resident; rest; rest &= rest - 1) {
            uint32_t slot = (uint32_t)__builtin_ctzll(rest);
            const struct warp *w = sm_warp(sm, i * SM_SUBCORE_SLOTS + slot);
            bool waits =
                w->state == WARP_WAITS_MEMORY || w->state == WARP_EXITED || (sc->stuck >> slot & 1);
            t->warp_cycles += now - w->started;
            if (waits) t->warp_memory += now - w->blocked_since;
        }
    }
}

/* What the load/store units did; keys of mechanisms that are off are absent. */
static void set_load_store(const struct sim *s, const struct l1_stats *c, uint64_t lanes,
                           uint64_t vmb_blocked, struct metrics *m)
{
    metrics_set(m, M_lane_requests, (double)lanes);
    metrics_set(m, M_l1_fails_mshr, (double)c->stall_mshr);
    metrics_set(m, M_l1_fails_merge, (double)c->stall_merge);
    metrics_set(m, M_l1_fails_line, (double)c->stall_line);
    metrics_set(m, M_l1_fails_queue, (double)c->stall_network);
    if (s->m.l1.merge_loads || s->m.l1.merge_stores) metrics_set(m, M_l1_joined, (double)c->joined);
    if (s->m.l1.mshr_wait_aside) metrics_set(m, M_l1_mshr_waits, (double)c->waited_mshr);
    if (!s->m.sm.vmb_entries) return;
    metrics_set(m, M_vmb_blocked, (double)vmb_blocked);
    metrics_set(m, M_vmb_cycles, m->v[M_cycles] * s->m.sm.count);
}

/* What all SMs and their L1s did. */
struct sm_sums {
    struct sm_stats sm;
    struct l1_stats l1;
    uint64_t vmb_blocked; /* cycles */
};

static void add_sm(struct sm_stats *t, const struct sm_stats *a)
{
    t->instructions += a->instructions, t->lane_ops += a->lane_ops, t->masked_ops += a->masked_ops;
    t->memory_lanes += a->memory_lanes;
    t->slots += a->slots, t->warps += a->warps;
    t->warp_cycles += a->warp_cycles, t->warp_memory += a->warp_memory;
    for (uint32_t k = 0; k < CAUSE_N; k++)
        t->stall[k] += a->stall[k];
}

static void add_l1(struct l1_stats *t, const struct l1_stats *a)
{
    t->accesses += a->accesses, t->reads += a->reads, t->read_hits += a->read_hits;
    t->writes += a->writes, t->hits += a->hits, t->misses += a->misses, t->merges += a->merges;
    t->bypasses += a->bypasses, t->mispredictions += a->mispredictions;
    t->invalidations += a->invalidations, t->evicted_stores += a->evicted_stores;
    t->combined += a->combined, t->joined += a->joined, t->waited_mshr += a->waited_mshr;
    t->fills += a->fills, t->frc_fetches += a->frc_fetches;
    t->sector_misses += a->sector_misses, t->bank_conflicts += a->bank_conflicts;
    t->stall_mshr += a->stall_mshr, t->stall_merge += a->stall_merge;
    t->stall_line += a->stall_line, t->stall_network += a->stall_network;
}

static void set_warps(const struct sm_stats *t, struct metrics *m)
{
    metrics_set(m, M_warp_instructions, (double)t->instructions);
    metrics_set(m, M_lane_operations, (double)t->lane_ops);
    metrics_set(m, M_masked_operations, (double)t->masked_ops);
    metrics_set(m, M_warps, (double)t->warps);
    metrics_set(m, M_warp_memory, (double)t->warp_memory);
    metrics_set(m, M_warp_compute, (double)t->warp_cycles - (double)t->warp_memory);
    metrics_set(m, M_issue_slots, (double)t->slots);
    metrics_set(m, M_stall_memory_slots, (double)t->stall[CAUSE_MEMORY]);
    metrics_set(m, M_stall_compute_slots, (double)t->stall[CAUSE_COMPUTE]);
    metrics_set(m, M_stall_barrier_slots, (double)t->stall[CAUSE_BARRIER]);
    metrics_set(m, M_stall_mshr_slots, (double)t->stall[CAUSE_MSHR]);
    metrics_set(m, M_stall_noc_slots, (double)t->stall[CAUSE_NOC]);
}

/* Keys of mechanisms that are off are absent. */
static void set_l1(const struct sim *s, const struct l1_stats *c, struct metrics *m)
{
    const struct l1_params *p = &s->m.l1;
    metrics_set(m, M_l1_accesses, (double)c->accesses);
    metrics_set(m, M_l1_reads, (double)c->reads);
    metrics_set(m, M_l1_read_hits, (double)c->read_hits);
    metrics_set(m, M_l1_writes, (double)c->writes);
    metrics_set(m, M_l1_hits, (double)c->hits);
    metrics_set(m, M_l1_misses, (double)c->misses);
    metrics_set(m, M_l1_merges, (double)c->merges);
    metrics_set(m, M_l1_bypasses, (double)c->bypasses);
    metrics_set(m, M_l1_fills, (double)c->fills);
    metrics_set(m, M_l1_stall_cycles,
                (double)(c->stall_mshr + c->stall_merge + c->stall_line + c->stall_network));
    if (p->frc.entries) metrics_set(m, M_l1_frc_fetches, (double)c->frc_fetches);
    if (s->coherence.protocol) metrics_set(m, M_coherence_invalidations, (double)c->invalidations);
    if (s->coherence.protocol == &protocol_si)
        metrics_set(m, M_coherence_flushed, (double)c->evicted_stores);
    if (!p->enabled) return;
    if (p->cache.sector_bytes < p->cache.line_bytes)
        metrics_set(m, M_l1_tag_hits, (double)(c->hits + c->sector_misses));
    if (p->bypass == BYPASS_AGCB) metrics_set(m, M_l1_mispredictions, (double)c->mispredictions);
    if (p->cache.write == WRITE_COMBINE) metrics_set(m, M_l1_combined_stores, (double)c->combined);
    if (p->banks > 1) metrics_set(m, M_l1_bank_conflicts, (double)c->bank_conflicts);
}

static void sum_sms(struct sim *s, struct metrics *m)
{
    struct sm_sums t = {0};
    for (uint32_t i = 0; i < s->m.sm.count; i++) {
        struct sm *sm = &s->sm[i];
        sm_account(sm, sim_core_cycle(s));
        add_sm(&t.sm, &sm->s);
        add_live_warps(sm, sim_core_cycle(s), &t.sm);
        add_l1(&t.l1, &sm->l1.s);
        t.vmb_blocked += sm->vmb.blocked_cycles;
    }
    set_warps(&t.sm, m);
    set_l1(s, &t.l1, m);
    set_load_store(s, &t.l1, t.sm.memory_lanes, t.vmb_blocked, m);
}

/* Counts of conventional management; keys of structures that are not there are absent. */
static void set_miss_management(const struct sim *s, const struct l2_stats *t, struct metrics *m)
{
    const struct l2_params *p = &s->m.l2;
    if (p->miss_management != MISS_CONVENTIONAL) return;
    metrics_set(m, M_l2_set_full, (double)t->set_full);
    metrics_set(m, M_l2_set_lines, (double)t->set_looks * p->cache.ways);
    metrics_set(m, M_l2_set_transit, (double)t->set_transit);
    if (p->vc.entries) metrics_set(m, M_l2_vc_hits, (double)t->vc_hits);
    if (!p->frc.entries) return;
    metrics_set(m, M_l2_frc_lookups, (double)t->frc_lookups);
    metrics_set(m, M_l2_frc_fetches, (double)t->frc_fetches);
    metrics_set(m, M_l2_frc_merges, (double)t->frc_merges);
    metrics_set(m, M_l2_frc_swaps, (double)t->frc_swaps);
}

static void set_locality(const struct sim *s, struct metrics *m)
{
    const struct locality_stats *t = &s->locality.s;
    if (!s->m.sm.reuse_classes) return;
    metrics_set(m, M_l1_reuse_hits_warp, (double)t->l1[true][LOCALITY_WARP]);
    metrics_set(m, M_l1_reuse_hits_cta, (double)t->l1[true][LOCALITY_CTA]);
    metrics_set(m, M_l1_reuse_hits_others, (double)t->l1[true][LOCALITY_OTHERS]);
    metrics_set(m, M_l1_reuse_misses_warp, (double)t->l1[false][LOCALITY_WARP]);
    metrics_set(m, M_l1_reuse_misses_cta, (double)t->l1[false][LOCALITY_CTA]);
    metrics_set(m, M_l1_reuse_misses_others, (double)t->l1[false][LOCALITY_OTHERS]);
    metrics_set(m, M_l1_reuse_misses_cold, (double)t->l1[false][LOCALITY_COLD]);
    metrics_set(m, M_l1_distance_1, (double)t->distance[DISTANCE_1]);
    metrics_set(m, M_l1_distance_8, (double)t->distance[DISTANCE_2_TO_8]);
    metrics_set(m, M_l1_distance_64, (double)t->distance[DISTANCE_9_TO_64]);
    metrics_set(m, M_l1_distance_more, (double)t->distance[DISTANCE_MORE]);
    metrics_set(m, M_l2_reuse_hits_same, (double)t->l2[true][LOCALITY_WARP]);
    metrics_set(m, M_l2_reuse_hits_others, (double)t->l2[true][LOCALITY_OTHERS]);
    metrics_set(m, M_l2_reuse_misses_same, (double)t->l2[false][LOCALITY_WARP]);
    metrics_set(m, M_l2_reuse_misses_others, (double)t->l2[false][LOCALITY_OTHERS]);
    metrics_set(m, M_l2_reuse_misses_cold, (double)t->l2[false][LOCALITY_COLD]);
}

static void sum_scalars(struct sim *s, struct metrics *m)
{
    struct scalar_stats t = {0};
    if (!s->scalars) return;
    for (uint32_t i = 0; i < s->scalars; i++) {
        scalar_account(&s->scalar[i], sim_core_cycle(s));
        const struct scalar_stats *a = &s->scalar[i].s;
        t.accesses += a->accesses, t.hits += a->hits, t.misses += a->misses, t.merges += a->merges;
        t.stall_cycles += a->stall_cycles;
    }
    metrics_set(m, M_scalar_accesses, (double)t.accesses);
    metrics_set(m, M_scalar_hits, (double)t.hits);
    metrics_set(m, M_scalar_misses, (double)t.misses);
    metrics_set(m, M_scalar_merges, (double)t.merges);
    metrics_set(m, M_scalar_stall_cycles, (double)t.stall_cycles);
}

/* Of protocols that have directories, and of inclusive L2s. */
static uint64_t sum_directories(struct sim *s, struct metrics *m)
{
    struct directory_stats t = {0};
    for (uint32_t i = 0; i < s->m.l2.banks; i++) {
        const struct l2_slice *slice = &s->slice[i];
        const struct directory *d = slice->directory ? slice->directory : slice->copies;
        if (!d) return 0;
        const struct directory_stats *a = directory_stats(d);
        t.messages += a->messages, t.nacks += a->nacks, t.recalls += a->recalls;
    }
    if (s->m.l2.inclusion != INCLUSION_NONE) metrics_set(m, M_coherence_recalls, (double)t.recalls);
    if (!s->coherence.protocol || !s->coherence.protocol->directory) return 0;
    metrics_set(m, M_coherence_messages, (double)t.messages);
    metrics_set(m, M_coherence_nacks, (double)t.nacks);
    return t.nacks;
}

/* The record counts core cycles; the slices count their own. */
static void sum_slices(struct sim *s, struct metrics *m)
{
    struct l2_stats t = {0};
    uint64_t conflicts = 0;
    double to_core = (double)s->clocks.period[CLOCK_L2] / (double)s->clocks.period[CLOCK_CORE];
    for (uint32_t i = 0; i < s->m.l2.banks; i++) {
        const struct l2_stats *a = &s->slice[i].s;
        t.reads += a->reads, t.read_hits += a->read_hits, t.writes += a->writes,
            t.write_hits += a->write_hits;
        t.misses += a->misses, t.merges += a->merges, t.nacks += a->nacks,
            t.line_waits += a->line_waits;
        t.writebacks += a->writebacks, t.fetches += a->fetches;
        conflicts += s->slice[i].banks.conflict_cycles;
        t.eviction_cycles += a->eviction_cycles, t.memory_cycles += a->memory_cycles;
        t.invalidation_cycles += a->invalidation_cycles;
        t.set_looks += a->set_looks, t.set_transit += a->set_transit, t.set_full += a->set_full;
        t.frc_lookups += a->frc_lookups, t.frc_fetches += a->frc_fetches;
        t.frc_swaps += a->frc_swaps, t.frc_merges += a->frc_merges, t.vc_hits += a->vc_hits;
    }
    metrics_set(m, M_l2_reads, (double)t.reads);
    metrics_set(m, M_l2_read_hits, (double)t.read_hits);
    metrics_set(m, M_l2_writes, (double)t.writes);
    metrics_set(m, M_l2_write_hits, (double)t.write_hits);
    metrics_set(m, M_l2_accesses, (double)(t.reads + t.writes));
    metrics_set(m, M_l2_hits, (double)(t.read_hits + t.write_hits));
    metrics_set(m, M_l2_misses, (double)t.misses);
    metrics_set(m, M_l2_merges, (double)t.merges);
    metrics_set_as_vendors(m, s->m.l2.cache.write_miss != WRITE_MISS_NO_ALLOCATE);
    metrics_set(m, M_l2_nacks, (double)(t.nacks - sum_directories(s, m)));
    metrics_set(m, M_l2_line_waits, (double)t.line_waits);
    metrics_set(m, M_l2_writebacks, (double)t.writebacks);
    metrics_set(m, M_l2_fetches, (double)t.fetches);
    metrics_set(m, M_l2_miss_eviction_sum, (double)t.eviction_cycles * to_core);
    metrics_set(m, M_l2_miss_memory_sum, (double)t.memory_cycles * to_core);
    metrics_set(m, M_l2_miss_invalidation_sum, (double)t.invalidation_cycles * to_core);
    metrics_set(m, M_l2_miss_total_sum,
                (double)(t.invalidation_cycles + t.eviction_cycles + t.memory_cycles) * to_core);
    set_miss_management(s, &t, m);
    if (s->m.l2.data_banks) metrics_set(m, M_l2_bank_conflicts, (double)conflicts);
    metrics_set(m, M_l2_bytes_to_memory, (double)s->memory.bytes_written);
    metrics_set(m, M_l2_bytes_from_memory, (double)s->memory.bytes_read);
}

/* Absent where the set has no figures. */
static void set_memory_energy(const struct dram_params *p, const struct dram_stats *t,
                              struct metrics *m)
{
    if (p->energy.model == DRAM_ENERGY_NONE) return;
    struct dram_activity done = dram_activity(p, t);
    struct dram_energy e = dram_energy(&p->energy, &done);
    dram_energy_metrics(&e, m);
}

static void sum_channels(struct sim *s, struct metrics *m)
{
    struct dram_stats t = {0};
    uint64_t hottest = 0;
    double cycle_us = (double)s->clocks.period[CLOCK_DRAM] * s->clocks.tick_us;
    for (uint32_t i = 0; i < s->m.dram.channels; i++) {
        struct dram_channel *c = s->memory.channel[i].dram;
        const struct dram_stats *one = dram_stats(c, s->tick / s->clocks.period[CLOCK_DRAM]);
        if (one->reads + one->writes > hottest) hottest = one->reads + one->writes;
        dram_stats_add(&t, one);
    }
    metrics_set(m, M_dram_reads, (double)t.reads);
    metrics_set(m, M_dram_writes, (double)t.writes);
    metrics_set(m, M_dram_bursts, (double)(t.reads + t.writes));
    metrics_set(m, M_dram_hottest, (double)hottest * s->m.dram.channels);
    metrics_set(m, M_dram_bytes, (double)(t.reads + t.writes) * s->memory.burst_bytes);
    metrics_set(m, M_dram_latency_sum, (double)t.latency_sum * cycle_us * 1e3);
    if (s->m.dram.model == DRAM_FIXED) return; /* no rows, no banks, no bus */
    metrics_set(m, M_dram_row_hits, (double)t.row_hits);
    metrics_set(m, M_dram_activates, (double)t.activates);
    metrics_set(m, M_dram_refreshes, (double)t.refreshes);
    metrics_set(m, M_dram_busy, (double)t.busy_cycles * cycle_us);
    metrics_set(m, M_dram_channel_us,
                (double)s->m.dram.channels * dram_pseudo_channels(&s->m.dram) * m->v[M_time_us]);
    metrics_set(m, M_dram_bank_us, (double)t.bank_cycles * cycle_us);
    metrics_set(m, M_dram_active_us, (double)t.active_cycles * cycle_us);
    set_memory_energy(&s->m.dram, &t, m);
}

void sim_metrics(struct sim *s, struct metrics *out)
{
    *out = (struct metrics){0};
    double cycles = (double)(sim_core_cycle(s));
    metrics_set(out, M_cycles, cycles);
    metrics_set(out, M_time_us, cycles * (double)s->clocks.period[CLOCK_CORE] * s->clocks.tick_us);
    sum_sms(s, out);
    stall_roots_metrics(s, out);
    sum_scalars(s, out);
    sum_slices(s, out);
    set_locality(s, out);
    sum_channels(s, out);
    const struct noc *request = &s->noc[NOC_REQUEST], *reply = &s->noc[NOC_REPLY];
    metrics_set(out, M_noc_request_flits, (double)request->s.flits);
    metrics_set(out, M_noc_reply_flits, (double)reply->s.flits);
    if (s->m.noc.topology == TOPOLOGY_MESH)
        metrics_set(out, M_noc_hop_flits, (double)(request->s.hop_flits + reply->s.hop_flits));
    metrics_set(out, M_noc_stall_cycles, (double)(request->s.stall_cycles + reply->s.stall_cycles));
    out->load_latency = s->load_latency;
    out->max_latency = s->max_latency;
    out->has_load_latency = out->has_max_latency = true;
    metrics_finish(out);
}
