/* sm_stations.h - the stations of an SM: its L1 with MSHRs and head, the vector memory buffer, the
 * memory units, the execution units and the issue. Core cycles. */
#pragma once

#include "estimator/launch/launch_model.h"

void sm_stations_put_l1(struct launch_model *m);
void sm_stations_put_mshrs(struct launch_model *m);
void sm_stations_put_head(struct launch_model *m);
/* The vector memory buffer.  A load holds its entry until its data are back, a store until its
 * look-up or, if it blocks, until it has been to the L2 and back. */
void sm_stations_put_buffer(struct launch_model *m);
/* Shared memory has a unit of its own, or uses the memory unit. */
void sm_stations_put_memory_units(struct launch_model *m);
void sm_stations_put_units(struct launch_model *m);
void sm_stations_put_issue(struct launch_model *m);
/* The latency of a store's trip to the L2 and back. */
double sm_stations_store_trip(const struct launch_model *m);
