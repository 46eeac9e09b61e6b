/* delays.h - a warp's round without queues: the cycles that it computes, and those of a wait that
 * no other warp lengthens. */
#pragma once

#include "estimator/launch/launch_model.h"

/* After all stations: a wait's own accesses take their turns there. */
void delays_put(struct launch_model *m);
