/* register_cache.h - the register-file cache: the last results of each warp of the scheduler's
 * first level, first in, first out. A result of the execution units takes an entry; one that leaves
 * goes to its bank, and so do all of a warp that leaves the first level. Reads that miss take none;
 * data of loads go to the banks, since their warp has left the first level.
 *
 * Source: Gebhart 2011; Mao 3.5.1.1 (4P + RFC). */
#pragma once

#include "gpu/machine/params/sm.h"

enum { REGISTER_CACHE_NONE = 0xffff };

struct register_cache {
    uint32_t entries; /* of a warp; 0: none */
    uint32_t warps;
    uint16_t *reg;                    /* [warps * entries] REGISTER_CACHE_NONE: free */
    uint8_t *next;                    /* [warps] the entry that is replaced next */
    uint64_t active[SM_MAX_SUBCORES]; /* slots in the first level (bits) */
};

/* Warps are named subcore * SM_SUBCORE_SLOTS + slot. */
bool register_cache_init(struct register_cache *c, uint32_t entries, uint32_t warps);
void register_cache_fini(struct register_cache *c);
void register_cache_clear(struct register_cache *c);
static inline bool register_cache_is_active(const struct register_cache *c, uint32_t warp)
{
    return c->active[warp / SM_SUBCORE_SLOTS] >> warp % SM_SUBCORE_SLOTS & 1;
}
bool register_cache_has(const struct register_cache *c, uint32_t warp, uint16_t reg);
/* Keeps a result; returns the register that leaves for its bank, or REGISTER_CACHE_NONE.
 * Precondition: the warp is active. */
uint16_t register_cache_put(struct register_cache *c, uint32_t warp, uint16_t reg);
/* Forgets a register that has a newer value elsewhere. */
void register_cache_drop(struct register_cache *c, uint32_t warp, uint16_t reg);
/* Takes out one register of the warp; REGISTER_CACHE_NONE: none is left. */
uint16_t register_cache_pop(struct register_cache *c, uint32_t warp);
