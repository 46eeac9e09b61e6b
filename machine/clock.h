/* clock.h - clock domains with exact edges: time is counted in ticks of the least common multiple.
 * Frequencies are whole kHz, so every edge of every domain falls on a tick. */
#ifndef PLUMB_MACHINE_CLOCK_H
#define PLUMB_MACHINE_CLOCK_H

#include "machine/param.h"

#include <stdbool.h>
#include <stdint.h>

enum clock_domain { CLOCK_CORE, CLOCK_NOC, CLOCK_L2, CLOCK_DRAM, CLOCK_N };

struct clock_params {
    double core_mhz, noc_mhz, l2_mhz; /* the DRAM's stands in dram.clock_mhz */
};

struct clocks {
    uint64_t period[CLOCK_N]; /* ticks per cycle */
    double tick_us;           /* length of a tick */
};

/* false: the least common multiple does not fit (machine_check says so to the user). */
bool clocks_init(struct clocks *c, const uint32_t khz[CLOCK_N]);

#endif
