/* power_limit.h - the core clock that a card's power limit leaves to a launch.
 *
 * A card that reaches its power limit lowers its core clock until it keeps the limit in the mean of
 * some milliseconds. Matrix units take most of the power, in proportion to what they compute. So
 * the limit is taken for one of their rate: over a launch they compute no more than they do when
 * they are always busy at clock.sustained_mhz. A launch that computes less runs at clock.core_mhz.
 *
 * Cycles are of clock.core_mhz: a launch that is held takes more of them than its work does.
 * Not modelled: power of other units, the time that the limit needs to act, launches that are
 * alone between pauses.
 * Source: H100, H200 and GH200 hold 1,980 MHz while they stream and 1,350 to 1,470 MHz in products
 * of 8,192 x 8,192 x 8,192 in BF16 (harshithkantamneni/moe-kernels, results/published). */
#pragma once

#include "gpu/machine/params/clock.h"
#include "gpu/machine/params/sm.h"

/* The least core cycles of a launch with so many warp instructions of matrix units; 0: no limit. */
static inline double power_limit_cycles(const struct clock_params *c, const struct sm_params *sm,
                                        double matrix_instructions)
{
    if (c->sustained_mhz <= 0) return 0;
    double busy = matrix_instructions * sm->tensor.interval / sm->count / sm->subcores;
    return busy * c->core_mhz / c->sustained_mhz;
}
