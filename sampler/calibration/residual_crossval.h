/* residual_crossval.h - how well a residual's process does at points that it has not seen: every
 * point from those of the other folds, the covariance learned anew from them.  Leaving points out
 * of one fit knows less: the covariance has seen them. */
#ifndef PLUMB_SAMPLER_CALIBRATION_RESIDUAL_CROSSVAL_H
#define PLUMB_SAMPLER_CALIBRATION_RESIDUAL_CROSSVAL_H

#include "sampler/calibration/residual_model.h"

/* out[n]: mean and standard deviation, noise included; of points in no fold (too few are known to
 * learn from): a negative deviation. */
bool residual_fold(const struct gp_data *d, const struct gp_kernel *middle, struct gp_value *out,
                   struct error *e);
/* Decides which programs are believed to be off by a constant alone: where that errs less at points
 * left out than the process does (out, of residual_fold).  left_out[n]: of the points that are in a
 * fold, y less what is said of it without it by whichever of the two is used. */
void residual_choose_level(struct residual *r, const struct gp_data *d, const struct gp_value *out,
                           double *left_out);
/* The 90th percentile of |left out| in units of its standard deviation over that of the normal
 * distribution, with as many as ten points' belief in 1; z[n] is sorted. */
double residual_stretch(double *z, uint32_t n);

#endif
