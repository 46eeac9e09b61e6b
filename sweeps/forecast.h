/* forecast.h - how long the rest of a sweep will take, from runs like it: those that the store
 * holds, else one of each program on the sweep's first point, cut short for the cycle model. */
#ifndef PLUMB_SWEEPS_FORECAST_H
#define PLUMB_SWEEPS_FORECAST_H

#include "sweeps/plan.h"
#include "sweeps/store.h"

struct forecast {
    double run_seconds; /* mean over the programs */
    bool measured;      /* on the first point now, not from stored runs */
};

/* s NULL: nothing is stored.  false: *e. */
bool forecast_engine(struct forecast *f, const struct plan *p, struct store *s, enum engine engine,
                     struct error *e);

#endif
