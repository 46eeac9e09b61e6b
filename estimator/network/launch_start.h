/* launch_start.h - the beginning of a launch: loads of all warps at once, and no work under them.
 *
 * A closed network has each warp somewhere else in its round.  At a launch's start all are at the
 * same place, and the memory unit of an SM, where the sub-cores take turns, brings each the data of
 * one warp before it brings any a second one: until then a sub-core has nothing to do, and all of
 * its work lies behind that.
 *
 * Units: core cycles.  Assumes that a warp's work follows its first loads. */
#ifndef PLUMB_ESTIMATOR_NETWORK_LAUNCH_START_H
#define PLUMB_ESTIMATOR_NETWORK_LAUNCH_START_H

#include "estimator/model/launch_model.h"

/* What the launch takes at least by that; of a model that has been solved. */
double launch_start_cycles(const struct launch_model *m);

/* Cycles by which the first loads of an SM's warps come back apart: those of all warps pass the
 * slowest station of the memory in any order, first touches, as far as there are any, too. */
double launch_start_spread(const struct launch_model *m);

#endif
