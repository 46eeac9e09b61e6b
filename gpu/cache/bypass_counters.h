/* bypass_counters.h - the counters of adaptive GPU cache bypassing, indexed by the low bits of the
 * PC. A hit decrements the counter of the load that used the line before; an eviction increments
 * the counter of the line's last load. A load whose counter has reached the threshold is predicted
 * to bring in blocks that are not reused.
 *
 * The caller owns counter[p->entries]; a pc is the low 16 bits of an instruction's address,
 * shifted. Source: AGCB 4, figures 2, 9. */
#pragma once

#include "gpu/machine/params/l1.h"

#include <string.h>

static inline void agcb_clear(const struct agcb_params *p, uint8_t *counter)
{
    memset(counter, (int)p->initial, p->entries);
}

/* The result is below UINT16_MAX, since notes hold pc + 1 in 16 bits. */
static inline uint16_t agcb_pc(const struct agcb_params *p, uint32_t pc)
{
    uint16_t low = (uint16_t)(pc >> p->pc_shift);
    return low == UINT16_MAX ? 0 : low;
}

static inline bool agcb_predicts(const struct agcb_params *p, const uint8_t *counter, uint16_t pc)
{
    return counter[pc & (p->entries - 1)] >= p->threshold;
}

static inline void agcb_hit(const struct agcb_params *p, uint8_t *counter, uint16_t last_pc)
{
    uint8_t *at = &counter[last_pc & (p->entries - 1)];
    if (*at > 0) --*at;
}

static inline void agcb_unused(const struct agcb_params *p, uint8_t *counter, uint16_t last_pc)
{
    uint8_t *at = &counter[last_pc & (p->entries - 1)];
    if (*at < (1u << p->counter_bits) - 1) ++*at;
}
