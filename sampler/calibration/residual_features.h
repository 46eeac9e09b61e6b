/* residual_features.h - where a point lies: the columns of its row in the process
 * (residual_model.h): features, parameters on their scales, the estimate. */
#ifndef PLUMB_SAMPLER_CALIBRATION_RESIDUAL_FEATURES_H
#define PLUMB_SAMPLER_CALIBRATION_RESIDUAL_FEATURES_H

#include "sampler/calibration/residual_model.h"

/* Of path[paths] those that vary over the points, with the values that they take. */
void residual_find_axes(struct residual *r, const char *const *path, uint32_t paths,
                        const struct residual_point *pts, uint32_t n);
/* x[residual_width(r)].  group: a program's place in r->program or GP_NO_GROUP.  *outside (may be
 * NULL): an axis on which m lies beyond what was trained; else left as it is. */
void residual_put_row(const struct residual *r, const struct machine *m, const double *feature,
                      double estimate, int32_t group, double *x, const char **outside);

#endif
