/* mem_op.c - the pool of operations between L2 slices and memory: an array with a chain of free
 * operations, which doubles when none is left and moves then. */
#include "detailed/dram/mem_op.h"

#include "base/memory/alloc.h"

bool mem_op_pool_init(struct mem_op_pool *p)
{
    *p = (struct mem_op_pool){.pool = POOL(struct mem_op, next)};
    return pool_grow(&p->pool, &p->op);
}

void mem_op_pool_fini(struct mem_op_pool *p)
{
    mem_free(p->op);
    *p = (struct mem_op_pool){0};
}

void mem_op_pool_clear(struct mem_op_pool *p)
{
    pool_clear(&p->pool, &p->op);
}

uint32_t mem_op_take(struct mem_op_pool *p, const struct mem_op *op)
{
    uint32_t i = pool_take(&p->pool, &p->op);
    if (i != POOL_NONE) p->op[i] = *op;
    return i;
}

void mem_op_give(struct mem_op_pool *p, uint32_t i)
{
    pool_give(&p->pool, &p->op, i);
}
