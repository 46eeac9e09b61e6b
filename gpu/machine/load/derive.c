/* derive.c - figures derived from a machine's parameters, for users; see machine.h. Latencies are
 * sums of the parts without contention: empty queues, an idle bus, no refresh. */
#include "gpu/machine/load/machine.h"
#include "gpu/machine/params/mesh_layout.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static double memory_mb(const struct dram_params *d)
{
    double banks = (double)d->channels * dram_bank_count(d);
    return banks * d->rows * dram_row_bytes(d) / 1048576.0;
}

/* Core cycles from a controller's acceptance to the last beat of a read that must open its row. */
static double closed_row_cycles(const struct machine *m)
{
    const struct dram_params *d = &m->dram;
    const struct dram_timing *t = &d->t;
    if (d->model == DRAM_FIXED) return d->fixed_latency;
    double activate = t->tRCDRD > t->tAL ? t->tRCDRD - t->tAL : 0;
    double clocks = activate + t->tAL + t->tCL + dram_burst_clocks(d);
    return clocks * m->clock.core_mhz / d->clock_mhz + d->extra_latency;
}

static double l1_hit_cycles(const struct machine *m)
{
    return (double)m->sm.memory_latency + l1_look_up_cycles(&m->l1);
}

/* A miss is sent on at the end of the L1's look-up. */
static double l2_hit_cycles(const struct machine *m)
{
    double one_way = noc_idle_latency(&m->noc, m->sm.count, m->l2.banks);
    double network = 2.0 * one_way * m->clock.core_mhz / m->clock.noc_mhz;
    double slice = (double)m->l2.latency + m->l2.extra_latency;
    return l1_hit_cycles(m) + network + slice * m->clock.core_mhz / m->clock.l2_mhz;
}

double machine_l3_cycles(const struct machine *m, uint32_t look_up)
{
    if (!l3_is_there(&m->l3)) return 0;
    return (2.0 * m->l3.link_latency + look_up) * m->clock.core_mhz / m->clock.l2_mhz;
}

uint32_t machine_derive(const struct machine *m, struct derived out[MACHINE_DERIVED_MAX])
{
    double gbps = dram_channels_gbps(&m->dram) + dram_channels_gbps(&m->second_dram),
           per_cycle = gbps * 1e3 / m->clock.core_mhz;
    double to_memory =
        l2_hit_cycles(m) + machine_l3_cycles(m, m->l3.tag_latency) + closed_row_cycles(m);
    const struct derived rows[] = {
        {"peak_gbps", "GB/s", "memory bandwidth; 0 = unbounded", gbps},
        {"peak_bytes_per_cycle", "bytes/core cycle", "the same per core cycle", per_cycle},
        {"memory_mb", "MB", "capacity of all channels",
         memory_mb(&m->dram) + memory_mb(&m->second_dram)},
        {"l2_kb", "KB", "capacity of all slices", (double)m->l2.banks * m->l2.bank_kb},
        {"l2_sets", "sets", "sets per slice", m->l2.cache.sets},
        {"l1_sets", "sets", "sets per L1", m->l1.cache.sets},
        {"noc_bytes_per_cycle", "bytes/core cycle", "replies of all slices",
         (double)m->l2.banks * m->noc.flit_bytes * m->clock.noc_mhz / m->clock.core_mhz},
        {"lanes", "lanes", "resident on the whole chip",
         (double)m->sm.count * m->sm.max_warps * m->sm.warp_width},
        {"l1_hit_cycles", "core cycles", "load latency of an L1 hit, sum of the parts",
         l1_hit_cycles(m)},
        {"l2_hit_cycles", "core cycles", "of an L2 hit", l2_hit_cycles(m)},
        {"memory_cycles", "core cycles", "of a memory access that opens its row", to_memory},
        {"lines_to_saturate", "L2 lines", "in flight to keep the memory busy at that latency",
         ceil(per_cycle * to_memory / m->l2.cache.line_bytes)},
    };
    uint32_t n = sizeof rows / sizeof rows[0];
    _Static_assert(sizeof rows / sizeof rows[0] <= MACHINE_DERIVED_MAX, "room for all");
    for (uint32_t i = 0; i < n; i++)
        out[i] = rows[i];
    return n;
}

double machine_derived_value(const struct machine *m, const char *name)
{
    struct derived d[MACHINE_DERIVED_MAX];
    uint32_t n = machine_derive(m, d), i = 0;
    while (i < n && strcmp(d[i].name, name) != 0)
        i++;
    assert(i < n && "it is among the rows");
    return d[i].value;
}

void machine_derived(const struct machine *m, struct text *out)
{
    struct derived d[MACHINE_DERIVED_MAX];
    uint32_t n = machine_derive(m, d);
    for (uint32_t i = 0; i < n; i++)
        text_add(out, "%-22s %12.6g %-18s %s\n", d[i].name, d[i].value, d[i].unit, d[i].meaning);
}
