/* agcb.h - adaptive GPU cache bypassing: saturating counters, indexed by the low bits of the PC,
 * which predict that a load brings in blocks that are not reused.
 *
 * A line's note (cache.h) names the load that used it last, pc + 1 (0: none). A hit decrements the
 * counter of the load that used the line before; an eviction increments the counter of the line's
 * last load. A load whose counter has reached the threshold is predicted. With lookup_first, the
 * counters are consulted before the tags; if the initial count is then above the threshold, no load
 * ever looks up the tags, so none hits and no counter can fall.
 *
 * Each L2 sector ([A]; the report has no sectors) has a bit, in its line's note, that says that its
 * last request bypassed an L1. Request and reply carry prediction and bit. A block that is
 * requested again after it has bypassed the L1 was mispredicted, and the L1 then keeps it.
 *
 * The caller owns counter[p->entries]; a pc is the low 16 bits of an instruction's address,
 * shifted. Source: AGCB 4, figures 2, 9, 11. */
#pragma once

#include "gpu/cache/cache.h"
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

/* Learns that a load hit `line` of the L1. */
void agcb_line_hit(const struct agcb_params *p, uint8_t *counter, struct cache *l1, uint32_t line,
                   uint16_t pc);
/* Learns that `line` is about to be evicted; nothing for LINE_NONE or an invalid line. */
void agcb_line_leaves(const struct agcb_params *p, uint8_t *counter, const struct cache *l1,
                      uint32_t line);
/* Learns from the line that a fill of `addr` is about to evict. */
void agcb_fill_evicts(const struct agcb_params *p, uint8_t *counter, const struct cache *l1,
                      uint64_t addr);
/* Called when the L2 has served a load of a sector; *note is its line's. Returns whether the sector
 * is requested again after it has bypassed an L1. */
bool agcb_verify(uint16_t *note, uint32_t sector, bool predicted);
