/* l2_set_pressure.h - how many misses that are under way together find a line under conventional
 * management of the L2, where a set has no more lines in transition than ways.
 *
 * Of a window of consecutive misses of the address sample each takes, in turn, an entry of its FRC
 * set, else a line of its set; those that find neither wait.  Other blocks' misses go on meanwhile,
 * so that it is not the first full set that counts but how many of the window are served.
 *
 * Units:  blocks (conventional management has no sectors).
 * Source: Candel 5.4 (the line in transition), 5.5 (early fetch). */
#ifndef PLUMB_ESTIMATOR_CACHE_L2_SET_PRESSURE_H
#define PLUMB_ESTIMATOR_CACHE_L2_SET_PRESSURE_H

#include "estimator/dram/memory_load.h"

struct lines_at_once {
    double served[LOAD_WINDOWS]; /* share of windows of 32, 256, 2048 misses; 1 = all find a line */
};
/* What misses in l1_lines and l2_lines of the blocks `cls`.  From a few answers that a thread
 * keeps. */
void lines_at_once_find(struct lines_at_once *l, const struct launch_samples *s, uint32_t cls,
                        const struct map *map, const struct l2_params *l2, double l1_lines,
                        double l2_lines);
/* Misses that are served of `together`; between windows straight over the logarithm. */
double lines_at_once_served(const struct lines_at_once *l, double together);

#endif
