#include "detailed/req.h"

#include "base/mem.h"

static void chain_free(struct req_pool *p, uint32_t from)
{
    for (uint32_t i = from; i < p->cap; i++)
        p->item[i].next = i + 1 < p->cap ? i + 1 : REQ_NONE;
    p->free = from;
}

bool req_pool_init(struct req_pool *p, uint32_t reserve)
{
    *p = (struct req_pool){
        .item = mem_new(reserve, sizeof *p->item), .cap = reserve, .free = REQ_NONE};
    if (!p->item) return false;
    chain_free(p, 0);
    return true;
}

void req_pool_fini(struct req_pool *p)
{
    mem_free(p->item);
    *p = (struct req_pool){0};
}

void req_pool_clear(struct req_pool *p)
{
    chain_free(p, 0);
    p->used = 0;
}

uint32_t req_pool_refill(struct req_pool *p)
{
    uint32_t old = p->cap;
    size_t cap = p->cap;
    if (!mem_grow(&p->item, &cap, (size_t)old * 2, sizeof *p->item)) return REQ_NONE;
    p->cap = (uint32_t)cap;
    chain_free(p, old);
    return p->free;
}
