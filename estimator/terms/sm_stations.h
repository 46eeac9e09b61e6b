/* sm_stations.h - the stations of an SM: its L1 with MSHRs and head, the vector memory buffer, the
 * memory units, the execution units and the issue; for stations.c. Core cycles. */
#pragma once

#include "estimator/launch/launch_model.h"

void sm_stations_put(struct launch_model *m);
/* The latency of a store's trip to the L2 and back. */
double sm_stations_store_trip(const struct launch_model *m);
