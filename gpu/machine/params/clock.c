/* clock.c - see clock.h. */
#include "gpu/machine/params/clock.h"

/* Ticks per millisecond (the least common multiple in kHz) up to here leave room for 4 s of
 * simulated time before CLOCK_LAST_TICK. */
static const uint64_t LCM_KHZ_MAX = UINT64_C(1) << 50;

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

bool clocks_init(struct clocks *c, const uint32_t khz[CLOCK_N])
{
    uint64_t lcm = 1;
    for (uint32_t d = 0; d < CLOCK_N; d++) {
        if (d == CLOCK_SECOND_DRAM && khz[d] == 0) continue;
        if (khz[d] == 0) return false;
        uint64_t factor = khz[d] / greatest_common_divisor(lcm, khz[d]);
        if (factor > LCM_KHZ_MAX / lcm) return false;
        lcm *= factor;
    }
    for (uint32_t d = 0; d < CLOCK_N; d++)
        c->period[d] = khz[d] ? lcm / khz[d] : c->period[CLOCK_DRAM];
    c->tick_us = 1000.0 / (double)lcm;
    return true;
}

uint64_t clocks_slowest(const struct clocks *c)
{
    uint64_t slowest = 0;
    for (uint32_t d = 0; d < CLOCK_N; d++)
        if (c->period[d] > slowest) slowest = c->period[d];
    return slowest;
}

uint64_t clocks_fastest(const struct clocks *c)
{
    uint64_t fastest = UINT64_MAX;
    for (uint32_t d = 0; d < CLOCK_N; d++)
        if (c->period[d] < fastest) fastest = c->period[d];
    return fastest;
}
