/* page_touches.c - see page_touches.h. */
#include "estimator/profile/page_touches.h"

#include "base/memory/alloc.h"

enum { RESERVE = 1024 };

bool page_touches_init(struct page_touches *t, uint32_t page_kb)
{
    *t = (struct page_touches){.last = UINT64_MAX};
    if (!page_kb) return true;
    t->shift = (uint32_t)__builtin_ctz(page_kb) + 10;
    return hash_map_init(&t->known, RESERVE);
}

void page_touches_fini(struct page_touches *t)
{
    mem_free(t->at);
    hash_map_fini(&t->known);
    *t = (struct page_touches){0};
}

bool page_touches_first(struct page_touches *t, uint64_t page, uint32_t sm)
{
    if (hash_map_get(&t->known, page)) return true;
    if (!hash_map_put(&t->known, page, sm) || !mem_grow(&t->at, &t->cap, t->n + 1, sizeof *t->at))
        return false;
    t->at[t->n++] = (struct page_touch){page, sm};
    return true;
}

void page_touches_seal(struct page_touches *t)
{
    t->digest = digest_bytes(t->at, t->n * sizeof *t->at);
}
