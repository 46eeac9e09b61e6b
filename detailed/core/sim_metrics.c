/* sim_metrics.c - converts the components' counters to the record of metrics. */
#include "detailed/core/sim_internal.h"
#include "detailed/l2/directory.h"

STATS_ADDER(sm, SM_STATS)
STATS_SETTER(sm, SM_STATS)
STATS_ADDER(register_file, REGISTER_FILE_STATS)
STATS_SETTER(register_file, REGISTER_FILE_STATS)
STATS_ADDER(l1, L1_STATS)
STATS_SETTER(l1, L1_STATS)
STATS_ADDER(scalar, SCALAR_STATS)
STATS_SETTER(scalar, SCALAR_STATS)
STATS_ADDER(directory, DIRECTORY_STATS)
STATS_ADDER(l2, L2_STATS)
STATS_SETTER(l2, L2_STATS)
STATS_ADDER(l3, L3_STATS)
STATS_SETTER(l3, L3_STATS)
STATS_SETTER(cpu, CPU_STATS)
STATS_ADDER(noc, NOC_STATS)
STATS_SETTER(dram, DRAM_STATS)

/* Adds the lifetimes and waits so far of warps that still run, so that an interval counts its own
 * share whenever its warps began and will end. */
static void add_live_warps(const struct sm *sm, uint64_t now, struct sm_stats *t)
{
    for (uint32_t i = 0; i < sm->p->subcores; i++) {
        const struct subcore *sc = &sm->sub[i];
        for (uint64_t rest = sc->warps.resident; rest; rest &= rest - 1) {
            uint32_t slot = (uint32_t)__builtin_ctzll(rest);
            const struct warp *w = sm_warp(sm, i * SM_SUBCORE_SLOTS + slot);
            bool waits = w->state == WARP_WAITS_MEMORY || w->state == WARP_RELEASES ||
                         w->state == WARP_EXITED || (!sm->operands && (sc->stuck >> slot & 1));
            t->warp_cycles += now - w->started;
            if (waits) t->warp_memory += now - w->blocked_since;
        }
    }
}

/* Sums over all SMs and their L1s. */
struct sm_sums {
    struct sm_stats sm;
    struct register_file_stats operands;
    struct l1_stats l1;
    uint64_t vmb_blocked; /* cycles */
};

static void add_sm_of(struct sim *s, struct sm *sm, struct sm_sums *t)
{
    sm_account(sm, sim_core_cycle(s));
    add_sm(&t->sm, &sm->s);
    for (uint32_t k = 0; k < CAUSE_N; k++)
        t->sm.stall[k] += sm->s.stall[k];
    add_live_warps(sm, sim_core_cycle(s), &t->sm);
    if (sm->operands) add_register_file(&t->operands, &sm->operands->s);
    add_l1(&t->l1, &sm->l1.s);
    t->vmb_blocked += sm->vmb.blocked_cycles;
}

static void set_warps(const struct sm_stats *t, struct metrics *m)
{
    metrics_set(m, M_warp_compute, (double)t->warp_cycles - (double)t->warp_memory);
    metrics_set(m, M_stall_memory_slots, (double)t->stall[CAUSE_MEMORY]);
    metrics_set(m, M_stall_compute_slots, (double)t->stall[CAUSE_COMPUTE]);
    metrics_set(m, M_stall_barrier_slots, (double)t->stall[CAUSE_BARRIER]);
    metrics_set(m, M_stall_mshr_slots, (double)t->stall[CAUSE_MSHR]);
    metrics_set(m, M_stall_noc_slots, (double)t->stall[CAUSE_NOC]);
}

/* What depends on more than the L1's own parameters. */
static void set_l1_sums(const struct sim *s, const struct l1_stats *c, struct metrics *m)
{
    const struct l1_params *p = &s->m.l1;
    metrics_set(m, M_l1_stall_cycles,
                (double)(c->stall_mshr + c->stall_merge + c->stall_line + c->stall_network));
    if (p->enabled && p->cache.sector_bytes < p->cache.line_bytes)
        metrics_set(m, M_l1_tag_hits, (double)(c->hits + c->sector_misses));
    if (s->coherence.protocol) metrics_set(m, M_coherence_invalidations, (double)c->invalidations);
    if (s->coherence.protocol && s->coherence.protocol->directory)
        metrics_set(m, M_coherence_modified_hits, (double)c->modified_hits);
    if (s->coherence.protocol && s->coherence.protocol->sync_fifos)
        metrics_set(m, M_coherence_probes, (double)c->probes);
    if (s->coherence.protocol == &protocol_si)
        metrics_set(m, M_coherence_flushed, (double)c->evicted_stores);
}

