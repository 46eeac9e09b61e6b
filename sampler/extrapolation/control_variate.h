/* control_variate.h - chooses the control variate for the weights of an extrapolation: it tries
 * each and takes the one that gives the smallest half width of cycles; see extrapolate.h.
 *
 * Source: Cochran 1977, 7.10 (combined regression); Deville & Sarndal 1992 (raking). */
#pragma once

#include "sampler/extrapolation/extrapolate.h"

/* x->y: cycles.  Sets control, weights, degrees of freedom and the systematic errors that apply. */
void control_choose(struct extrapolation *x, bool plain);
/* The spread of the total of x->y with these weights; it includes that the slopes were fitted to
 * the same units, and that the control variate's own total may be an estimate. */
struct spread control_spread(const struct extrapolation *x);
/* The sum of weight x y. */
double control_weighted(const struct extrapolation *x, const double *y);
