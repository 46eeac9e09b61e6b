/* subcore_placement.c - the sub-core of each warp of a CTA: warp after warp in turn where a slot is
 * free, or all on the first sub-core in turn that has room for the whole CTA. Nothing is placed if
 * one warp finds no slot. Source: Candel 1.2.2; NVIDIA's warp number modulo sub-cores. */
#include "gpu/policies/subcore_placement.h"

#include <string.h>

static uint32_t free_slots(const struct sm_params *p, uint64_t resident)
{
    return p->max_warps / p->subcores - (uint32_t)__builtin_popcountll(resident);
}

static bool choose_one(const struct sm_params *p, const uint64_t *resident, uint32_t at,
                       uint32_t warps, uint8_t *subcore)
{
    for (uint32_t k = 0; k < p->subcores; k++, at = (at + 1) % p->subcores) {
        if (free_slots(p, resident[at]) < warps) continue;
        memset(subcore, (int)at, warps);
        return true;
    }
    return false;
}

bool subcore_placement_choose(const struct sm_params *p, const uint64_t *resident, uint32_t next,
                              uint32_t warps, uint8_t *subcore)
{
    uint32_t n = p->subcores, at = next, used[SM_MAX_SUBCORES] = {0};
    if (p->cta_binding == CTA_ONE_SUBCORE) return choose_one(p, resident, at, warps, subcore);
    for (uint32_t w = 0; w < warps; w++, at = (at + 1) % n) {
        uint32_t k = 0;
        while (k < n && free_slots(p, resident[at]) <= used[at])
            at = (at + 1) % n, k++;
        if (k == n) return false;
        subcore[w] = (uint8_t)at;
        used[at]++;
    }
    return true;
}

uint32_t subcore_placement_next(const struct sm_params *p, uint32_t next, uint32_t warps)
{
    return (next + (p->cta_binding == CTA_ONE_SUBCORE ? 1 : warps)) % p->subcores;
}
