/* time_left.h - how long the rest of a sweep will take.
 *
 * Its runs: from stored runs of the same program; where there are none, from trials on points that
 * are left, cut short for the cycle model, whose time goes with the program's instructions.  Storing
 * them is not told: 0.2 ms a run, which shows where estimates take no longer than that.
 * Its profiles: one of each program and view that the points left need and the cache does not hold,
 * timed on the first CTAs of the program's launches; its time goes with the instructions, too.
 * Trials leave neither profiles nor runs behind.  After some seconds of them the other programs are
 * told from those tried. */
#ifndef PLUMB_SWEEPS_RUN_TIME_LEFT_H
#define PLUMB_SWEEPS_RUN_TIME_LEFT_H

#include "sweeps/plan/plan.h"
#include "sweeps/run/runner.h"
#include "sweeps/store/store.h"

struct forecast {
    double seconds;         /* all of it, on the request's threads */
    double run_seconds;     /* mean of the runs left, each on one thread */
    uint32_t profiles;      /* to be made */
    double profile_seconds; /* mean of these, on all threads */
    bool measured;          /* by trials, not from stored runs */
};

/* Of what the request leaves to do; s NULL: nothing is stored.  false: *e. */
bool forecast_left(struct forecast *f, const struct plan *p, struct store *s,
                   const struct run_request *q, struct error *e);
/* run_seconds and measured alone, of simulations of every program on the sweep's first point. */
bool forecast_simulations(struct forecast *f, const struct plan *p, struct store *s,
                          struct error *e);

#endif
