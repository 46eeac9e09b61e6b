/* surrogate.h - one program's Gaussian process (sweeps/auto/gp.h) over a sweep's columns;
 * it learns from the points which axes matter and the length scale of each.
 *
 * y = mean + f(x) + noise; f has the covariance
 *     scale exp(-1/2 sum_k ((a_k - b_k) / length_k)^2) + linear (1 + a.b),
 * a smooth part and a plane.
 *
 * Units: columns should run over about 0..1; y is a logarithm of a ratio. Memory: surrogate_fit
 * copies its input; the caller calls surrogate_fini in either case.  Several threads may use a
 * fitted surrogate. */
#pragma once

#include "sweeps/auto/gp.h"

enum { SURROGATE_COLUMNS_MAX = 64 };

struct surrogate {
    uint32_t n;
    double mean;
    struct gp gp;              /* of y minus its mean */
    struct gp_value *left_out; /* [n] prediction of each point from all others */
    /* factor of the standard deviations that makes the 90 % interval hold for points left out */
    double stretch;
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
/* The leave-one-out residual: y_i minus its prediction from the other points. */
double surrogate_left_out(const struct surrogate *s, uint32_t i);
