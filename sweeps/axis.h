/* axis.h - one axis of a sweep: a parameter and the values it takes.
 *
 * Either `values = [...]`, or `range = [lo, hi]` with `scale` and `points`: "linear" (the default)
 * puts the points at equal distances, "log2" at equal ratios; without `points` log2 doubles from lo
 * to hi.  Values of whole-number parameters are rounded.  Values that would come twice are refused.
 */
#ifndef PLUMB_SWEEPS_AXIS_H
#define PLUMB_SWEEPS_AXIS_H

#include "base/arena.h"
#include "base/conf.h"
#include "base/error.h"
#include "sweeps/plan.h"

/* Faults go to `all`; true: *a is filled (its strings live in the arena). */
bool axis_read(struct axis *a, const struct conf_node *n, struct arena *arena, struct errors *all);

#endif
