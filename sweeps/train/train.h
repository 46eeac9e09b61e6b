/* train.h - calibrating the estimator: chooses design points, samples them with the cycle model,
 * fits.
 *
 * Points are drawn from a plan's grid by a Sobol sequence (GSL), which spreads a few of them evenly
 * over all axes.  TRAIN_ACTIVE takes 64 such points (twice as many as asked for, if these are
 * more), puts them for each program in the order in which they teach
 * (sampler/calibration/active_choice.h), samples all programs at their first ones, a third of the
 * runs, and shares out the others in batches: each to the program of which it is expected to lower
 * the variance most, at the next point of its order.  For a machine without a sweep, plan_around
 * makes the plan: a few memory parameters, each at some legal values around the machine's own; the
 * machine itself is always the first point. Source: Sobol' 1967; design of the calibration in
 * docs/models/calibration.md. */
#ifndef PLUMB_SWEEPS_TRAIN_TRAIN_H
#define PLUMB_SWEEPS_TRAIN_TRAIN_H

#include "base/run/progress.h"
#include "sampler/calibration/calibrate.h"
#include "sweeps/plan/plan.h"

/* A plan without a file, axes around the machine.  plan_fini it in either case. */
bool plan_around(struct plan *p, const char *machine, const char *const *sets, uint32_t n_sets,
                 const char *const *programs, uint32_t n_programs, struct errors *all);

struct train_row {
    uint32_t point, workload;
    double sampled, half_width; /* cycles; relative */
    double raw, fitted;         /* cycles as estimated before, and from the other rows */
    double left_out;            /* log(sampled / fitted) */
};

struct training {
    struct calibration calibration;
    struct train_row *row;
    uint32_t points;    /* that were sampled, with some workload */
    uint32_t n, failed; /* rows; sampled runs that failed and are not among them */
    char first_failure[512];
};

enum train_choice { TRAIN_SPREAD, TRAIN_ACTIVE, TRAIN_RANDOM };
struct train_request {
    uint32_t points; /* design points, each sampled with every workload; active: as many runs */
    enum train_choice choose;
    uint64_t seed;  /* TRAIN_RANDOM: of the choice */
    double seconds; /* TRAIN_ACTIVE: no further run that would end later; 0: no limit */
    unsigned threads;
    struct progress *progress;
};

bool train(struct training *t, const struct plan *p, const struct train_request *q,
           struct error *e);
void train_fini(struct training *t);

/* Up to `count` different legal points of the plan's grid; returns how many.  first: taken before
 * the others; UINT32_MAX = none. */
uint32_t train_points(const struct plan *p, uint32_t count, uint32_t first, uint32_t *out);
/* The same, of points that are not taken[point]; marks them there.  skip: places of the sequence
 * that are passed over, to go on where another call ended. */
uint32_t train_points_among(const struct plan *p, uint32_t skip, uint32_t count, bool *taken,
                            uint32_t *out);
/* The point where every axis has the (first) machine's own value; UINT32_MAX: there is none. */
uint32_t train_own_point(const struct plan *p);

#endif
