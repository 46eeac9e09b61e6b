/* bypass.c - the table of predictors of what bypasses an L1, and the training that is common to
 * them.
 *
 * A line's note names the load that used it last: a hit tells the
 * predictor that the load's line was reused, an eviction that it was not. A sector of the L2
 * remembers that its last request bypassed an L1, and a predicted request that finds it so was
 * mispredicted. Source: AGCB 4, figure 2. */
#include "gpu/cache/bypass.h"

#include "base/memory/alloc.h"
#include "gpu/cache/bypass_counters.h"

const struct bypass_ops *const bypass_table[BYPASS_N] = {[BYPASS_AGCB] = &bypass_agcb};

bool bypass_init(struct bypass *b, const struct l1_params *p)
{
    *b = (struct bypass){.ops = p->enabled ? bypass_table[p->bypass] : NULL, .p = p};
    if (b->ops && !b->ops->init(b)) return false;
    bypass_clear(b);
    return true;
}

void bypass_fini(struct bypass *b)
{
    mem_free(b->counter);
    *b = (struct bypass){0};
}

void bypass_clear(struct bypass *b)
{
    if (b->ops) b->ops->clear(b);
}

uint16_t bypass_pc(const struct l1_params *p, uint32_t pc)
{
    return agcb_pc(&p->agcb, pc);
}

void bypass_hit(struct bypass *b, struct cache *l1, uint32_t line, uint16_t pc)
{
    uint16_t *note = &l1->note[line];
    if (*note) b->ops->hit(b, (uint16_t)(*note - 1));
    *note = (uint16_t)(pc + 1);
}

void bypass_leaves(struct bypass *b, const struct cache *l1, uint32_t line)
{
    if (line == LINE_NONE || !l1->line[line].resident || !l1->note[line]) return;
    b->ops->unused(b, (uint16_t)(l1->note[line] - 1));
}

void bypass_evict(struct bypass *b, const struct cache *l1, uint64_t addr)
{
    uint64_t tag = cache_tag(l1, addr);
    if (cache_find(l1, tag) == LINE_NONE) bypass_leaves(b, l1, cache_victim(l1, tag, false));
}

bool bypass_verify(uint16_t *note, uint32_t sector, bool predicted)
{
    uint16_t bit = (uint16_t)(1u << sector);
    bool before = *note & bit;
    *note &= (uint16_t)~bit;
    if (predicted && !before) *note |= bit;
    return predicted && before;
}
