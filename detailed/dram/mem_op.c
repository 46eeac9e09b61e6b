/* mem_op.c - the pool of operations between L2 slices and memory: an array with a chain of free
 * operations, which doubles when none is left and moves then. */
#include "detailed/dram/mem_op.h"

#include "base/memory/alloc.h"

enum { MEM_OPS_AT_FIRST = 256 };

static void chain_ops(struct mem_op_pool *p, uint32_t from)
{
    for (uint32_t i = from; i < p->cap; i++)
        p->op[i].next = i + 1 < p->cap ? i + 1 : MEM_OP_NONE;
    p->free = from;
}

bool mem_op_pool_init(struct mem_op_pool *p)
{
    *p = (struct mem_op_pool){.cap = MEM_OPS_AT_FIRST, .free = MEM_OP_NONE};
    p->op = mem_new(p->cap, sizeof *p->op);
    if (!p->op) return false;
    chain_ops(p, 0);
    return true;
}

void mem_op_pool_fini(struct mem_op_pool *p)
{
    mem_free(p->op);
    *p = (struct mem_op_pool){0};
}

void mem_op_pool_clear(struct mem_op_pool *p)
{
    chain_ops(p, 0);
    p->used = 0;
}

static bool more_ops(struct mem_op_pool *p)
{
    uint32_t old = p->cap;
    size_t cap = old;
    if (!mem_grow(&p->op, &cap, (size_t)old * 2, sizeof *p->op)) return false;
    p->cap = (uint32_t)cap;
    chain_ops(p, old);
    return true;
}

uint32_t mem_op_take(struct mem_op_pool *p, const struct mem_op *op)
{
    if (p->free == MEM_OP_NONE && !more_ops(p)) return MEM_OP_NONE;
    uint32_t i = p->free;
    p->free = p->op[i].next;
    p->op[i] = *op;
    p->used++;
    return i;
}

void mem_op_give(struct mem_op_pool *p, uint32_t i)
{
    p->op[i].next = p->free;
    p->free = i;
    p->used--;
}
