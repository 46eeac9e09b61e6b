/* residual_crossval.h - cross-validates a residual's process: it predicts every point from the
 * points of the other folds, with a covariance learned from those alone.  Leaving points out of a
 * single fit would be too optimistic: their values shaped its covariance. */
#pragma once

#include "calibration/rank_correlation.h"
#include "calibration/residual_model.h"

/* out[n]: mean and standard deviation, noise included; the deviation is negative for points in no
 * fold (of programs with too few points). */
bool residual_fold(const struct gp_data *d, const struct gp_kernel *middle, struct gp_value *out,
                   struct error *e);
/* Decides what is used for each program (struct residual_program), given what the process says of
 * every point without it: process[n].  left_out[n]: y less what is used, likewise without the
 * point.  false: no memory. */
bool residual_choose_use(struct residual *r, const struct residual_point *pts,
                         const struct gp_data *d, const double *process, double *left_out,
                         struct error *e);
/* How the simulated cycles of a group's points are ordered by the estimates, and by the estimates
 * with correction[n].  Pairs of several groups may be added up. */
struct residual_order {
    struct rank_correlation before, after;
};
/* room[2 n] */
void residual_order_add(struct residual_order *o, const struct residual_point *pts,
                        const struct gp_data *d, int32_t group, const double *correction,
                        double *room);
/* What Kendall's tau loses by the corrections, less two standard errors of the number of pairs
 * swapped, as if each were swapped by chance.  0: no two points differ. */
double residual_order_lost(const struct residual_order *o);
/* The factor of standard deviations: the 95th percentile of |left out| in units of its standard
 * deviation, over that of the normal distribution, averaged with 1, which weighs ten points.  Sorts
 * z[n]. */
double residual_stretch(double *z, uint32_t n);
