/* bounds.h - asymptotic bounds of a launch's cycles, from the profile's counts and the machine's
 * rates; no hit rate, row locality or queueing formula enters.
 *
 * Low: the busiest of what cannot be avoided, with all else free: instructions through the issue
 * slots and execution units, the first touch of every sector through the data buses of all
 * channels, the longest warp's instructions one by one. High: everything misses both caches, opens
 * a row in a bank that has just been written, and turns the bus; every written sector goes back;
 * each round waits for all others at every station of the network (X >= N / (Z + N D)); then the
 * longest warp goes on alone. Source: asymptotic bounds of closed networks (Muntz and Wong 1974).
 */
#ifndef PLUMB_ESTIMATOR_BOUNDS_H
#define PLUMB_ESTIMATOR_BOUNDS_H

#include "estimator/launch_model.h"

void launch_bounds(const struct launch_model *m, double *low, double *high);

#endif
