/* accuracy_check.h - measures how far the sweep's cheap answers may be trusted: the full cycle
 * model runs some of the sweep's points, drawn at random, and each result is compared with the
 * answer of the sweep's own engine.
 *
 * The errors cover every point drawn.  The draw depends only on the seed and on the points that it
 * draws from: all points, or, for engine auto, those that it did not simulate itself.  The answer
 * that is compared for engine auto is its calibrated estimate (prediction.h).  The sweep's store
 * keeps all results, so that a second check costs nothing. */
#pragma once

#include "calibration/rank_correlation.h"
#include "sweeps/run/runner.h"

struct accuracy_check_row {
    uint32_t point, workload;
    double answer, simulated; /* cycles; NaN: that run failed */
    double low, high;         /* the answer's range; NaN: none is stated */
};

struct accuracy_check {
    struct accuracy_check_row *row; /* by workload, then point */
    uint32_t n, n_points, failed;
    struct run_result simulated; /* points that the cycle model ran */
};

/* Draws `count` different points out of 0..points-1, in ascending order; count <= points. */
void accuracy_check_draw(uint32_t points, uint32_t count, uint64_t seed, uint32_t *out);
/* Simulates `count` points (all, if the sweep has fewer) with every workload.  An auto sweep that
 * has no answers yet is an ERROR_INPUT. */
bool accuracy_check_run(struct accuracy_check *c, const struct plan *p, struct store *s,
                        uint32_t count, uint64_t seed, unsigned threads, struct progress *progress,
                        struct error *e);
void accuracy_check_fini(struct accuracy_check *c);
/* The errors of one workload, or of all with UINT32_MAX; rank pairs always belong to one
 * workload. */
struct error_summary accuracy_check_errors(const struct accuracy_check *c, uint32_t workload);
bool accuracy_check_held(const struct accuracy_check_row *r); /* its range has the simulation */
/* The share of answers whose range has the simulated cycles; NaN: no answer states one. */
double accuracy_check_coverage(const struct accuracy_check *c);
struct rank_correlation accuracy_check_rank(const struct accuracy_check *c, uint32_t workload);
