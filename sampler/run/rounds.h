/* rounds.h - sequential stratified sampling: which units run next, and when there are enough.
 *
 * First come two units of every stratum, in an order that the seed fixes.  Neighbours in that order
 * lie far apart in the program, so that the first units already show a drift; or, if the functional
 * pass timed them, far apart in its clock, so that rare long units appear as often as they occur.
 * Then come rounds: the observed spread gives the number of missing units, and each goes where it
 * lowers the variance of the total most per instruction (stratified.h).  A round adds at most half
 * as many units as there are.  Sampling ends when the half width is reached with enough degrees of
 * freedom, when the budget is used up, or when every unit was run.
 *
 * The caller provides the results of units: from the cycle model, or from a file of earlier results
 * (bench/sampler_coverage.c).  Units: warp instructions. Source: Cochran 1977, 5.5; Wright 2014. */
#pragma once

#include "sampler/extrapolation/extrapolate.h"

/* Fills m and cost of each run; false: *e is set, and a run without cost did not finish. */
typedef bool rounds_source(struct interval_run *run, uint32_t n, void *ctx, struct error *e);

/* Embedded by value; the caller sets the first part, rounds_start the rest. */
struct rounds {
    const struct population *pop;
    const struct launch_size *size; /* [launches] */
    uint32_t warmup;                /* instructions per resident warp */
    double error, confidence;       /* the relative half width of cycles to reach */
    struct systematic_error doubt;  /* systematic errors of placement and warm-up */
    uint64_t budget, spent, warmed; /* warmed: the part of `spent` before the measured parts */
    uint64_t seed;
    uint32_t expected; /* predicted number of observations at the end */
    bool plain;        /* no control variate */
    rounds_source *source;
    void *ctx;
    /* The order in which each stratum's units are taken: order[start[h] ..], taken[h] of units[h]
     * so far. */
    uint32_t *order, *start, *taken, *units;
    double *sd, *cost;
    struct interval_run *run; /* the observations */
    size_t runs, cap;
};

bool rounds_start(struct rounds *r, struct error *e);
void rounds_fini(struct rounds *r); /* call it after rounds_start in either case */
void rounds_set_warmup(struct rounds *r, uint32_t per_warp);

/* The i-th unit of stratum h in its order. */
const struct sample_unit *rounds_unit(const struct rounds *r, uint32_t h, uint32_t i);
/* The cost, with the current warm-up, of two units of every stratum less those already taken. */
uint64_t rounds_least_cost(const struct rounds *r);
/* rounds_append adds a unit to the list of runs; rounds_run_from runs the list from index `from`
 * on. */
bool rounds_append(struct rounds *r, const struct sample_unit *u, uint32_t warmup, struct error *e);
bool rounds_run_from(struct rounds *r, size_t from, struct error *e);
/* Runs units until there are enough. */
bool rounds_run(struct rounds *r, struct error *e);

/* Whether the goal is likely to be reached within the budget, judging by the runs so far. */
bool rounds_within(const struct rounds *r, bool *within, struct error *e);

/* How many observations with the deviations sd[strata] would give the variance that the present
 * ones give with r->sd. */
uint32_t rounds_needed(const struct rounds *r, const double *sd, struct error *e);

bool rounds_all_taken(const struct rounds *r);
/* The half width that sampling alone may have, so that together with the placement error it meets
 * the requested half width; at least the placement error, which more units would not reduce, and at
 * most the requested half width. */
double rounds_goal(const struct rounds *r, const struct extrapolation *x);
