/* interrupted.h - the answer of an interrupted sample.
 *
 * Intervals run in the order of the program, so an interrupt can leave strata with no unit, or with
 * a single one, which gives no variance: such strata are collapsed in pairs (Cochran 5A.12).
 * Strata without a unit count in proportion to their estimates (extrapolate.h) and are as uncertain
 * as these. */
#pragma once

#include "sampler/run/rounds.h"

/* Keeps in r->run[] only the runs that finished, each unit once, with its longest warm-up; joins
 * strata of p, which is r->pop, where a single unit of several was observed.  No rounds may
 * follow. */
void interrupted_keep(struct rounds *r, struct population *p);
/* The relative error of cycles that the strata's own spread does not contain.  doubt: relative half
 * width of an estimate, which the strata without units have. */
double interrupted_placing(const struct extrapolation *x, double doubt);
