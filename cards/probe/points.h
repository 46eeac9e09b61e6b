/* points.h - at which x an experiment is run. */
#pragma once

#include "cards/probe/experiment.h"

#include <stdbool.h>

struct machine;

enum { PROBE_POINTS_MAX = 96 };

/* The x's of an experiment on a machine where no measured curve gives them; up to `most` points
 * into point[], in ascending order.  Returns their number; 0: the machine cannot run it. */
uint32_t probe_default_points(const struct machine *m, enum probe_id id, uint32_t most,
                              struct probe_point *point);

struct probe_curve;
/* At most `most` of a measured curve's x's, spread over it: over log x, with some on its plateaus
 * and in its last third. */
uint32_t probe_points_of_curve(const struct machine *m, const struct probe_curve *curve,
                               uint32_t most, struct probe_point *point);
/* The x between two points of a curve where its value jumps most, at one of the measured x's if
 * there are any; false: none is worth a run. */
bool probe_next_point(const struct probe_curve *have, const struct probe_curve *measured,
                      struct probe_point *pt);
/* How many points a curve has, with `asked` (0: as many as are usual), and how many before any are
 * added where it jumps. */
uint32_t probe_all_points(enum probe_id id, uint32_t asked);
uint32_t probe_first_points(enum probe_id id, uint32_t asked);
