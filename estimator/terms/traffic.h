/* traffic.h - the traffic of a launch: what hits at which level, and how the accesses that go on
 * meet slices, channels and sets.
 *
 * Where hits come from: estimator/cache. How addresses meet queues is told by the fullest samples
 * of the launches of this shape; where pages are placed, by its own. */
#pragma once

#include "estimator/launch/launch_model.h"

/* Hits by level, of the machine whose caches determine the misses. */
void traffic_hits(struct launch_model *m);
void traffic_directory(struct launch_model *m);
void traffic_write_caches(struct launch_model *m);
/* The samples that are asked, and what of them goes to the memory. */
void traffic_samples(struct launch_model *m);
/* Rows, and effective numbers of slices and channels. */
void traffic_spread(struct launch_model *m);
/* Lines that await data: of L1s, and of L2 slices. */
void traffic_l1_lines(struct launch_model *m);
