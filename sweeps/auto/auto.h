/* auto.h - engine "auto": estimates every point, simulates the few that teach most, calibrates, and
 * confirms the Pareto front by simulation.
 *
 * Rounds: first every point is estimated, and a spread of points is simulated.  Then, round by
 * round, the estimator is calibrated with all that was simulated (sampler/calibration/calibrate.h)
 * and a surrogate fitted for each program (auto_surrogate.h), every point is predicted anew with
 * its standard error, and a batch is chosen (auto_choose.h): members of the predicted front that
 * are not simulated yet, what may be the best, what may belong to the best 5 %.  It ends when the
 * front is simulated and the stated error (auto_error.h) and that of what the last round predicted
 * are within the budget's, or when the budget of points or core hours is spent.
 *
 * After every round the beliefs, the ranking and the round's figures are in the store: what is
 * known can be used at any time.  Only points that it chose itself are learned from, so that a
 * killed sweep repeats its choices (their runs are stored) and ends as it would have, that the
 * number of threads does not matter, and that points simulated by `sweep check` stay unseen.
 *
 * Source: design section 9; Jones 1998 (confidence bounds in optimisation), Knowles 2006 (ParEGO,
 * for several objectives). */
#ifndef PLUMB_SWEEPS_AUTO_AUTO_H
#define PLUMB_SWEEPS_AUTO_AUTO_H

#include "base/run/progress.h"
#include "sweeps/analyse/summary.h"
#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

struct auto_request {
    unsigned threads;
    struct progress *progress; /* of what runs now; NULL: silent */
    /* Called after every round with its line for the user; may be NULL. */
    void (*say)(const char *line, void *ctx);
    void *ctx;
};

enum auto_end {
    AUTO_DONE,
    AUTO_POINTS_SPENT,
    AUTO_HOURS_SPENT,
    AUTO_NOTHING_LEFT,
    AUTO_INTERRUPTED
};

struct auto_result {
    int64_t sweep;
    uint32_t rounds, simulated, failed; /* points run by the cycle model; of these with failures */
    uint32_t front, confirmed;          /* points on the front; simulated of these */
    uint32_t limit;                     /* points that might be simulated */
    double left_out; /* stated mean |relative error| of cycles not simulated (auto_error.h); NaN */
    double seen, seen_worst; /* the same of what the rounds predicted before they simulated it */
    double core_hours;       /* of the cycle model */
    enum auto_end end;
};

/* How many points engine auto may simulate: the budget's, else 3 % of them, at least 8. */
uint32_t auto_limit(const struct plan *p);
/* Of these, how many it simulates before it knows what a point costs, whatever the core hours. */
uint32_t auto_first(const struct plan *p);
bool auto_run(const struct plan *p, struct store *s, const struct auto_request *q,
              struct auto_result *r, struct error *e);

#endif
