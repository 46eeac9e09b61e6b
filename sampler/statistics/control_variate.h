/* control_variate.h - the control variate that the weights of an extrapolation are made with: tried
 * one by one, and the one is taken that leaves the least half width of cycles; see extrapolate.h.
 *
 * Source: Cochran 1977, 7.10 (combined regression); Deville & Sarndal 1992 (raking). */
#ifndef PLUMB_SAMPLER_STATISTICS_CONTROL_VARIATE_H
#define PLUMB_SAMPLER_STATISTICS_CONTROL_VARIATE_H

#include "sampler/statistics/extrapolate.h"

/* x->y: cycles.  Sets control, weights, free observations and the doubt that goes with it. */
void control_choose(struct extrapolation *x, bool plain);
/* Of the total of x->y with these weights: the slopes were fitted to the same units, and the
 * control variate's own total may be an estimate. */
struct spread control_spread(const struct extrapolation *x);
/* Sum of weight x y. */
double control_weighted(const struct extrapolation *x, const double *y);

#endif
