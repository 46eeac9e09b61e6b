/* gp_kernel.h - the covariance of gp.h, its slopes, and the search for its constants. */
#ifndef PLUMB_SAMPLER_CALIBRATION_GP_KERNEL_H
#define PLUMB_SAMPLER_CALIBRATION_GP_KERNEL_H

#include "sampler/calibration/gp.h"

/* Of f at two places; same: their groups are one. */
double gp_covariance(const struct gp_kernel *k, const double *a, int32_t a_group, const double *b,
                     int32_t b_group, bool same);
/* The copies of d's points, n of them, evenly; room for the rest. */
bool gp_copy(struct gp *g, const struct gp_data *d, uint32_t n, struct error *e);
/* K + noise; false: not positive definite. */
bool gp_factorise(struct gp *g);
/* k: from the middle of the priors to the largest posterior. */
bool gp_learn(struct gp_kernel *k, const struct gp_data *d, struct error *e);

#endif
