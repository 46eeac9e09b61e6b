/* stations_network.h - the stations of the networks between SMs and L2 slices. */
#pragma once

#include "estimator/launch/launch_model.h"

void stations_network_put(struct launch_model *m);
