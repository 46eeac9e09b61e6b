/* delay_line.h - growing FIFO of (time, handle), used as a delay line: entries leave in the order
 * in which they entered.
 *
 * fifo_push may allocate when the FIFO grows past every earlier length (never in steady state);
 * without memory it drops the entry, and the run ends with this tick (mem_refusals). The oldest
 * entry's time is stored next to the length, so that a check whether something is due does not
 * touch the entries. Entries hold only the lower half of their time, to save space in the host's
 * caches: the times of neighbours in a queue differ by less than 2^31. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct fifo_entry {
    uint32_t time; /* lower half of the time: see fifo_time */
    uint32_t value;
};

struct fifo {
    struct fifo_entry *slot;
    uint64_t due;           /* the oldest entry's time, UINT64_MAX: empty */
    uint32_t mask, head, n; /* room = mask + 1, or 0 */
    uint32_t room;
};

/* reserve = 0: no memory before the first push.  false: no memory. */
bool fifo_init(struct fifo *f, uint32_t reserve);
void fifo_fini(struct fifo *f);
bool fifo_grow(struct fifo *f); /* doubles; false: no memory */

static inline void fifo_clear(struct fifo *f)
{
    f->head = f->n = 0;
    f->due = UINT64_MAX;
}
static inline bool fifo_push(struct fifo *f, uint64_t time, uint32_t value)
{
    if (f->n == f->room && !fifo_grow(f)) return false;
    if (!f->n) f->due = time;
    f->slot[(f->head + f->n++) & f->mask] = (struct fifo_entry){(uint32_t)time, value};
    return true;
}
static inline struct fifo_entry *fifo_front(const struct fifo *f)
{
    return &f->slot[f->head & f->mask];
}
static inline struct fifo_entry *fifo_at(const struct fifo *f, uint32_t i)
{
    return &f->slot[(f->head + i) & f->mask];
}
/* The i-th oldest entry's time. */
static inline uint64_t fifo_time(const struct fifo *f, uint32_t i)
{
    return f->due + (uint64_t)(int32_t)(fifo_at(f, i)->time - (uint32_t)f->due);
}
/* Sets the time of the entries from the i-th oldest on. */
static inline void fifo_delay(struct fifo *f, uint32_t i, uint64_t time)
{
    if (!i && f->n) f->due = time;
    for (; i < f->n; i++)
        fifo_at(f, i)->time = (uint32_t)time;
}
/* Puts an entry behind all that are not later: for lines whose entries take different times. */
bool fifo_push_by_time(struct fifo *f, uint64_t time, uint32_t value);
static inline uint32_t fifo_pop(struct fifo *f) /* precondition: not empty */
{
    uint32_t v = fifo_front(f)->value;
    if (f->n == 1) {
        fifo_clear(f); /* so that a short queue stays in the same cache lines */
        return v;
    }
    f->due = fifo_time(f, 1);
    f->head++;
    f->n--;
    return v;
}
