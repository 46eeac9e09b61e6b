/* residual_crossval.h - cross-validates a residual's process: it predicts every point from the
 * points of the other folds, with a covariance learned from those alone.  Leaving points out of a
 * single fit would be too optimistic: their values shaped its covariance. */
#pragma once

#include "sampler/calibration/residual_model.h"

/* out[n]: mean and standard deviation, noise included; the deviation is negative for points in no
 * fold (of programs with too few points). */
bool residual_fold(const struct gp_data *d, const struct gp_kernel *middle, struct gp_value *out,
                   struct error *e);
/* Decides for which programs a constant replaces the process: those where the constant has the
 * smaller error at points left out (out: from residual_fold).  left_out[n]: for points in a fold, y
 * less the leave-out prediction of whichever of the two is used. */
void residual_choose_level(struct residual *r, const struct gp_data *d, const struct gp_value *out,
                           double *left_out);
/* The factor of standard deviations: the 90th percentile of |left out| in units of its standard
 * deviation, over that of the normal distribution, averaged with 1, which weighs ten points.  Sorts
 * z[n]. */
double residual_stretch(double *z, uint32_t n);
