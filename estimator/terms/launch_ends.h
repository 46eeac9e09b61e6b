/* launch_ends.h - what the beginning and the end of a launch add to the cycles of its waves, which
 * a closed network does not model, and what a launch takes at least. */
#pragma once

#include "estimator/launch/launch_model.h"

/* The longest warp goes on alone. */
void launch_ends_last_warp(struct launch_model *m);
/* All warps come together to the slowest station. */
void launch_ends_start_up(struct launch_model *m);
/* The slowest SM, whose warps come for a line one after the other. */
void launch_ends_convoys(struct launch_model *m);
/* Write caches are emptied. */
void launch_ends_release(struct launch_model *m);
/* The first pages are walked for. */
void launch_ends_first_pages(struct launch_model *m);
/* At least until the last CTA has started and run. */
void launch_ends_dispatch(struct launch_model *m);
/* At least the atomics of the hottest place, one after the other. */
void launch_ends_hot_atomics(struct launch_model *m);
/* At least the requests for the hottest line of a directory. */
void launch_ends_hottest_line(struct launch_model *m);
/* Until the first CTA. */
void launch_ends_latency(struct launch_model *m);
/* At least what the power limit leaves its matrix units. */
void launch_ends_power(struct launch_model *m);
