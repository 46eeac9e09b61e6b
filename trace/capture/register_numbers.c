/* register_numbers.c - see register_numbers.h. */
#include "trace/capture/register_numbers.h"

#include "base/memory/alloc.h"
#include "trace/stream/inst.h"

#include <stdlib.h>

static int by_tail(const void *a, const void *b)
{
    const struct live_loop *x = a, *y = b;
    return (x->tail > y->tail) - (x->tail < y->tail);
}

void register_numbers_extend(struct live_range *r, size_t n, struct live_loop *loop, size_t n_loops)
{
    /* inner loops end first, so that outer loops see the ranges that they extend */
    if (n_loops) qsort(loop, n_loops, sizeof *loop, by_tail);
    for (size_t l = 0; l < n_loops; l++)
        for (size_t i = 0; i < n; i++)
            if (r[i].first < loop[l].head && r[i].last >= loop[l].head && r[i].last < loop[l].tail)
                r[i].last = loop[l].tail;
}

static int by_first(const void *a, const void *b)
{
    const struct live_range *const *x = a, *const *y = b;
    if ((*x)->first != (*y)->first) return (*x)->first < (*y)->first ? -1 : 1;
    return (*x > *y) - (*x < *y); /* equal starts: in the order of the array */
}

/* Takes the lowest consecutive numbers whose values have ended when r begins. */
static bool take_numbers(uint32_t *busy_to, uint32_t *n_numbers, struct live_range *r)
{
    uint32_t words = r->words ? r->words : 1, end = 0, run = 0;
    for (; run < words && end < REG_NONE; end++)
        run = end < *n_numbers && busy_to[end] > r->first ? 0 : run + 1;
    if (run < words) return false;
    if (end > *n_numbers) *n_numbers = end;
    for (uint32_t i = end - words; i < end; i++)
        busy_to[i] = r->last > r->first ? r->last : r->first + 1;
    r->number = (uint16_t)(end - words);
    return true;
}

bool register_numbers_assign(struct live_range *r, size_t n)
{
    struct live_range **order = mem_new(n ? n : 1, sizeof *order);
    uint32_t *busy_to = mem_new(REG_NONE, sizeof *busy_to);
    size_t named = 0;
    for (size_t i = 0; order && i < n; i++) {
        r[i].number = REG_NONE;
        if (r[i].first <= r[i].last) order[named++] = &r[i];
    }
    bool ok = order && busy_to;
    if (ok) qsort(order, named, sizeof *order, by_first);
    uint32_t n_numbers = 0;
    for (size_t i = 0; ok && i < named; i++)
        ok = take_numbers(busy_to, &n_numbers, order[i]);
    mem_free(order);
    mem_free(busy_to);
    return ok;
}
