/* register_cache.c - a ring of entries for each warp: a result that is not there takes the
 * entry that was taken longest ago, whose register goes to its bank. Reads search all entries
 * of the warp. Which warps are in the first level: register_results.c. Source: Gebhart 2011;
 * Mao 3.5.1.1. */
#include "detailed/register_file/register_cache.h"

#include "base/memory/alloc.h"

#include <string.h>

bool register_cache_init(struct register_cache *c, uint32_t entries, uint32_t warps)
{
    *c = (struct register_cache){.entries = entries, .warps = warps};
    if (!entries) return true;
    c->reg = mem_new((size_t)warps * entries, sizeof *c->reg);
    c->next = mem_new(warps, sizeof *c->next);
    if (!c->reg || !c->next) return false;
    register_cache_clear(c);
    return true;
}

void register_cache_fini(struct register_cache *c)
{
    mem_free(c->reg);
    mem_free(c->next);
    *c = (struct register_cache){0};
}

void register_cache_clear(struct register_cache *c)
{
    if (!c->entries) return;
    memset(c->reg, 0xff, (size_t)c->warps * c->entries * sizeof *c->reg);
    memset(c->next, 0, c->warps * sizeof *c->next);
    memset(c->active, 0, sizeof c->active);
}

static uint16_t *entries_of(const struct register_cache *c, uint32_t warp)
{
    return &c->reg[(size_t)warp * c->entries];
}

static uint16_t *find(const struct register_cache *c, uint32_t warp, uint16_t reg)
{
    uint16_t *e = entries_of(c, warp);
    for (uint32_t i = 0; i < c->entries; i++)
        if (e[i] == reg) return &e[i];
    return NULL;
}

bool register_cache_has(const struct register_cache *c, uint32_t warp, uint16_t reg)
{
    return c->entries && find(c, warp, reg);
}

uint16_t register_cache_put(struct register_cache *c, uint32_t warp, uint16_t reg)
{
    if (find(c, warp, reg)) return REGISTER_CACHE_NONE;
    uint16_t *e = &entries_of(c, warp)[c->next[warp]], left = *e;
    *e = reg;
    c->next[warp] = (uint8_t)((c->next[warp] + 1u) % c->entries);
    return left;
}

void register_cache_drop(struct register_cache *c, uint32_t warp, uint16_t reg)
{
    uint16_t *e = c->entries ? find(c, warp, reg) : NULL;
    if (e) *e = REGISTER_CACHE_NONE;
}

uint16_t register_cache_pop(struct register_cache *c, uint32_t warp)
{
    uint16_t *e = entries_of(c, warp);
    for (uint32_t i = 0; i < c->entries; i++) {
        uint16_t reg = e[i];
        e[i] = REGISTER_CACHE_NONE;
        if (reg != REGISTER_CACHE_NONE) return reg;
    }
    c->next[warp] = 0;
    return REGISTER_CACHE_NONE;
}
