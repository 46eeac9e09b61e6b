/* main_effects.h - which axis matters: shares of the variance of a goal's logarithm over a sweep's
 * points.
 *
 * Main effects and interactions of pairs as in an analysis of variance: exact where the points fill
 * a grid once.  Elsewhere axes with more than EFFECTS_LEVELS values are cut into EFFECTS_BINS of
 * equal counts and what as many groups would explain by chance is taken off; shares of correlated
 * axes then overlap.  The page computes the same (report/stats.js). */
#ifndef PLUMB_SWEEPS_ANALYSE_MAIN_EFFECTS_H
#define PLUMB_SWEEPS_ANALYSE_MAIN_EFFECTS_H

#include "sweeps/analyse/results.h"

enum { EFFECTS_LEVELS = 12, EFFECTS_BINS = 6 };

struct effect {
    uint32_t axis, other; /* other: RESULTS_NONE: a main effect */
    double share;         /* of the variance, 0..1 */
    double swing;         /* of a main effect: the largest level's mean over the smallest's */
};

struct effects {
    struct effect *effect; /* the largest share first; NULL: nothing varies */
    uint32_t n, points;
    bool even; /* the points fill a grid once */
};

/* value[machine]; what is not above 0 is left out.  false: out of memory.  To be effects_fini'd. */
bool effects_find(struct effects *x, const struct results *r, const double *value);
void effects_fini(struct effects *x);

#endif
