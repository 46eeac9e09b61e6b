/* cpu.h - parameters of the CPUs beside the GPU. There are two kinds, which machines have or not
 * independently of each other:
 *
 * - the CPUs of an APU behind the L3 (cpu.cache_kb): their caches hold what the host has written,
 *   and `agents` of them ask the L3 for blocks at a fixed rate, whatever its latency;
 * - CPU cores (cpu.programs): each executes a program of configs/tables/cpu_programs.csv on the
 *   networks and in the memory of the GPU, and stalls for its misses. */
#pragma once

#include "gpu/machine/params/cache.h"
#include "gpu/machine/rows/param.h"

enum { CPU_CORES_MAX = 4, CPU_PROGRAM_NAME = 32, CPU_MLP_MAX = 64 };
enum { CPU_LINE = 64 }; /* bytes of a line of the cores' caches (Mao table 9) */

/* What a program does below its core's L2. */
struct cpu_program {
    char name[CPU_PROGRAM_NAME];
    double mpki;           /* misses of the L2 per 1000 instructions */
    uint32_t write_share;  /* write-backs per 100 misses */
    uint32_t row_locality; /* percent of the misses that go to the line behind the last one */
    uint32_t mlp;          /* misses in flight at a time */
    double base_ipc;       /* instructions per cycle while nothing waits for the memory */
    uint32_t footprint_mb;
};

struct cpu_params {
    uint32_t cache_kb;         /* of all CPUs together; 0: there are no CPUs behind the L3 */
    struct cache_params cache; /* all but ways are derived */
    uint32_t probe_latency;    /* L2 cycles, from the directory to the CPUs and back */
    uint32_t supply_cycles;    /* L2 cycles for which a block that they supply keeps their port */
    uint32_t agents;           /* CPUs that use the memory while a kernel runs */
    uint32_t rate;             /* requests per 1000 L2 cycles and agent */
    uint32_t write_share;      /* of them, in percent */
    uint32_t locality;         /* percent that go to the block behind the one before */
    uint32_t footprint_kb;     /* of an agent */
    char programs[PARAM_TEXT_MAX]; /* one for each core; "": there are no cores */
    uint32_t clock_mhz;            /* of the cores */
    uint32_t rob;                  /* instructions that a core may be ahead of its oldest miss */
    /* Derived from `programs`; cores: those named. */
    uint32_t cores;
    struct cpu_program program[CPU_CORES_MAX];
};

static inline bool cpu_is_there(const struct cpu_params *p)
{
    return p->cache_kb > 0;
}
static inline bool cpu_cores_run(const struct cpu_params *p)
{
    return p->cores > 0;
}
