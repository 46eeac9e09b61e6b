/* functional_l3.c - the parts of the L3 in a functional pass, one for each memory channel. A read
 * brings its block. A write stays if the L3 writes back and has the block or takes it at a write
 * miss; else the L3's copy leaves. A dirty victim opens its row of the memory at once. */
#include "gpu/functional/memory/functional_l3.h"

#include "gpu/geometry/bytemask.h"
#include "gpu/machine/params/coherence/l3.h"

bool functional_l3_init(struct functional_caches *w)
{
    if (l3_is_there(w->l3)) w->parts = w->map.channels;
    return functional_caches_make(&w->part, w->parts, &w->l3->cache, map_part_blocks(&w->map),
                                  w->map.interleave_bytes);
}

static struct cache *part_of(const struct functional_caches *w, uint64_t addr)
{
    return &w->part[map_channel(&w->map, addr)];
}

bool functional_l3_read(struct functional_caches *w, uint64_t addr)
{
    struct cache *c = part_of(w, addr);
    struct access a = {.addr = addr, .kind = ACCESS_READ};
    struct victim v;
    bool hit = cache_touch(c, &a, &v);
    if (v.dirty) functional_caches_open_row(w, v.tag << c->line_shift);
    return hit;
}

bool functional_l3_write(struct functional_caches *w, uint64_t addr)
{
    struct cache *c = part_of(w, addr);
    uint32_t line = cache_find(c, cache_tag(c, addr)), sector = cache_sector(c, addr);
    bool here = line != LINE_NONE && c->line[line].valid >> sector & 1;
    bool takes = w->l3->write_miss == L3_WRITE_MISS_ALLOCATE;
    bool stays = (here || takes) && w->l3->write == L3_WRITE_BACK;
    struct access a = {.addr = addr, .kind = ACCESS_WRITE, .allocate = true};
    struct victim v = {0};
    bytemask_first(c->p.sector_bytes, a.mask);
    if (stays)
        cache_touch(c, &a, &v);
    else if (here)
        cache_forget(c, line, (uint8_t)(1u << sector));
    if (v.dirty) functional_caches_open_row(w, v.tag << c->line_shift);
    return stays;
}
