/* condition.h - expressions over the parameters of a sweep's points: constraints and `when`. */
#pragma once

#include "sweeps/plan/plan.h"

/* Reads a condition; its names are parameter paths (or "machine").  It may name the first `axes`
 * axes and parameters that are not swept, so that its value is known before later axes are laid
 * out. NULL: *e says why. */
const struct expr *condition_read(struct plan *p, const char *text, uint32_t axes, struct error *e);
/* index: a point's row; real: values of its axes with open ranges (may be NULL when there are
 * none). */
bool condition_holds(const struct plan *p, const struct expr *x, const uint32_t *index,
                     const double *real);
