/* sim_cores.c - the CPUs of a simulation that work while a launch runs: cores that execute programs
 * (building, metrics), and the agents behind the L3 (their start). */
#include "base/memory/alloc.h"
#include "detailed/core/sim_internal.h"

bool sim_cores_init(struct sim *s, void (*noc_due)(void *ctx))
{
    uint32_t n = s->m.cpu.cores;
    s->core_wiring = (struct cpu_core_wiring){.p = &s->m.cpu,
                                              .map = &s->map,
                                              .pages = sim_pages_of(s),
                                              .reqs = &s->reqs,
                                              .request = &s->noc[NOC_REQUEST],
                                              .reply = &s->noc[NOC_REPLY],
                                              .first_port = s->m.sm.count,
                                              .noc_period = s->clocks.period[CLOCK_NOC],
                                              .tick_us = s->clocks.tick_us,
                                              .noc_due = noc_due,
                                              .ctx = s};
    if (!n) return true;
    s->core = mem_new(n, sizeof *s->core);
    for (uint32_t i = 0; s->core && i < n; i++)
        cpu_core_init(&s->core[i], i, &s->core_wiring);
    return s->core != NULL;
}

void sim_cores_clear(struct sim *s)
{
    for (uint32_t i = 0; i < s->m.cpu.cores; i++)
        cpu_core_start(&s->core[i], 0);
}

void sim_begin_cpu(struct sim *s)
{
    for (uint32_t i = 0; i < s->m.cpu.cores; i++)
        sim_core_due(s, i, sim_edge_after(s, CLOCK_NOC));
    if (!s->cpu.p || !s->m.cpu.agents) return;
    sim_due(s, CLOCK_L2, s->m.l2.banks + s->memory_side.parts, sim_edge_after(s, CLOCK_L2));
}

void sim_cores_metrics(const struct sim *s, struct metrics *m)
{
    static const enum metric instructions[CPU_CORES_MAX] = {
        M_cpu_instructions_0, M_cpu_instructions_1, M_cpu_instructions_2, M_cpu_instructions_3};
    struct cpu_core_stats t = {0};
    double all = 0;
    if (!cpu_cores_run(&s->m.cpu)) return;
    for (uint32_t i = 0; i < s->m.cpu.cores; i++) {
        const struct cpu_core *c = &s->core[i];
        double done = cpu_core_instructions(c, s->tick);
        metrics_set(m, instructions[i], done);
        all += done;
        t.reads += c->s.reads;
        t.writes += c->s.writes;
        t.returned += c->s.returned;
        t.latency_ticks += c->s.latency_ticks;
    }
    metrics_set(m, M_cpu_instructions, all);
    metrics_set(m, M_cpu_cycles, (double)s->tick * s->clocks.tick_us * s->m.cpu.clock_mhz);
    metrics_set(m, M_cpu_reads, (double)t.reads);
    metrics_set(m, M_cpu_writes, (double)t.writes);
    metrics_set(m, M_cpu_returned, (double)t.returned);
    metrics_set(m, M_cpu_latency_sum, (double)t.latency_ticks * s->clocks.tick_us * 1e3);
}
