/* clock.h - clock domains with exact edges: time is counted in ticks whose frequency is the least
 * common multiple of the clocks. Frequencies are whole kHz, so every edge of every domain falls on
 * a tick. */
#pragma once

#include "gpu/machine/rows/param.h"

#include <stdbool.h>
#include <stdint.h>

/* Simulated time ends here; a wait that began before must end within 64 bits (check.c ensures it).
 */
#define CLOCK_LAST_TICK (UINT64_C(1) << 62)

enum clock_domain { CLOCK_CORE, CLOCK_NOC, CLOCK_L2, CLOCK_DRAM, CLOCK_SECOND_DRAM, CLOCK_N };

struct clock_params {
    double core_mhz, noc_mhz, l2_mhz; /* the DRAM's clock is dram.clock_mhz */
    double sustained_mhz;             /* gpu/policies/power_limit.h; 0: core_mhz */
};

struct clocks {
    uint64_t period[CLOCK_N]; /* ticks per cycle */
    double tick_us;           /* length of a tick */
};

/* The period of the slowest clock. */
uint64_t clocks_slowest(const struct clocks *c);
uint64_t clocks_fastest(const struct clocks *c);
/* false: a clock is 0, or the least common multiple exceeds 2^50 kHz (4 s would exceed
 * CLOCK_LAST_TICK); the reader reports it to the user. A second memory's clock may be 0, that of
 * the first. */
bool clocks_init(struct clocks *c, const uint32_t khz[CLOCK_N]);

/* Convert a cycle of one domain to another: the last edge at or before it, the first at or after
 * it. Periods in ticks; equal clocks, the usual case, need no division. */
static inline uint64_t clock_floor(uint64_t cycle, uint64_t from, uint64_t to)
{
    return from == to ? cycle : cycle * from / to;
}
static inline uint64_t clock_ceil(uint64_t cycle, uint64_t from, uint64_t to)
{
    return from == to ? cycle : (cycle * from + to - 1) / to;
}
