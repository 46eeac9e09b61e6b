/* time_left.h - predicts how long the rest of a sweep will take.
 *
 * The time of runs follows from stored runs of the same program.  Where there are none it follows
 * from trials on points that are left; trials of the cycle model are cut short, as its time is
 * proportional to the program's instructions.  Runs are stored one after another. The time of
 * profiles: one is made for each program and view that the remaining points need and the cache
 * lacks.  A trial times it on the first CTAs of the program's launches; it is proportional to the
 * instructions, too. Trials store neither profiles nor runs.  After some seconds of trials the
 * times of the remaining programs are predicted from those tried. */
#pragma once

#include "sweeps/plan/plan.h"
#include "sweeps/run/runner.h"
#include "sweeps/store/store.h"

struct forecast {
    double seconds;         /* total, on the request's threads */
    double run_seconds;     /* mean of the remaining runs, each on one thread */
    uint32_t profiles;      /* number still to be made */
    double profile_seconds; /* mean of these, on all threads */
    bool measured;          /* by trials; false: from stored runs */
};

/* Predicts the time for what the request leaves to do; s NULL: nothing is stored.  false: *e says
 * why. */
bool forecast_left(struct forecast *f, const struct plan *p, struct store *s,
                   const struct run_request *q, struct error *e);
/* Fills only run_seconds and measured, for simulations of every program on the sweep's first
 * point. */
bool forecast_simulations(struct forecast *f, const struct plan *p, struct store *s,
                          struct error *e);
