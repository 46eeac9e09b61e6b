#include "detailed/fifo.h"

#include "base/mem.h"

bool fifo_init(struct fifo *f, uint32_t reserve)
{
    uint32_t cap = 16;
    while (cap < reserve)
        cap *= 2;
    *f = (struct fifo){.slot = mem_new(cap, sizeof *f->slot), .mask = cap - 1, .due = UINT64_MAX};
    return f->slot != NULL;
}

void fifo_fini(struct fifo *f)
{
    mem_free(f->slot);
    *f = (struct fifo){0};
}

bool fifo_grow(struct fifo *f)
{
    uint32_t cap = (f->mask + 1) * 2;
    struct fifo_entry *slot = mem_new(cap, sizeof *slot);
    if (!slot) return false;
    for (uint32_t i = 0; i < f->n; i++)
        slot[i] = *fifo_at(f, i);
    mem_free(f->slot);
    f->slot = slot;
    f->mask = cap - 1;
    f->head = 0;
    return true;
}
