/* stations_network.h - the stations of the networks between SMs and L2 slices; for stations.c. */
#pragma once

#include "estimator/network/stations.h"

double stations_rivals(double customers, double visits);
struct network_station *stations_put(struct launch_model *m, enum station_place at,
                                     const char *name, double visits, double service,
                                     double queues);
void stations_put_network(struct launch_model *m);
