/* sim_metrics.c - converts the components' counters to the record of metrics. */
#include "detailed/core/sim_internal.h"
#include "gpu/policies/power_limit.h"

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

struct sim_work sim_work_of(const struct sim *s)
{
    struct sim_work w = {.cycles = sim_core_cycle(s)};
    for (uint32_t i = 0; i < s->m.sm.count; i++)
        w.matrix += s->sm[i].s.matrix;
    return w;
}

void sim_hold(struct sim *s, const struct sim_work *since)
{
    struct sim_work now = sim_work_of(s);
    double least = power_limit_cycles(&s->m.clock, &s->m.sm, (double)(now.matrix - since->matrix));
    double more = least - (double)(now.cycles - since->cycles);
    if (more > 0) s->held += more;
}

void sim_metrics(struct sim *s, struct metrics *out)
{
    *out = (struct metrics){0};
    double cycles = (double)sim_core_cycle(s) + s->held;
    metrics_set(out, M_cycles, cycles);
    metrics_set(out, M_time_us, cycles * (double)s->clocks.period[CLOCK_CORE] * s->clocks.tick_us);
    if (s->m.clock.sustained_mhz > 0) metrics_set(out, M_clock_held, s->held);
    components_add_metrics(s->kind, &s->clocks, s->tick, out);
    stall_roots_metrics(s, out);
    set_locality(s, out);
    out->load_latency = s->load_latency;
    out->max_latency = s->max_latency;
    if (s->threads) sim_threads_add_latencies(s, &out->load_latency, &out->max_latency);
    out->has_load_latency = out->has_max_latency = true;
    metrics_finish(out);
}
