/* train.h - calibrates the estimator: chooses design points, samples them with the cycle model, and
 * fits the calibration to the results.
 *
 * Points are drawn from a plan's grid by a Sobol sequence (GSL), which spreads a few of them evenly
 * over all axes.  TRAIN_ACTIVE draws 64 such points (or twice as many as requested, if that is
 * more). For each program it sorts them: next comes the point of which the earlier ones say least
 * (calibration/posterior.h).  It spends a third of the runs on every program's first points, and
 * shares out the rest in batches: each run goes to the program whose next point is least certain,
 * programs with large errors first.  For a machine without a
 * sweep, plan_around makes the plan: a few memory parameters, each at some legal values around the
 * machine's own; the machine itself is always the first point.  Source: Sobol' 1967; design of the
 * calibration in docs/models/calibration.md. */
#pragma once

#include "base/run/progress.h"
#include "calibration/calibrate.h"
#include "sweeps/plan/plan.h"

/* Makes a plan without a file, with axes around the machine.  The caller calls plan_fini in either
 * case. */
bool plan_around(struct plan *p, const char *machine, const char *const *sets, uint32_t n_sets,
                 const char *const *programs, uint32_t n_programs, struct errors *all);

struct train_row {
    uint32_t point, workload;
    double sampled, half_width; /* cycles; relative */
    double raw, fitted; /* estimates in cycles: uncalibrated; from a fit to all other rows */
    double left_out;    /* log(sampled / fitted) */
};

struct training {
    struct calibration calibration;
    struct train_row *row;
    uint32_t points;    /* points sampled with at least one workload */
    uint32_t n, failed; /* n: rows; failed: sampled runs that failed, which have no row */
    char first_failure[512];
};

enum train_choice { TRAIN_SPREAD, TRAIN_ACTIVE, TRAIN_RANDOM };
struct train_request {
    /* design points, each sampled with every workload; active: the same number of runs */
    uint32_t points;
    enum train_choice choose;
    const char *runs; /* the database that keeps the runs and has earlier ones; NULL: memory */
    uint64_t seed;    /* TRAIN_RANDOM: of the random choice */
    double seconds;   /* TRAIN_ACTIVE: start no run that would end later; 0: no limit */
    unsigned threads;
    struct progress *progress;
};

bool train(struct training *t, const struct plan *p, const struct train_request *q,
           struct error *e);
void train_fini(struct training *t);

/* Draws up to `count` different legal points of the plan's grid; returns how many.  first: a point
 * that comes before them; UINT32_MAX: none. */
uint32_t train_points(const struct plan *p, uint32_t count, uint32_t first, uint32_t *out);
/* As train_points, of points that are not taken[point]; marks them there.  skip: how many elements
 * of the sequence to pass over, to continue where another call ended. */
uint32_t train_points_among(const struct plan *p, uint32_t skip, uint32_t count, bool *taken,
                            uint32_t *out);
/* The point where every axis has the (first) machine's own value; UINT32_MAX: there is none. */
uint32_t train_own_point(const struct plan *p);
