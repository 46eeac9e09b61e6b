/* wave.h - the cycles in which CTAs that run side by side go from beginning to end. */
#pragma once

#include "estimator/launch/launch_model.h"

/* At the network's throughput. */
void wave_throughput(struct launch_model *m);
/* At least those of the fullest sub-core: as sm.cta_binding places warps, not every one has as
 * many. */
void wave_fullest(struct launch_model *m);
/* At least those of warps that stay in step, as round robin keeps them between barriers. */
void wave_in_step(struct launch_model *m);
/* The cycles that these CTAs compute, were all of their warps in step throughout. */
double wave_in_step_cycles(const struct launch_model *m);
/* CTAs of different lengths end at different times. */
void wave_uneven(struct launch_model *m);
