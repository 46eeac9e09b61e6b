/* subcore_placement.h - which sub-core of its SM each warp of a CTA gets (sm.cta_binding).
 *
 * CTA_WARPS_ROUND_ROBIN: each warp goes to the next sub-core in turn that has a free slot.
 * CTA_ONE_SUBCORE: all warps go to the first sub-core in turn that has a free slot for each of
 * them. Either way the turn then moves on as if every sub-core had had room, by one warp or one
 * CTA.
 *
 * Units: a warp is named subcore * SM_SUBCORE_SLOTS + slot; masks have a bit per slot; a sub-core
 * has max_warps / subcores slots, without a rest (gpu/machine/check/check.c). The functions are
 * pure.
 * Source: Candel 1.2.2 (one sub-core); NVIDIA's warp number modulo sub-cores (round robin). */
#pragma once

#include "gpu/machine/params/sm.h"

#include <stdbool.h>
#include <stdint.h>

/* The sub-core of each of the CTA's warps in subcore[warps]; false: the CTA does not fit now.
 * resident: [subcores] slots that have a warp; next: the sub-core whose turn it is. */
bool subcore_placement_choose(const struct sm_params *p, const uint64_t *resident, uint32_t next,
                              uint32_t warps, uint8_t *subcore);
/* Whose turn it is after such a CTA. */
uint32_t subcore_placement_next(const struct sm_params *p, uint32_t next, uint32_t warps);

/* The name of a warp that goes to the sub-core: its first free slot.  Precondition: it has one. */
static inline uint32_t subcore_placement_warp(uint32_t subcore, uint64_t resident)
{
    return subcore * SM_SUBCORE_SLOTS + (uint32_t)__builtin_ctzll(~resident);
}
