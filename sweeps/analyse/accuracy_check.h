/* accuracy_check.h - how far the sweep's cheap answers may be trusted: some of its points, drawn at
 * random, are run by the full cycle model and set beside what the sweep's own engine says.
 *
 * Honest over all points drawn: none is left out; the draw depends on the seed and the points to
 * draw from alone: all of them, or for engine auto those that it did not simulate itself.  What
 * stands beside the cycle model for auto is its answer, the calibrated estimate (prediction.h). All
 * is kept in the sweep's store, so that a second check costs nothing. */
#ifndef PLUMB_SWEEPS_ANALYSE_ACCURACY_CHECK_H
#define PLUMB_SWEEPS_ANALYSE_ACCURACY_CHECK_H

#include "sweeps/analyse/rank_correlation.h"
#include "sweeps/run/runner.h"

struct accuracy_check_row {
    uint32_t point, workload;
    double answer, simulated; /* cycles; NaN: that run failed */
    double log_sd;            /* of the answer's logarithm; NaN: nobody says */
};

struct accuracy_check {
    struct accuracy_check_row *row; /* by workload, then point */
    uint32_t n, n_points, failed;
    struct run_result simulated; /* what was run for it */
};

/* Different points 0..points-1, rising; count <= points. */
void accuracy_check_draw(uint32_t points, uint32_t count, uint64_t seed, uint32_t *out);
/* Simulates `count` points (all, if the sweep has fewer) with every workload.  An auto sweep that
 * has no answers yet is an ERROR_INPUT. */
bool accuracy_check_run(struct accuracy_check *c, const struct plan *p, struct store *s,
                        uint32_t count, uint64_t seed, unsigned threads, struct progress *progress,
                        struct error *e);
void accuracy_check_fini(struct accuracy_check *c);
/* Of one workload, or of all with UINT32_MAX; pairs for tau are always of one workload. */
struct error_summary accuracy_check_errors(const struct accuracy_check *c, uint32_t workload);
/* The share of answers whose 95 % interval holds the simulated cycles; NaN: none states one. */
double accuracy_check_coverage(const struct accuracy_check *c);
struct rank_correlation accuracy_check_rank(const struct accuracy_check *c, uint32_t workload);

#endif
