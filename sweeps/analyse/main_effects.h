/* main_effects.h - which axis matters: each axis' share of the variance of a goal's logarithm over
 * a sweep's points.
 *
 * Computes main effects and interactions of pairs as an analysis of variance does.  The result is
 * exact where the points fill a full grid once.  Elsewhere axes with more than EFFECTS_LEVELS
 * values are cut into EFFECTS_BINS of equal counts, and the share that the same number of groups
 * would explain by chance is subtracted; shares of correlated axes then overlap.  The report's page
 * computes the same (report/stats.js). */
#pragma once

#include "sweeps/analyse/results.h"

enum { EFFECTS_LEVELS = 12, EFFECTS_BINS = 6 };

struct effect {
    uint32_t axis, other; /* other: RESULTS_NONE for a main effect */
    double share;         /* of the variance, 0..1 */
    double swing;         /* main effects only: the largest level mean over the smallest */
};

struct effects {
    struct effect *effect; /* the largest share first; NULL: nothing varies */
    uint32_t n, points;
    bool even; /* the points fill a full grid once */
};

/* Reads value[machine] and skips values that are not above 0.  false: out of memory.  The caller
 * calls effects_fini in either case. */
bool effects_find(struct effects *x, const struct results *r, const double *value);
void effects_fini(struct effects *x);
