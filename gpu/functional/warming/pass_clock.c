/* pass_clock.c - see pass_clock.h. */
#include "gpu/functional/warming/pass_clock.h"

#include "base/memory/alloc.h"

void pass_clock_fini(struct pass_clock *t)
{
    mem_free(t->mark);
    *t = (struct pass_clock){0};
}

bool pass_clock_note(struct pass_clock *t, uint64_t done, double time, bool end)
{
    struct pass_clock_mark *last = t->n ? &t->mark[t->n - 1] : NULL;
    if (end && done > t->ended) t->ended = done;
    if (last && done <= last->done) {
        if (end && done == last->done && time > last->time) last->time = time;
        return true;
    }
    if (last && !end && done - last->done < t->step) return true;
    if (!mem_grow(&t->mark, &t->cap, t->n + 1, sizeof *t->mark)) return false;
    t->mark[t->n++] = (struct pass_clock_mark){.done = done, .time = time};
    return true;
}

bool pass_clock_knows(const struct pass_clock *t, uint64_t done)
{
    return t->n && (done <= t->ended || done < t->mark[t->n - 1].done);
}

double pass_clock_at(const struct pass_clock *t, uint64_t done)
{
    size_t low = 0, high = t->n - 1; /* find the first mark at or after `done` */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->mark[middle].done < done)
            low = middle + 1;
        else
            high = middle;
    }
    const struct pass_clock_mark *to = &t->mark[low];
    if (to->done <= done || low == 0) return to->time;
    const struct pass_clock_mark *from = to - 1;
    double part = (double)(done - from->done) / (double)(to->done - from->done);
    return from->time + part * (to->time - from->time);
}
