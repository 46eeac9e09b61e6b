/* best_so_far.h - the best point found while a sweep runs, shown to the user: by the first
 * objective that is a metric, as the geometric mean over the programs, among points whose runs were
 * all made since the start. */
#pragma once

#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

struct best {
    const struct objective *aim; /* NULL: no objective is a metric */
    double *sum;                 /* [point] sum of the logarithms of its runs */
    uint32_t *runs;              /* [point] number of runs */
    uint32_t workloads, point;
    double value;
};

bool best_init(struct best *b, const struct plan *p, struct error *e);
void best_fini(struct best *b);
/* Only one thread at a time may call it.  true: there is a new best point. */
bool best_add(struct best *b, uint32_t point, const struct record *r);
/* Such as "best cycles 6940 at point 68". */
void best_text(const struct best *b, char out[96]);
