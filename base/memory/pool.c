#include "base/memory/pool.h"

#include "base/memory/alloc.h"

/* Chains the elements from `from` on, the lowest first. */
static void chain_free(struct pool *p, void *array, size_t from)
{
    p->free = POOL_NONE;
    for (size_t i = p->cap; i > from; i--) {
        *pool_link(p, array, (uint32_t)(i - 1)) = p->free;
        p->free = (uint32_t)(i - 1);
    }
}

bool pool_grow(struct pool *p, void *array)
{
    size_t old = p->cap;
    if (!mem_grow(array, &p->cap, old + 1, p->size)) return false;
    chain_free(p, array, old);
    return true;
}

void pool_clear(struct pool *p, void *array)
{
    chain_free(p, array, 0);
    p->used = 0;
}
