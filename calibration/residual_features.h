/* residual_features.h - the columns of a point's row in the process (residual_model.h): features,
 * scaled parameters, the estimate. */
#pragma once

#include "calibration/residual_model.h"

/* Finds the axes: those of path[paths] that vary over the points, with the values that they
 * take. */
void residual_find_axes(struct residual *r, const char *const *path, uint32_t paths,
                        const struct residual_point *pts, uint32_t n);
/* Fills x[residual_width(r)].  group: the program's index in r->program or GP_NO_GROUP.  *outside
 * (may be NULL): set to an axis on which m lies outside the trained range, else unchanged. */
void residual_put_row(const struct residual *r, const struct machine *m, const double *feature,
                      double estimate, int32_t group, double *x, const char **outside);