static void set_operands(const struct register_file_params *p, const struct register_file_stats *t,
                         struct metrics *m)
{
    if (!register_file_is_on(p)) return;
    set_register_file(p, t, m);
    metrics_set(m, M_rf_accesses, (double)(t->bank_reads + t->bank_writes));
}

static void sum_sms(struct sim *s, struct metrics *m)
{
    struct sm_sums t = {0};
    for (uint32_t i = 0; i < s->m.sm.count; i++)
        add_sm_of(s, &s->sm[i], &t);
    set_sm(&s->m.sm, &t.sm, m);
    set_warps(&t.sm, m);
    set_operands(&s->m.register_file, &t.operands, m);
    set_l1(&s->m.l1, &t.l1, m);
    set_l1_sums(s, &t.l1, m);
    if (!s->m.sm.vmb_entries) return;
    metrics_set(m, M_vmb_blocked, (double)t.vmb_blocked);
    metrics_set(m, M_vmb_cycles, m->v[M_cycles] * s->m.sm.count);
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
        add_scalar(&t, &s->scalar[i].s);
    }
    set_scalar(&s->m.scalar, &t, m);
}

/* Sums the counts of directories and of inclusive L2s' records. */
static uint64_t sum_directories(struct sim *s, struct metrics *m)
{
    struct directory_stats t = {0};
    for (uint32_t i = 0; i < s->m.l2.banks; i++) {
        const struct l2_slice *slice = &s->slice[i];
        const struct directory *d = slice->directory ? slice->directory : slice->copies;
        if (!d) return 0;
        add_directory(&t, directory_stats(d));
    }
    if (s->m.l2.inclusion != INCLUSION_NONE) metrics_set(m, M_coherence_recalls, (double)t.recalls);
    if (!s->coherence.protocol || !s->coherence.protocol->directory) return 0;
    metrics_set(m, M_coherence_messages, (double)t.messages);
    metrics_set(m, M_coherence_nacks, (double)t.nacks);
    if (s->m.coherence.directory_latency) metrics_set(m, M_coherence_bytes, (double)t.bytes);
    if (s->m.coherence.directory_entries) metrics_set(m, M_coherence_recalls, (double)t.recalls);
    return t.nacks;
}

/* Sets the cycles of the slices' misses, converted from L2 cycles to core cycles. */
static void set_miss_latency(const struct sim *s, const struct l2_stats *t, struct metrics *m)
{
    double to_core = (double)s->clocks.period[CLOCK_L2] / (double)s->clocks.period[CLOCK_CORE];
    metrics_set(m, M_l2_miss_eviction_sum, (double)t->eviction_cycles * to_core);
    metrics_set(m, M_l2_miss_memory_sum, (double)t->memory_cycles * to_core);
    metrics_set(m, M_l2_miss_invalidation_sum, (double)t->invalidation_cycles * to_core);
    metrics_set(m, M_l2_miss_total_sum,
                (double)(t->invalidation_cycles + t->eviction_cycles + t->memory_cycles) * to_core);
}

static void sum_slices(struct sim *s, struct metrics *m)
{
    const struct l2_params *p = &s->m.l2;
    struct l2_stats t = {0};
    uint64_t conflicts = 0;
    for (uint32_t i = 0; i < p->banks; i++) {
        add_l2(&t, &s->slice[i].s);
        conflicts += s->slice[i].banks.conflict_cycles;
    }
    set_l2(p, &t, m);
    metrics_set(m, M_l2_accesses, (double)(t.reads + t.writes));
    metrics_set(m, M_l2_hits, (double)(t.read_hits + t.write_hits));
    metrics_set_as_vendors(m, p->cache.write_miss != WRITE_MISS_NO_ALLOCATE);
    metrics_set(m, M_l2_nacks, (double)(t.nacks - sum_directories(s, m)));
    set_miss_latency(s, &t, m);
    if (p->miss_management == MISS_CONVENTIONAL)
        metrics_set(m, M_l2_set_lines, (double)t.set_looks * p->cache.ways);
    if (p->data_banks) metrics_set(m, M_l2_bank_conflicts, (double)conflicts);
    if (s->l2_wiring.pages) {
        metrics_set(m, M_dram_local_misses, (double)t.local_misses);
        metrics_set(m, M_dram_placed_misses, (double)t.placed_misses);
    }
    metrics_set(m, M_l2_bytes_to_memory,
                (double)(s->memory.bytes_written + s->second_memory.bytes_written));
    metrics_set(m, M_l2_bytes_from_memory,
                (double)(s->memory.bytes_read + s->second_memory.bytes_read));
}

