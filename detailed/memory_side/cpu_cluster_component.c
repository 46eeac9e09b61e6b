/* cpu_cluster_component.c - the CPUs behind the L3 among a simulation's components. */
#include "detailed/memory_side/memory_side.h"
#include "detailed/parts/component.h"
#include "gpu/machine/machine.h"

STATS_SETTER(cpu, CPU_STATS)

static uint32_t count(const struct machine *m)
{
    return l3_is_there(&m->l3) && cpu_is_there(&m->cpu);
}

static uint32_t steps(const struct machine *m)
{
    return count(m) && m->cpu.agents;
}

static bool build(const struct objects *o, struct wiring *w)
{
    return cpu_cluster_init(o->all, &w->m->cpu, w->all[KIND_memory_side]);
}

COMPONENT_STATE(cpu_cluster)

static uint64_t step(void *all, uint32_t i, uint64_t cycle)
{
    (void)i;
    return memory_side_step_cpu(((struct cpu_cluster *)all)->l3, cycle);
}

static void host_writes(void *object, uint64_t addr)
{
    memory_side_host_writes(((struct cpu_cluster *)object)->l3, addr);
}

static void add_metrics(const struct objects *o, struct metrics *m)
{
    const struct cpu_cluster *u = o->all;
    set_cpu(u->p, &u->s, m);
}

const struct component_ops cpu_cluster_component = {.name = "CPUs behind the L3",
                                                    .size = sizeof(struct cpu_cluster),
                                                    .starts = true,
                                                    .count = count,
                                                    .steps = steps,
                                                    .build = build,
                                                    .host_writes = host_writes,
                                                    .fini = fini,
                                                    .clear = clear,
                                                    .step = step,
                                                    .add_metrics = add_metrics};
