/* second_memory.h - the channels of a second memory (dram[1]) in the network of a launch: a station
 * beside the first memory's, which takes the share of the accesses whose pages lie there.
 *
 * It has its own timing, clock, queues and unevenness; its latency is part of the mean latency of a
 * fetch. What a wait of a warp fetches lies in one of the two, as neighbours lie in one page.
 * Units: core cycles. Source: Mao 2016, 5.5.1. */
#pragma once

#include "estimator/launch/launch_model.h"

/* Sets its clock and grain; nothing goes there yet. */
void second_memory_init(struct launch_model *m);
/* together: accesses in flight to both. */
void second_memory_at_once(struct launch_model *m, double together);
/* Its service under the last solution's load, as the first memory's. */
void second_memory_under_load(struct launch_model *m);
double second_memory_latency(const struct launch_model *m); /* without queues */
/* far, writes: of both memories, as for the first one's station. */
void second_memory_put(struct launch_model *m, double visits, double far, double writes);
