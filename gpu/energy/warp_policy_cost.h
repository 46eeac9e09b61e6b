/* warp_policy_cost.h - what warp schedulers and throttles keep, in bits and as memory structures of
 * one SM.
 *
 *   IWL        address miss table, two counters per warp (Mao 4.2.1)
 *   CCWS       victim tags and a score per warp, the warp that brought it in beside each line of
 *              the L1 (Rogers 2012)
 *   two_level, intercl   a bit per warp: in the first level
 *   owl        the group that leads, per sub-core
 * Fixed limits, IntraCL (slots in order) and serial dispatch (done when CTAs are made: Mao 4.2.3)
 * keep nothing to speak of.  Adders, dividers and sorting are not counted.
 *
 * [A] Addresses have 42 bits, as the tables' tags; a score reaches the cut-off of all warps. */
#ifndef PLUMB_GPU_ENERGY_WARP_POLICY_COST_H
#define PLUMB_GPU_ENERGY_WARP_POLICY_COST_H

#include "gpu/energy/sram_table.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/sm.h"

enum { WARP_STRUCTURES = 4, WARP_ADDRESS_BITS = 42 };

struct warp_structure {
    const char *name;
    uint64_t bits; /* per SM */
};

/* Those that the machine's policies have; returns how many. */
uint32_t warp_structures(const struct sm_params *sm, const struct l1_params *l1,
                         struct warp_structure out[WARP_STRUCTURES]);
/* As a memory of words of 8 bytes, or of 32 above 2 KB; a power of two of them, as the tables have
 * areas for.  What takes less than the smallest of those is registers rather. */
struct sram_key warp_structure_key(const struct warp_structure *s, uint32_t tech_nm);

#endif
