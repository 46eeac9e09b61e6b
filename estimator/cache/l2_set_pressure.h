/* l2_set_pressure.h - how many misses in flight together find a line under conventional management
 * of the L2, where a set has at most as many lines in transition as ways.
 *
 * In a window of consecutive misses of the address sample each takes, in turn, an entry of its FRC
 * set, else a line of its set; a miss that finds neither waits.  Misses to other sets go on
 * meanwhile, so the measure is how many of the window are served, not when the first set is full.
 *
 * Units:  blocks (conventional management has no sectors). Source: Candel 5.4 (the line in
 * transition), 5.5 (early fetch). */
#pragma once

#include "estimator/dram/memory_load.h"

struct lines_at_once {
    /* share of the misses in windows of 32, 256, 2048 that is served; 1: all find a line */
    double served[BLOCK_WINDOWS];
};
/* Uses the misses in l1_lines and l2_lines of the sample's blocks `cls`.  Each thread caches a few
 * results. */
void lines_at_once_find(struct lines_at_once *l, const struct launch_samples *s, uint32_t cls,
                        const struct map *map, const struct l2_params *l2, double l1_lines,
                        double l2_lines);
/* The number of `together` misses that is served; interpolated between windows, linear in the
 * logarithm. */
double lines_at_once_served(const struct lines_at_once *l, double together);
