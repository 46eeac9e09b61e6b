/* request.c - the memory of the pool of requests: requests from a cache line's beginning on, and
 * beside them the byte masks of those that are wider than 32 bytes. The pool doubles when no
 * request is free and moves then. */
#include "detailed/parts/request.h"

#include "base/memory/alloc.h"

#include <string.h>

static bool room_for(struct req_pool *p, uint32_t n)
{
    enum { ALIGN = 64 };
    char *block = mem_new_unset((size_t)n + ALIGN / sizeof *p->item, sizeof *p->item);
    uint64_t(*mask)[2] = mem_new_unset(n, sizeof *mask);
    if (!block || !mask) {
        mem_free(block);
        mem_free(mask);
        return false;
    }
    struct req *item = (struct req *)(block + (ALIGN - (uintptr_t)block % ALIGN) % ALIGN);
    if (p->fresh) {
        memcpy(item, p->item, p->fresh * sizeof *item);
        memcpy(mask, p->mask, p->fresh * sizeof *mask);
    }
    mem_free(p->block);
    mem_free(p->mask);
    p->block = block;
    p->item = item;
    p->mask = mask;
    p->cap = n;
    return true;
}

bool req_pool_init(struct req_pool *p, uint32_t reserve)
{
    *p = (struct req_pool){.free = REQ_NONE};
    return room_for(p, reserve);
}

void req_pool_fini(struct req_pool *p)
{
    mem_free(p->block);
    mem_free(p->mask);
    *p = (struct req_pool){0};
}

void req_pool_clear(struct req_pool *p)
{
    p->free = REQ_NONE;
    p->fresh = p->used = 0;
}

void req_pool_part(struct req_pool *p, struct req_pool *of)
{
    struct req_pool *other = p->of ? p->other : of->parts;
    if (!p->of) of->parts = p;
    *p = (struct req_pool){
        .item = of->item, .mask = of->mask, .free = REQ_NONE, .of = of, .other = other};
}

/* Takes a block of the whole, whose other parts may do so at the same time. */
static bool take_block(struct req_pool *p)
{
    uint32_t first = __atomic_fetch_add(&p->of->fresh, REQ_BLOCK, __ATOMIC_RELAXED);
    if (first > p->of->cap - REQ_BLOCK) return false;
    p->fresh = first;
    p->cap = first + REQ_BLOCK;
    return true;
}

bool req_pool_reserve(struct req_pool *p, uint32_t n)
{
    while (p->cap - p->fresh < n)
        if (!req_pool_grow(p)) return false;
    return true;
}

bool req_pool_grow(struct req_pool *p)
{
    if (p->of) return take_block(p);
    if (p->cap > UINT32_MAX / 4 || !room_for(p, p->cap * 2)) return false;
    for (struct req_pool *part = p->parts; part; part = part->other) {
        part->item = p->item;
        part->mask = p->mask;
    }
    return true;
}
