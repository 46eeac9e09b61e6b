/* design.h - makes the points of a sweep: all combinations of the axes' values, or some drawn
 * evenly from them.
 *
 * A dimension can be chosen freely; linked axes share one.  "grid": every combination, the last
 * dimension fastest.  "sobol": a Sobol sequence (GSL), shifted modulo 1 by the seed.  "lhs": a
 * Latin hypercube, one draw in each of `points` equal strata of every dimension; a further
 * hypercube replaces the draws that are refused.  "list": the points as the file lists them.
 * Points that a constraint excludes or that equal an earlier one are left out; drawing goes on
 * until the requested number is reached.  Values that the machine refuses are drawn again from
 * those that it takes (legal_values.h).
 *
 * Sources: Sobol' 1967; McKay 1979; Cranley and Patterson 1976 (the shift). */
#pragma once

#include "sweeps/plan/plan.h"

/* Fills p->index and p->n_points from axes, constraints and design, and gives the axes with open
 * ranges their values.  false: *e says why. */
bool design_make(struct plan *p, struct error *e);
/* Draws once more, legal values where the axes know them, and points that are legal machines. */
bool design_redraw(struct plan *p, struct error *e);
/* Removes the points for which keep[point] is false. */
void design_keep(struct plan *p, const bool *keep);
