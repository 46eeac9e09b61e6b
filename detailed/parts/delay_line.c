/* delay_line.c - the memory of FIFOs, and insertion by time for lines whose entries take different
 * times. A ring has a power of two of slots, doubles when it is full and never shrinks. */
#include "detailed/parts/delay_line.h"

#include "base/memory/alloc.h"

enum { LEAST = 16 };

bool fifo_init(struct fifo *f, uint32_t reserve)
{
    *f = (struct fifo){.due = UINT64_MAX};
    if (!reserve) return true;
    f->room = LEAST;
    while (f->room < reserve)
        f->room *= 2;
    f->mask = f->room - 1;
    f->slot = mem_new_unset(f->room, sizeof *f->slot);
    return f->slot != NULL;
}

void fifo_fini(struct fifo *f)
{
    mem_free(f->slot);
    *f = (struct fifo){0};
}

bool fifo_grow(struct fifo *f)
{
    uint32_t room = f->room ? f->room * 2 : LEAST;
    struct fifo_entry *slot = mem_new_unset(room, sizeof *slot);
    if (!slot) return false;
    for (uint32_t i = 0; i < f->n; i++)
        slot[i] = *fifo_at(f, i);
    mem_free(f->slot);
    f->slot = slot;
    f->room = room;
    f->mask = room - 1;
    f->head = 0;
    return true;
}

bool fifo_push_by_time(struct fifo *f, uint64_t time, uint32_t value)
{
    uint32_t i = f->n;
    if (!fifo_push(f, time, value)) return false;
    for (; i > 0 && fifo_time(f, i - 1) > time; i--)
        *fifo_at(f, i) = *fifo_at(f, i - 1);
    *fifo_at(f, i) = (struct fifo_entry){(uint32_t)time, value};
    if (i == 0) f->due = time;
    return true;
}
