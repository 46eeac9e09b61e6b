/* surrogate.h - Gaussian-process regression with a length of its own for every column: which axes
 * matter, and how far each reaches, is learned from the points.
 *
 * y = mean + f(x) + noise; f has the covariance
 *     scale exp(-1/2 sum_k ((a_k - b_k) / length_k)^2) + linear (1 + a.b),
 * a smooth part and a plane.  Lengths, scale, noise and the plane's weight are those of the largest
 * posterior: log-normal priors on lengths and noise, gradient steps of Adam.  Of many points an
 * even choice decides; all are used.
 *
 * Why not sampler/gp.h: that is for few points of many programs, a sum of terms with one length
 * each, found without a gradient; a length for every column is too many for such a search.
 *
 * Units: columns should run over about 0..1; y is a logarithm of a ratio.
 * Memory: surrogate_fit copies; surrogate_fini frees, in either case.  A fitted one may serve many
 * threads.
 * Source: Rasmussen & Williams 2006, 2.7, 5.1, 5.9 and 5.12; Kingma & Ba 2015. */
#ifndef PLUMB_SWEEPS_SURROGATE_H
#define PLUMB_SWEEPS_SURROGATE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { SURROGATE_COLUMNS_MAX = 64 };

struct surrogate {
    uint32_t n, width;
    double *x, *y;   /* copies; y less its mean */
    double *inverse; /* [n][n] of K + noise */
    double *alpha;   /* [n] inverse y */
    double mean, length[SURROGATE_COLUMNS_MAX], scale, noise,
        linear;     /* the last three: variances */
    double stretch; /* of stated deviations: brings the 90 % interval to what points left out say */
};

/* x[n][width], n > 1. */
bool surrogate_fit(struct surrogate *s, const double *x, const double *y, uint32_t n,
                   uint32_t width, struct error *e);
void surrogate_fini(struct surrogate *s);
struct surrogate_value {
    double mean, sd; /* noise included */
};
/* work: room for n numbers. */
struct surrogate_value surrogate_at(const struct surrogate *s, const double *x, double *work);
/* y_i less what the others say of it. */
double surrogate_left_out(const struct surrogate *s, uint32_t i);

#endif
