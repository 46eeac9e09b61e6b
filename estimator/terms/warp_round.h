/* warp_round.h - a warp's round between two waits, from the profile and the hit rates. */
#pragma once

#include "estimator/launch/launch_model.h"

void launch_round_find(struct launch_model *m);
/* The compute of a round again, when instructions take longer under load. */
void launch_round_compute(struct launch_model *m);
/* A round's share of waits for memory, given the merges. */
void launch_round_far(struct launch_model *m);

/* The share of a fetch from memory that a read that answers, a store at the L2 waits for on
 * average: all of its own, or what is left of the fetch that it joins. */
double launch_far(const struct launch_model *m);
double launch_store_far(const struct launch_model *m);
/* Atomics whose value nobody asks for, so that no warp waits for them; *missed: those that miss the
 * L2 or pass it. */
double launch_silent_atomics(const struct launch_model *m, double *missed);
/* The cycles of the execution unit with most work, over all warps. */
double launch_round_unit_cycles(const struct launch_profile *p, const struct sm_params *sm,
                                double *instructions);
