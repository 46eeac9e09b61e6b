/* best_so_far.h - the best point seen so far while a sweep runs, for who watches: by the first
 * objective that is a metric, the geometric mean over the programs, among points whose runs were
 * all made since the start. */
#ifndef PLUMB_SWEEPS_RUN_BEST_SO_FAR_H
#define PLUMB_SWEEPS_RUN_BEST_SO_FAR_H

#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

struct best {
    const struct objective *aim; /* NULL: no objective is a metric */
    double *sum;                 /* [point] of logarithms */
    uint32_t *runs;              /* [point] */
    uint32_t workloads, point;
    double value;
};

bool best_init(struct best *b, const struct plan *p, struct error *e);
void best_fini(struct best *b);
/* One thread at a time.  true: there is a new best. */
bool best_add(struct best *b, uint32_t point, const struct record *r);
/* "best cycles 6940 at point 68" */
void best_text(const struct best *b, char out[96]);

#endif
