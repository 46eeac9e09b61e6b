/* memory_stations.h - the stations from the L2 slices to the memory's channels, and the memory
 * under load. Core cycles. */
#pragma once

#include "estimator/launch/launch_model.h"

/* The memory's service under the last solution's load; before the first one, without load.  The
 * L2's MSHR files limit how many fetches are in flight, plus the write-backs beside them. */
void memory_under_load(struct launch_model *m);
/* Of the accesses in flight at once, as many as the queues hold, more may go to one channel than on
 * average over the launch. */
void memory_channels_at_once(struct launch_model *m);
void memory_put_channels(struct launch_model *m);
void memory_put_l3(struct launch_model *m);
void memory_put_l2_mshrs(struct launch_model *m);
/* The links between partitions, and places for what is under way on them. */
void memory_put_links(struct launch_model *m);
void memory_put_link_places(struct launch_model *m);
void memory_put_l2(struct launch_model *m);
