/* stations.h - the closed network of one launch: what its stations are, what a visit takes, what a
 * round costs without queues.
 *
 * Latencies and service times are core cycles.  Neither memory nor time passes here: the launch
 * model says under which load the memory is. */
#ifndef PLUMB_ESTIMATOR_NETWORK_STATIONS_H
#define PLUMB_ESTIMATOR_NETWORK_STATIONS_H

#include "estimator/model/launch_model.h"

double stations_packet_flits(const struct noc_params *n,
                             double data); /* whole ones, at least one, as the network counts */
/* Of hits in the L1 and the L2; once for a launch. */
void stations_unloaded(struct launch_model *m);
/* The memory under so many bursts per core cycle and channel, so many waiting.  The L2's MSHR files
 * let only so many fetches through, and the write-backs beside them. */
void stations_dram_under(struct launch_model *m, double rate, double depth);
void stations_build(struct launch_model *m, double sms, double warps_per_sm);

#endif
