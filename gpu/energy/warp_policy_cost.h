/* warp_policy_cost.h - the storage of warp schedulers and throttles, in bits and as memory
 * structures of one SM.
 *
 *   IWL                  address miss table, two counters per warp (Mao 4.2.1)
 *   CCWS                 victim tags and a score per warp; with each L1 line, the warp that
 *                        fetched it (Rogers 2012)
 *   two_level, intercl   a bit per warp: in the first level
 *   owl                  the leading group, per sub-core
 *   tbas                 a bit per warp: in the running set; a batch's place in the order of
 *                        promotion, per sub-core and CTA [A] (Mao 5.3 calls it negligible)
 *
 * The storage of fixed limits, IntraCL (slots in order) and serial dispatch (done when CTAs are
 * created: Mao 4.2.3) is negligible. Adders, dividers and sorting are not counted.
 *
 * [A] Addresses have 42 bits, as the tables' tags; a score reaches the cut-off of all warps. */
#pragma once

#include "gpu/energy/sram_table.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/sm.h"

enum { WARP_STRUCTURES = 4, WARP_ADDRESS_BITS = 42 };

struct warp_structure {
    const char *name;
    uint64_t bits; /* per SM */
};

/* Lists the structures of the machine's policies; returns their number. */
uint32_t warp_structures(const struct sm_params *sm, const struct l1_params *l1,
                         struct warp_structure out[WARP_STRUCTURES]);
/* The table key of a structure as a memory of 8-byte words, or of 32-byte words above 2 KB; the
 * number of words is a power of two, for which the tables have areas. Smaller structures would
 * rather be registers. */
struct sram_key warp_structure_key(const struct warp_structure *s, uint32_t tech_nm);
