/* ring.h - bounded FIFO of 32-bit handles, capacity fixed at init (rounded up to a power of two
 * inside, the bound stays exact).  Ports between components are rings of request indices.
 * Invariant: 0 <= n <= bound.  Push on a full ring returns false and changes nothing. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ring {
    uint32_t *slot;
    uint32_t mask, bound;
    uint32_t head, n;
};

bool ring_init(struct ring *r, uint32_t bound); /* bound >= 1; false: no memory */
void ring_fini(struct ring *r);

static inline bool ring_empty(const struct ring *r)
{
    return r->n == 0;
}
static inline bool ring_push(struct ring *r, uint32_t v)
{
    if (r->n == r->bound) return false;
    r->slot[(r->head + r->n++) & r->mask] = v;
    return true;
}
static inline uint32_t ring_at(const struct ring *r, uint32_t i)
{
    return r->slot[(r->head + i) & r->mask];
}
static inline uint32_t ring_pop(struct ring *r) /* not empty */
{
    uint32_t v = r->slot[r->head & r->mask];
    r->head++;
    r->n--;
    return v;
}
