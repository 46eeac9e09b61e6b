/* cpu_load.c - see cpu_load.h. */
#include "estimator/terms/cpu_load.h"

#include "estimator/constants.h"
#include "estimator/launch/launch_model.h"
#include "estimator/math_util.h"
#include "estimator/terms/stations.h"

#include <math.h>

static double core_mhz(const struct launch_model *m)
{
    return 1 / (m->e->clocks.tick_us * (double)m->e->clocks.period[CLOCK_CORE]);
}

/* Core cycles of a burst at a channel of the first memory. */
static double channel_cycles(const struct launch_model *m)
{
    return stations_burst_cycles(m, m->e->dram, m->memory.burst.service * m->in.dram_cycle);
}

/* The latency of a read in core cycles of the GPU: both networks, the memory, its queue. What waits
 * before a full queue are the GPU's requests; cores have a lane of their own. */
static double read_latency(const struct launch_model *m)
{
    const struct noc_params *n = m->e->noc;
    double way = noc_idle_latency(n, m->e->sm->count, m->e->l2->banks);
    double flits = stations_packet_flits(n, 0) + stations_packet_flits(n, CPU_LINE);
    double wait = math_smaller(m->result.wait[AT_DRAM], m->memory.load.room * channel_cycles(m));
    return (2 * way + flits - 2) * m->in.noc_cycle + m->latency.dram + wait;
}

/* The core's own cycles per miss. */
static double cycles_per_miss(const struct cpu_program *p, uint32_t rob, double latency)
{
    double n = 1000 / p->mpki, beside = math_smaller(rob, (p->mlp - 1) * n);
    double overlap = math_smaller(p->mlp, 1 + rob / n);
    return n / p->base_ipc + math_larger(0, latency - beside / p->base_ipc) / overlap;
}

void cpu_load_find(struct launch_model *m)
{
    struct cpu_load *l = &m->cpu;
    const struct cpu_params *p = m->e->cpu;
    const struct dram_params *d = m->e->dram;
    *l = (struct cpu_load){0};
    if (!cpu_cores_run(p)) return;
    double faster = p->clock_mhz / core_mhz(m);
    l->bursts = ceil((double)CPU_LINE / (d->burst_length * d->bus_bytes));
    l->latency = read_latency(m);
    for (uint32_t i = 0; i < p->cores; i++) {
        const struct cpu_program *c = &p->program[i];
        l->ipc[i] = c->base_ipc;
        if (c->mpki <= 0) continue;
        double cycles = cycles_per_miss(c, p->rob, l->latency * faster);
        l->ipc[i] = 1000 / c->mpki / cycles;
        l->reads += faster / cycles;
        l->writes += faster / cycles * c->write_share / 100;
    }
    l->first = dram_channels_gbps(d);
    if (m->second.cycle > 0)
        l->first /= l->first + dram_channels_gbps(m->e->second_dram);
    else
        l->first = 1;
    double load = (l->reads + l->writes) * l->first * l->bursts * channel_cycles(m) / d->channels;
    l->busy = math_smaller(BUSY_MOST, load);
}

void cpu_load_metrics(const struct launch_model *m, struct metrics *o)
{
    static const enum metric instructions[CPU_CORES_MAX] = {
        M_cpu_instructions_0, M_cpu_instructions_1, M_cpu_instructions_2, M_cpu_instructions_3};
    const struct cpu_params *p = m->e->cpu;
    const struct cpu_load *l = &m->cpu;
    if (!cpu_cores_run(p)) return;
    double mhz = core_mhz(m), cycles = m->cycles.all * p->clock_mhz / mhz, all = 0;
    for (uint32_t i = 0; i < p->cores; i++) {
        metrics_set(o, instructions[i], l->ipc[i] * cycles);
        all += l->ipc[i] * cycles;
    }
    metrics_set(o, M_cpu_instructions, all);
    metrics_set(o, M_cpu_cycles, cycles);
    metrics_set(o, M_cpu_reads, l->reads * m->cycles.all);
    metrics_set(o, M_cpu_writes, l->writes * m->cycles.all);
    metrics_set(o, M_cpu_returned, l->reads * m->cycles.all);
    metrics_set(o, M_cpu_latency_sum, l->reads * m->cycles.all * l->latency / mhz * 1e3);
}
