/* cpu_core.h - a CPU core beside the GPU that executes a program of
 * configs/tables/cpu_programs.csv, as far as the memory sees it.
 *
 * A core executes base_ipc instructions per cycle of its clock. Misses of its L2 lie at geometric
 * distances (mean 1000 / MPKI instructions). A miss is sent when the core comes to it; the core
 * goes on until it is `rob` instructions beyond its oldest miss in flight, or as many misses are in
 * flight as the program has at a time (mlp), and then stalls until a line comes that allows it to
 * go on. Of 100 misses, write_share evict a dirty line, which is sent behind the miss and for which
 * nobody waits; a core whose network port takes no more stalls at its next miss. Of 100 misses,
 * row_locality go to the line behind the last miss, the others to any line of the core's memory;
 * write-backs have a place of their own and the same locality.
 *
 * Addresses: cpu_core_place is the only place that knows where a core's memory lies.
 *
 * Time: ticks; what a core sends and receives, at edges of the network's clock, at which it is
 * stepped. The moments at which it comes to a miss or stalls are not rounded, so that its speed
 * does not depend on that clock. Invariants: cpu_core_check; misses = data that came + slots in
 * flight.
 *
 * Source: Mao 5.4.1, tables 7 to 9; the interval view of an out-of-order core: Karkhanis and Smith
 * 2004. [A]: everything that tables 7 and 9 do not say. */
#pragma once

#include "base/memory/rng.h"
#include "base/text/text.h"
#include "detailed/noc/noc.h"
#include "detailed/parts/request.h"
#include "detailed/parts/stats.h"
#include "gpu/machine/params/coherence/cpu.h"

struct wiring;

#define CPU_CORE_STATS(C, M)                                    \
    M(reads, cpu_reads, true)                                   \
    M(writes, cpu_writes, true)                                 \
    M(returned, cpu_returned, true) /* reads with their data */ \
    C(latency_ticks, "of these, from the network's port to the core")
struct cpu_core_stats {
    STATS_MEMBERS(CPU_CORE_STATS)
};

/* A miss in flight. */
struct cpu_miss {
    uint64_t instruction; /* that missed */
    uint64_t sent;        /* tick */
    bool in_flight;
};

struct cpu_core {
    const struct wiring *w;
    const struct cpu_program *p;
    struct noc *request, *reply;
    uint32_t id, port, rob; /* port: at both networks; the cores' lie behind the SMs' */
    uint64_t noc_period;    /* ticks */
    struct rng rng;
    double ticks_per_instruction;
    uint64_t lines;            /* of its memory */
    uint64_t missed, evicted;  /* the last line of each stream, among those of its memory */
    double instruction, since; /* it has executed so many at that tick, and goes on from there */
    bool stalled;              /* it does not */
    uint64_t next_miss;        /* the instruction of the next one */
    bool evicts;               /* a write-back waits for its port */
    struct cpu_miss miss[CPU_MLP_MAX]; /* [mlp] */
    uint32_t in_flight;
    struct cpu_core_stats s;
};

/* first_port: of the cores. p, w: outlive the core. */
void cpu_core_init(struct cpu_core *c, uint32_t id, const struct cpu_params *p, uint32_t first_port,
                   const struct wiring *w);
/* Steps a core at an edge of the network's clock; returns the next edge at which it is due. */
uint64_t cpu_core_step(struct cpu_core *c, uint64_t now);
/* Whole instructions executed at a tick that is not before its last step. */
double cpu_core_instructions(const struct cpu_core *c, uint64_t tick);
/* The physical address of a line of a core's memory, whose page gets a frame if it has none. */
uint64_t cpu_core_place(const struct cpu_core *c, uint64_t line);
void cpu_core_fini(struct cpu_core *c);
/* Begins the program at its first instruction at tick 0, with an empty window; what was in flight
 * is forgotten. */
void cpu_core_clear(struct cpu_core *c);
bool cpu_core_check(const struct cpu_core *c);
void cpu_core_stuck(const struct cpu_core *c, struct text *out);
