/* rounds.h - which units are run next, and when it is enough: sequential stratified sampling.
 *
 * Two units of every stratum in an order fixed by the seed, in which neighbours lie far apart in
 * the program (what drifts is met early, and the spread counts it), or, where that is known, in
 * what the functional pass's clock says of them (rare long ones are met as often as they are); then
 * rounds: the spread seen so far says how many units are missing, and each goes where it lowers the
 * variance of the total most per instruction (stratified.h).  A round adds at most half of what
 * stands. It ends when the half width is reached with observations to spare, when the budget is
 * used up, or when every unit was run.
 *
 * Where units come from is the caller's: the cycle model, or a file of what it once said
 * (bench/sampler_coverage.c).  Units: warp instructions.
 * Source: Cochran 1977, 5.5; Wright 2014. */
#ifndef PLUMB_SAMPLER_RUN_ROUNDS_H
#define PLUMB_SAMPLER_RUN_ROUNDS_H

#include "sampler/statistics/extrapolate.h"

/* Fills m and cost of each; false: *e is set, and what has no cost was not run. */
typedef bool rounds_source(struct interval_run *run, uint32_t n, void *ctx, struct error *e);

/* Embed; the caller sets the first part, rounds_start the rest. */
struct rounds {
    const struct population *pop;
    const struct launch_size *size; /* [launches] */
    uint32_t warmup;                /* instructions per resident warp */
    double error, confidence;       /* relative half width of cycles asked for */
    struct systematic_error doubt;  /* what placing and warming may leave */
    uint64_t budget, spent, warmed; /* warmed: of spent, before the measured parts */
    uint64_t seed;
    uint32_t expected; /* observations when it will be enough, as far as the spread says */
    bool plain;        /* no control variate */
    rounds_source *source;
    void *ctx;
    /* The order in which each stratum's units are taken: order[start[h] ..], taken[h] of units[h]
     * so far. */
    uint32_t *order, *start, *taken, *units;
    double *sd, *cost;
    struct interval_run *run; /* what was observed */
    size_t runs, cap;
};

bool rounds_start(struct rounds *r, struct error *e);
void rounds_fini(struct rounds *r); /* in either case */
void rounds_set_warmup(struct rounds *r, uint32_t per_warp);

/* The i-th unit of stratum h in its order. */
const struct sample_unit *rounds_unit(const struct rounds *r, uint32_t h, uint32_t i);
/* What two units of every stratum, less those that were taken, cost with the warm-up as it is. */
uint64_t rounds_least_cost(const struct rounds *r);
/* Puts a unit at the end of what is to be run; rounds_run_from runs those from index `from` on. */
bool rounds_append(struct rounds *r, const struct sample_unit *u, uint32_t warmup, struct error *e);
bool rounds_run_from(struct rounds *r, size_t from, struct error *e);
/* Until it is enough. */
bool rounds_run(struct rounds *r, struct error *e);

/* Whether the goal is likely to be reached within the budget, as far as the runs so far tell. */
bool rounds_within(const struct rounds *r, bool *within, struct error *e);

/* How many observations with the deviations sd[strata] would say as much as those taken do with
 * r->sd. */
uint32_t rounds_needed(const struct rounds *r, const double *sd, struct error *e);

bool rounds_all_taken(const struct rounds *r);
/* Half width that sampling alone may have, so that with the error of placing it makes what was
 * asked for; but not less than that of placing, since more units would not remove it, nor more than
 * what was asked for. */
double rounds_goal(const struct rounds *r, const struct extrapolation *x);
/* Observations beyond one per stratum, below which no half width is believed. */
enum { ROUNDS_FREE_WANTED = 4 };

#endif
