/* stations.h - builds the closed network of one launch: its stations, the service time of a visit,
 * the cycles of a round without queues.
 *
 * Latencies and service times are core cycles.  Nothing is allocated here; the launch model states
 * the memory's load. */
#pragma once

#include "estimator/model/launch_model.h"

double stations_packet_flits(const struct noc_params *n,
                             double data); /* in whole flits, at least one, as the network counts */
/* Computes the unloaded latencies of hits in the L1 and the L2; once for a launch. */
void stations_unloaded(struct launch_model *m);
/* The memory's service for so many bursts per core cycle and channel, with so many waiting.  The
 * L2's MSHR files limit how many fetches are in flight, plus the write-backs beside them. */
void stations_dram_under(struct launch_model *m, double rate, double depth);
void stations_build(struct launch_model *m, double sms, double warps_per_sm);
