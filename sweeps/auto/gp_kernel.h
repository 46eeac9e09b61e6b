/* gp_kernel.h - the covariance of gp.h, its gradient, and the search for its hyperparameters. */
#pragma once

#include "sweeps/auto/gp.h"

/* The covariance of f at two places; same: they are in the same group. */
double gp_covariance(const struct gp_kernel *k, const double *a, int32_t a_group, const double *b,
                     int32_t b_group, bool same);
/* Copies n of d's points, chosen evenly; allocates the other arrays. */
bool gp_copy(struct gp *g, const struct gp_data *d, uint32_t n, struct error *e);
/* Factorises K + noise; false: it is not positive definite. */
bool gp_factorise(struct gp *g);
/* Moves k from the priors' medians to the largest posterior. */
bool gp_learn(struct gp_kernel *k, const struct gp_data *d, struct error *e);
