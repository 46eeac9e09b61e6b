/* tlb_tags.h - the pages in a TLB: a cache (cache.h) in which each line stands for a page. Which
 * page leaves a full set is the least recently used one. */
#pragma once

#include "gpu/cache/cache.h"

static inline bool tlb_tags_have(const struct cache *c, uint64_t page)
{
    return cache_find(c, page) != LINE_NONE;
}

/* Makes the page the most recently used one of its set; takes it in if it is not there. Returns
 * whether it was. */
static inline bool tlb_tags_touch(struct cache *c, uint64_t page)
{
    const struct access a = {.addr = page << c->line_shift, .kind = ACCESS_READ};
    struct victim v;
    return cache_touch(c, &a, &v);
}
