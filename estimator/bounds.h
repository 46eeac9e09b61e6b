/* bounds.h - asymptotic bounds of a launch's cycles, from the profile's counts and the machine's
 * rates; no row locality or queueing formula enters the lower one.
 *
 * Low: the busiest of what cannot be avoided, each station alone and evenly used: instructions
 * through issue slots, units and the memory unit, transactions through the L1s' ports, what no L1
 * can keep through network ports and slices, what no L2 can keep over the data buses; and the
 * resident warps' waits, each as long as its look-ups.  What no cache can keep: first touches, or
 * half of what LRU of twice the capacity misses (no replacement of that capacity misses less:
 * Sleator and Tarjan 1985).
 *
 * High: caches keep what LRU of a half of their lines would (or what the model says, if less),
 * bursts open a row each and take twice what the replayed channel needs, rounds wait for one
 * another at the busiest station and at every file of entries, X >= N / (Z + D + (N - 1) Dmax)
 * (Zahorjan et al. 1982), and half as much again for what no station says.  Never beyond the serial
 * sum X >= N / (Z + N D) with everything missing, each burst opening a row in a bank just written
 * and turning the bus; then the longest warp goes on alone. Source: asymptotic bounds of closed
 * networks (Muntz and Wong 1974). */
#ifndef PLUMB_ESTIMATOR_BOUNDS_H
#define PLUMB_ESTIMATOR_BOUNDS_H

#include "estimator/launch_model.h"

void launch_bounds(const struct launch_model *m, double *low, double *high);

#endif
