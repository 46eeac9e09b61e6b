/* cpu_core_component.c - the CPU cores among a simulation's components. They start with the first
 * launch, and nothing waits for their requests at the end of the last. */
#include "detailed/cpu/cpu_core.h"
#include "detailed/parts/component.h"
#include "gpu/machine/machine.h"

#define cpu_core_params cpu_params
STATS_ADDER(cpu_core, CPU_CORE_STATS)
STATS_SETTER(cpu_core, CPU_CORE_STATS)

static uint32_t count(const struct machine *m)
{
    return m->cpu.cores;
}

static bool build(const struct objects *o, struct wiring *w)
{
    struct cpu_core *core = o->all;
    for (uint32_t i = 0; i < o->n; i++)
        cpu_core_init(&core[i], i, &w->m->cpu, w->m->sm.count, w);
    return true;
}

COMPONENT_OF_OBJECTS(cpu_core, cpu_core)

static void add_metrics(const struct objects *o, struct metrics *m)
{
    static const enum metric instructions[CPU_CORES_MAX] = {
        M_cpu_instructions_0, M_cpu_instructions_1, M_cpu_instructions_2, M_cpu_instructions_3};
    const struct cpu_core *core = o->all;
    struct cpu_core_stats sum = {0};
    double total = 0;
    for (uint32_t i = 0; i < o->n; i++) {
        double done = cpu_core_instructions(&core[i], o->tick);
        metrics_set(m, instructions[i], done);
        total += done;
        add_cpu_core(&sum, &core[i].s);
    }
    set_cpu_core(&core->w->m->cpu, &sum, m);
    metrics_set(m, M_cpu_instructions, total);
    metrics_set(m, M_cpu_cycles, (double)o->tick * o->clocks->tick_us * core->w->m->cpu.clock_mhz);
    metrics_set(m, M_cpu_latency_sum, (double)sum.latency_ticks * o->clocks->tick_us * 1e3);
}

const struct component_ops cpu_core_component = {.name = "CPU cores",
                                                 .size = sizeof(struct cpu_core),
                                                 .starts = true,
                                                 .count = count,
                                                 .build = build,
                                                 .add_metrics = add_metrics,
                                                 COMPONENT_PASSED};
