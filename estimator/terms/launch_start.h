/* launch_start.h - the beginning of a launch, when all warps load at once and there is no work to
 * overlap.
 *
 * In a closed network each warp is at another point of its round.  At a launch's start all are at
 * the same point.  An SM's memory unit, at which the sub-cores take turns, serves one warp of each
 * sub-core before it serves a second one; until then a sub-core has nothing to do, and all its work
 * comes after.
 *
 * Units: core cycles.  Assumes that a warp's work follows its first loads. */
#pragma once

#include "estimator/launch/launch_model.h"

/* The least time of the launch for this reason; the model must be solved. */
double launch_start_cycles(const struct launch_model *m);

/* The cycles between the first and the last return of an SM's first loads: the loads of all
 * warps pass the slowest station of the memory in any order, and so do first touches, if there
 * are any. */
double launch_start_spread(const struct launch_model *m);