static void sum_l3(const struct sim *s, struct metrics *m)
{
    struct l3_stats t = {0};
    if (!memory_side_is_on(&s->memory_side)) return;
    for (uint32_t i = 0; i < s->memory_side.parts; i++)
        add_l3(&t, &s->memory_side.part[i].s);
    set_l3(&s->m.l3, &t, m);
    if (s->cpu.p) set_cpu(&s->m.cpu, &s->cpu.s, m);
}

/* What both memories have done; times in us. */
struct memory_sums {
    struct dram_stats counts;
    uint64_t hottest; /* bursts of the busiest channel */
    double bytes, latency_us, busy_us, channel_us, bank_us, active_us;
    struct dram_energy energy;
    bool has_banks, has_energy;
};

static void add_memory(const struct sim *s, const struct memory *memory, uint64_t period,
                       double time_us, struct memory_sums *to)
{
    const struct dram_params *p = memory->p;
    struct dram_stats t = {0};
    double cycle_us = (double)period * s->clocks.tick_us;
    for (uint32_t i = 0; i < memory->channels; i++) {
        const struct dram_stats *one = dram_stats(memory->channel[i].dram, s->tick / period);
        if (one->reads + one->writes > to->hottest) to->hottest = one->reads + one->writes;
        dram_stats_add(&t, one);
    }
    dram_stats_add(&to->counts, &t);
    to->bytes += (double)(t.reads + t.writes) * memory->burst_bytes;
    to->latency_us += (double)t.latency_sum * cycle_us;
    to->has_energy &= p->energy.model != DRAM_ENERGY_NONE && p->model == DRAM_BANKS;
    if (p->model == DRAM_FIXED) return; /* no rows, no banks, no bus */
    to->has_banks = true;
    to->busy_us += (double)t.busy_cycles * cycle_us;
    to->channel_us += (double)p->channels * dram_pseudo_channels(p) * time_us;
    to->bank_us += (double)t.bank_cycles * cycle_us;
    to->active_us += (double)t.active_cycles * cycle_us;
    if (!to->has_energy) return;
    struct dram_activity done = dram_activity(p, &t);
    struct dram_energy e = dram_energy(&p->energy, &done);
    dram_energy_join(&to->energy, &e);
}

static void sum_channels(struct sim *s, struct metrics *m)
{
    struct memory_sums t = {.has_energy = true};
    uint32_t channels = s->m.dram.channels + s->m.second_dram.channels;
    add_memory(s, &s->memory, s->clocks.period[CLOCK_DRAM], m->v[M_time_us], &t);
    if (sim_has_second(s))
        add_memory(s, &s->second_memory, s->clocks.period[CLOCK_SECOND_DRAM], m->v[M_time_us], &t);
    set_dram(sim_has_second(s) && s->m.dram.model == DRAM_FIXED ? &s->m.second_dram : &s->m.dram,
             &t.counts, m);
    metrics_set(m, M_dram_bursts, (double)(t.counts.reads + t.counts.writes));
    metrics_set(m, M_dram_hottest, (double)t.hottest * channels);
    metrics_set(m, M_dram_bytes, t.bytes);
    metrics_set(m, M_dram_latency_sum, t.latency_us * 1e3);
    if (!t.has_banks) return;
    metrics_set(m, M_dram_busy, t.busy_us);
    metrics_set(m, M_dram_channel_us, t.channel_us);
    metrics_set(m, M_dram_bank_us, t.bank_us);
    metrics_set(m, M_dram_active_us, t.active_us);
    if (t.has_energy) dram_energy_metrics(&t.energy, m); /* else absent */
}

static void sum_networks(const struct sim *s, struct metrics *m)
{
    const struct noc *noc = s->noc;
    struct noc_stats both = noc[NOC_REQUEST].s;
    add_noc(&both, &noc[NOC_REPLY].s);
    metrics_set(m, M_noc_request_flits, (double)noc[NOC_REQUEST].s.flits);
    metrics_set(m, M_noc_reply_flits, (double)noc[NOC_REPLY].s.flits);
    if (s->m.noc.topology == TOPOLOGY_MESH) metrics_set(m, M_noc_hop_flits, (double)both.hop_flits);
    metrics_set(m, M_noc_stall_cycles, (double)both.stall_cycles);
    metrics_set(m, M_noc_request_stall_cycles, (double)noc[NOC_REQUEST].s.stall_cycles);
    metrics_set(m, M_noc_reply_stall_cycles, (double)noc[NOC_REPLY].s.stall_cycles);
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
    sim_translation_metrics(s, out);
    sum_slices(s, out);
    sum_l3(s, out);
    sim_cores_metrics(s, out);
    set_locality(s, out);
    sum_channels(s, out);
    sum_networks(s, out);
    out->load_latency = s->load_latency;
    out->max_latency = s->max_latency;
    out->has_load_latency = out->has_max_latency = true;
    metrics_finish(out);
}
