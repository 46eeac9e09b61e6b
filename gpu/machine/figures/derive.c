/* derive.c - figures derived from a machine's parameters, for users; see machine.h. Latencies are
 * sums of the parts without contention: empty queues, an idle bus, no refresh. */
#include "gpu/machine/machine.h"
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

/* GB/s of sectors that hit in the L2: as fast as its slices look them up and read them, and as the
 * network's ports of slices and of SMs carry them. */
static double l2_gbps(const struct machine *m)
{
    const struct l2_params *p = &m->l2;
    double sector = p->cache.sector_bytes;
    double per_cycle = p->ports, flits = ceil((m->noc.header_bytes + sector) / m->noc.flit_bytes);
    if (p->data_banks) per_cycle = fmin(per_cycle, (double)p->data_banks / p->bank_cycles);
    double slices = p->banks * per_cycle * m->clock.l2_mhz;
    double ports = fmin(p->banks, m->sm.count) * m->clock.noc_mhz / flits;
    return fmin(slices, ports) * sector * 1e-3;
}

/* Bytes of hits that an SM's L1 gives in a cycle, to instructions whose lanes lie side by side. */
static double l1_bytes_per_cycle(const struct machine *m)
{
    const struct l1_params *p = &m->l1;
    enum { WORD_BYTES = 4 };
    if (!p->enabled) return 0;
    double bytes = (double)p->ports * m->sm.coalesce_bytes;
    if (p->banks > 1) bytes = fmin(bytes, (double)p->banks * p->bank_ports * p->bank_bytes);
    if (p->instruction.bytes_per_cycle) bytes = fmin(bytes, p->instruction.bytes_per_cycle);
    if (p->instruction.word_banks)
        bytes = fmin(bytes, (double)p->instruction.word_banks * WORD_BYTES);
    return bytes;
}

/* TFLOP/s of a unit whose instruction makes so many multiply-adds for each lane. */
static double unit_tflops(const struct machine *m, const struct unit_params *unit, double per_lane)
{
    double lanes = (double)m->sm.count * m->sm.subcores * m->sm.warp_width;
    return 2 * per_lane * lanes / unit->interval * m->clock.core_mhz * 1e-6;
}

/* 0 where the matrix unit is not modelled: its instructions are as short as those of single
 * precision. An instruction is a step of 16 x 8 x 16 of a warp of 32 lanes. */
static double matrix_tflops(const struct machine *m)
{
    enum { MACS_PER_LANE = 64 };
    const struct unit_params *matrix = &m->sm.tensor, *fp32 = &m->sm.fp32;
    bool modelled = matrix->interval > fp32->interval && matrix->latency > fp32->latency;
    return modelled ? unit_tflops(m, matrix, MACS_PER_LANE) : 0;
}

/* What so many pieces are in lines of the L2. */
static double in_lines(const struct machine *m, double pieces, double bytes)
{
    return pieces * bytes / m->l2.cache.line_bytes;
}

/* Reads that the queues of all channels hold. */
static double reads_queued(const struct machine *m, const struct dram_params *d)
{
    if (!dram_is_there(d) || d->model != DRAM_BANKS) return 0;
    return in_lines(m, (double)d->channels * d->queue, (double)d->burst_length * d->bus_bytes);
}

/* Of the first memory, 0 where it has no banks. */
static double dram_ns(const struct machine *m, uint32_t clocks)
{
    return m->dram.model == DRAM_BANKS ? 1e3 * clocks / m->dram.clock_mhz : 0;
}

uint32_t machine_derive(const struct machine *m, struct derived out[MACHINE_DERIVED_MAX])
{
    double gbps = dram_channels_gbps(&m->dram) + dram_channels_gbps(&m->second_dram),
           per_cycle = gbps * 1e3 / m->clock.core_mhz;
    double to_memory =
        l2_hit_cycles(m) + machine_l3_cycles(m, m->l3.tag_latency) + closed_row_cycles(m);
    double fp32 = unit_tflops(m, &m->sm.fp32, 1);
    const struct dram_timing *t = &m->dram.t;
    const struct derived rows[] = {
        {"peak_gbps", "GB/s", "memory bandwidth; 0 = unbounded", gbps},
        {"peak_bytes_per_cycle", "bytes/core cycle", "the same per core cycle", per_cycle},
        {"pin_gbps", "Gb/s", "of a data pin of the DRAM; 0 = it has no banks",
         m->dram.model == DRAM_BANKS ? m->dram.beats_per_clock * m->dram.clock_mhz * 1e-3 : 0},
        {"trcd_ns", "ns", "DRAM: from an activate to a read", dram_ns(m, t->tRCDRD)},
        {"tcl_ns", "ns", "DRAM: from a read to its data", dram_ns(m, t->tCL)},
        {"trc_ns", "ns", "DRAM: between activates of a bank", dram_ns(m, dram_row_cycle(&m->dram))},
        {"l2_gbps", "GB/s", "of hits in the L2, as its slices and the network carry", l2_gbps(m)},
        {"l1_gbps", "GB/s", "of hits in the L1s, of lanes side by side",
         l1_bytes_per_cycle(m) * m->sm.count * m->clock.core_mhz * 1e-3},
        {"fp32_tflops", "TFLOP/s", "of multiply-adds in single precision", fp32},
        {"matrix_tflops", "TFLOP/s", "of the matrix units; 0 = not modelled", matrix_tflops(m)},
        {"bytes_per_flop", "bytes/FLOP", "memory bandwidth over fp32_tflops", gbps * 1e-3 / fp32},
        {"memory_mb", "MB", "capacity of all channels",
         memory_mb(&m->dram) + memory_mb(&m->second_dram)},
        {"l2_kb", "KB", "capacity of all slices", (double)m->l2.banks * m->l2.bank_kb},
        {"l1_kb", "KB", "capacity of all L1s, at their largest",
         m->l1.enabled ? (double)m->sm.count * l1_most_kb(&m->l1) : 0},
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
        {"sm_lines", "L2 lines", "that an SM's L1 may wait for; 0 = unbounded, or no L1",
         m->l1.enabled ? in_lines(m, m->l1.cache.mshr.entries, m->l1.cache.sector_bytes) : 0},
        {"l2_lines", "L2 lines", "that all slices may wait for; 0 = unbounded",
         in_lines(m, (double)m->l2.banks * m->l2.cache.mshr.entries, m->l2.cache.sector_bytes)},
        {"dram_lines", "L2 lines", "of reads that the DRAM's queues hold; 0 = it has no banks",
         reads_queued(m, &m->dram) + reads_queued(m, &m->second_dram)},
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
