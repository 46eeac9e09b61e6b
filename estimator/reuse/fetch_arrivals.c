/* fetch_arrivals.c - see fetch_arrivals.h. */
#include "estimator/reuse/fetch_arrivals.h"

#include "base/memory/alloc.h"

bool fetch_arrivals_add(struct fetch_arrivals *a, uint64_t time, uint64_t line)
{
    if (!mem_grow(&a->at, &a->cap, a->n + 1, sizeof *a->at)) return false;
    size_t i = a->n++;
    for (; i && a->at[(i - 1) / 2].time > time; i = (i - 1) / 2)
        a->at[i] = a->at[(i - 1) / 2];
    a->at[i] = (struct fetch_arrival){time, line};
    return true;
}

bool fetch_arrivals_take(struct fetch_arrivals *a, uint64_t now, uint64_t *line)
{
    if (!a->n || a->at[0].time > now) return false;
    *line = a->at[0].line;
    struct fetch_arrival last = a->at[--a->n];
    size_t i = 0;
    for (size_t below = 1; below < a->n; below = 2 * i + 1) {
        if (below + 1 < a->n && a->at[below + 1].time < a->at[below].time) below++;
        if (a->at[below].time >= last.time) break;
        a->at[i] = a->at[below];
        i = below;
    }
    if (a->n) a->at[i] = last;
    return true;
}

void fetch_arrivals_fini(struct fetch_arrivals *a)
{
    mem_free(a->at);
    *a = (struct fetch_arrivals){0};
}
