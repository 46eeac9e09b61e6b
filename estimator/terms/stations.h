/* stations.h - how terms put stations into the closed network of a launch.
 *
 * Latencies and service times are core cycles.  Nothing is allocated here. */
#pragma once

#include "estimator/launch/launch_model.h"

double stations_packet_flits(const struct noc_params *n,
                             double data); /* in whole flits, at least one, as the network counts */
/* The number of requests that may meet if each customer sends `visits` at once: those of all others
 * and one of its own. */
double stations_rivals(double customers, double visits);
struct network_station *stations_put(struct launch_model *m, enum station_place at,
                                     const char *name, double visits, double service,
                                     double queues);
/* Adds a file of `entries` (0 = unbounded), of which `customers` use `each` entries at once and
 * hold them along other stations. */
void stations_put_pool(struct network_station *s, double entries, double each, double customers,
                       uint32_t holds);
/* Core cycles of a burst; banks: those of a memory with banks. */
double stations_burst_cycles(const struct launch_model *m, const struct dram_params *d,
                             double banks);
/* The most requests that wait in a channel.  The queue bounds those that the scheduler does not
 * see; with a window per bank the others wait in the windows of the banks in use. */
double stations_queue_room(const struct dram_params *d, const struct row_locality *rows);
/* The customers: the warps of CTAs that run side by side. */
void stations_wave(struct launch_model *m);
