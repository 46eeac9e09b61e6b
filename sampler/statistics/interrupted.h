/* interrupted.h - what an interrupted sample knows.
 *
 * Intervals run in the order of the program, so that strata may be left without any, or with one,
 * of which no spread can be told: such strata are collapsed in pairs (Cochran 5A.12).  What no
 * interval was run of is taken in proportion to the estimates (extrapolate.h) and is as uncertain
 * as these. */
#ifndef PLUMB_SAMPLER_STATISTICS_INTERRUPTED_H
#define PLUMB_SAMPLER_STATISTICS_INTERRUPTED_H

#include "sampler/run/rounds.h"

/* Leaves of r->run[] what was run to its end, each unit once, after its longest warm-up; joins
 * strata of p, which is r->pop, where but one unit of several was seen.  No rounds after it. */
void interrupted_keep(struct rounds *r, struct population *p);
/* Relative error of cycles that the strata's own spread does not contain.  doubt: relative half
 * width of an estimate. */
double interrupted_placing(const struct extrapolation *x, double doubt);

#endif
