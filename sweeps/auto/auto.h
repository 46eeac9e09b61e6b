/* auto.h - engine "auto": estimates every point, simulates the few that inform most, calibrates,
 * and confirms the Pareto front by simulation.
 *
 * It first estimates every point and simulates points that are spread evenly.  Then, in each round,
 * it corrects the estimates by all simulated runs (calibration/calibrate.h), predicts every point
 * with its standard error, and chooses a batch to simulate (auto_choose.h): members of the
 * predicted front that are not simulated yet, points that may be the best, points that may belong
 * to the best 5 %.  It ends when no such point is left, when the front is simulated and both the
 * stated error (auto_model.h) and the error of the last round's predictions are within the
 * budget's, or when the budget of points or core hours is spent.
 *
 * After every round the store holds the predictions, the ranking and the round's figures, so that a
 * user can read them at any time.  Engine auto learns only from points that it chose itself.  So a
 * killed sweep repeats its choices (their runs are stored) and ends with the same result, the
 * number of threads does not matter, and points simulated by `sweep check` remain an independent
 * test.
 *
 * Source: design section 9; Jones 1998 (confidence bounds in optimisation), Knowles 2006 (ParEGO,
 * for several objectives). */
#pragma once

#include "base/run/progress.h"
#include "sweeps/plan/plan.h"
#include "sweeps/ranking/summary.h"
#include "sweeps/run/runner.h"
#include "sweeps/store/store.h"

/* Makes the requested runs that the store lacks and puts them there, as runner_run does. */
typedef bool auto_make_fn(const struct plan *p, struct store *s, const struct run_request *q,
                          struct run_result *r, struct error *e, void *ctx);

struct auto_request {
    unsigned threads;
    auto_make_fn *make; /* NULL: runner_run */
    void *make_ctx;
    struct progress *progress; /* of the runs under way; NULL: silent */
    /* Called after every round with a line of text for the user; may be NULL. */
    void (*say)(const char *line, void *ctx);
    void *ctx;
};

enum auto_end {
    AUTO_DONE,
    AUTO_CERTAIN,
    AUTO_POINTS_SPENT,
    AUTO_HOURS_SPENT,
    AUTO_NOTHING_LEFT,
    AUTO_INTERRUPTED
};

struct auto_result {
    int64_t sweep;
    /* simulated: points that the cycle model ran; failed: those with failures */
    uint32_t rounds, simulated, failed;
    uint32_t front, confirmed; /* front: points on the Pareto front; confirmed: those simulated */
    uint32_t limit;            /* the most points that it may simulate */
    /* stated mean |relative error| of the cycles of runs not simulated (auto_error.h); NaN:
     * unknown */
    double left_out;
    /* mean and worst error of what rounds predicted before they simulated it */
    double seen, seen_worst;
    double core_hours; /* time of the cycle model */
    enum auto_end end;
};

/* How many points engine auto may simulate: the budget's number, else 3 % of the points, at least
 * 8. */
uint32_t auto_limit(const struct plan *p);
/* How many of these it simulates, whatever the core hours, before it knows the cost of a point. */
uint32_t auto_first(const struct plan *p);
bool auto_run(const struct plan *p, struct store *s, const struct auto_request *q,
              struct auto_result *r, struct error *e);
