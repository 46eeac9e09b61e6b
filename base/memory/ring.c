/* ring.c - see ring.h. */
#include "base/memory/ring.h"

#include "base/memory/alloc.h"

#include <assert.h>

bool ring_init(struct ring *r, uint32_t bound)
{
    assert(bound >= 1 && bound <= 1u << 31);
    uint32_t capacity = 1;
    while (capacity < bound)
        capacity *= 2;
    *r = (struct ring){
        .slot = mem_new(capacity, sizeof *r->slot), .mask = capacity - 1, .bound = bound};
    return r->slot != NULL;
}

void ring_fini(struct ring *r)
{
    mem_free(r->slot);
    *r = (struct ring){0};
}
