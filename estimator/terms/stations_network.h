/* stations_network.h - the stations of the networks between SMs and L2 slices. */
#pragma once

#include "estimator/launch/launch_model.h"

/* The slowdown of a crossbar with random destinations.  Packets wait in their inputs behind others,
 * so that outputs cannot be always busy: the narrower side carries so many times less than its
 * ports
 * (>= 1).  The heads of saturated inputs are a closed network over the outputs (Karol et al. 1987,
 * infinite switch), here with both sides finite and every output equally likely. */
double stations_crossbar_slowdown(double inputs, double outputs);
void stations_network_put(struct launch_model *m);
