/* design.h - the points of a sweep: all combinations, or some drawn evenly from them.
 *
 * Dimensions are what can be chosen freely; linked axes share one.  "grid": every combination, the
 * last dimension fastest.  "sobol": a Sobol sequence (GSL), shifted modulo 1 by the seed.  "lhs": a
 * Latin hypercube, one draw in each of `points` equal strata of every dimension; draws that are
 * refused are replaced by those of a further hypercube.  "list": the points as they stand.  Points
 * that a constraint excludes or that equal an earlier one are left out; drawing goes on until there
 * are as many as asked for.
 *
 * Sources: Sobol' 1967; McKay 1979; Cranley and Patterson 1976 (the shift). */
#ifndef PLUMB_SWEEPS_PLAN_DESIGN_H
#define PLUMB_SWEEPS_PLAN_DESIGN_H

#include "sweeps/plan/plan.h"

/* Fills p->index and p->n_points from axes, constraints and design; p->axis of open ranges get
 * their values.  false: *e. */
bool design_make(struct plan *p, struct error *e);
/* Removes the points for which keep[point] is false. */
void design_keep(struct plan *p, const bool *keep);

#endif
