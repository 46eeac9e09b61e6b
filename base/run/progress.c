/* progress.c - see progress.h. */
#include "base/run/progress.h"

#include <time.h>

static const double SHOW_EVERY = 0.2; /* seconds */

_Atomic bool plumb_interrupted;

double progress_clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(struct progress *p, const char *what, uint64_t total)
{
    p->what = what;
    p->total = total;
    atomic_store(&p->done, 0);
    atomic_store(&p->failed, 0);
    atomic_store(&p->showing, false);
    p->started = p->shown = progress_clock_seconds();
    p->items = p->ahead = (struct progress_work){0};
    p->note[0] = p->part[0] = '\0';
    if (p->show) p->show(p, 0, false, p->ctx);
}

void progress_add(struct progress *p, uint64_t n)
{
    atomic_fetch_add(&p->done, n);
    if (!p->show || atomic_exchange(&p->showing, true)) return; /* another thread is showing */
    double now = progress_clock_seconds();
    if (now - p->shown >= SHOW_EVERY) {
        p->shown = now;
        p->show(p, now - p->started, false, p->ctx);
    }
    atomic_store(&p->showing, false);
}

void progress_finish(struct progress *p)
{
    if (p->show) p->show(p, progress_clock_seconds() - p->started, true, p->ctx);
}

static double left_of(const struct progress_work *w, double seconds)
{
    if (w->done >= w->all) return 0;
    return w->done > 0 ? seconds / w->done * (w->all - w->done) : -1;
}

double progress_seconds_left(const struct progress *p, double seconds)
{
    uint64_t done = atomic_load(&p->done);
    if (p->total == 0 || done == 0) return -1;
    if (done >= p->total) return 0;
    struct progress_work alike = {.all = (double)p->total, .done = (double)done};
    double items = left_of(p->items.all > 0 ? &p->items : &alike, seconds - p->ahead.seconds);
    double ahead = left_of(&p->ahead, p->ahead.seconds);
    return items < 0 || ahead < 0 ? -1 : items + ahead;
}
