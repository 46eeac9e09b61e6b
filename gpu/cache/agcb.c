/* agcb.c - what the counters of adaptive bypassing learn from the lines of an L1, and the bits of
 * the L2's sectors; see agcb.h. */
#include "gpu/cache/agcb.h"

void agcb_line_hit(const struct agcb_params *p, uint8_t *counter, struct cache *l1, uint32_t line,
                   uint16_t pc)
{
    uint16_t *note = &l1->note[line];
    if (*note) agcb_hit(p, counter, (uint16_t)(*note - 1));
    *note = (uint16_t)(pc + 1);
}

void agcb_line_leaves(const struct agcb_params *p, uint8_t *counter, const struct cache *l1,
                      uint32_t line)
{
    if (line == LINE_NONE || !l1->line[line].resident || !l1->note[line]) return;
    agcb_unused(p, counter, (uint16_t)(l1->note[line] - 1));
}

void agcb_fill_evicts(const struct agcb_params *p, uint8_t *counter, const struct cache *l1,
                      uint64_t addr)
{
    uint64_t tag = cache_tag(l1, addr);
    if (cache_find(l1, tag) == LINE_NONE)
        agcb_line_leaves(p, counter, l1, cache_victim(l1, tag, false));
}

bool agcb_verify(uint16_t *note, uint32_t sector, bool predicted)
{
    uint16_t bit = (uint16_t)(1u << sector);
    bool before = *note & bit;
    *note &= (uint16_t)~bit;
    if (predicted && !before) *note |= bit;
    return predicted && before;
}
