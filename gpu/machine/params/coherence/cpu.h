/* cpu.h - parameters of the CPUs that share the directory and the memory with the GPU (an APU). */
#pragma once

#include "gpu/machine/params/cache.h"
#include "gpu/machine/tables/param.h"

struct cpu_params {
    uint32_t cache_kb;         /* of all CPUs together; 0: there are no CPUs */
    struct cache_params cache; /* all but ways are derived */
    uint32_t probe_latency;    /* L2 cycles, from the directory to the CPUs and back */
    uint32_t supply_cycles;    /* L2 cycles for which a block that they supply keeps their port */
    uint32_t agents;           /* CPUs that use the memory while a kernel runs */
    uint32_t rate;             /* requests per 1000 L2 cycles and agent */
    uint32_t write_share;      /* of them, in percent */
    uint32_t locality;         /* percent that go to the block behind the one before */
    uint32_t footprint_kb;     /* of an agent */
};

static inline bool cpu_is_there(const struct cpu_params *p)
{
    return p->cache_kb > 0;
}
