/* delays.h - a warp's round without queues: the cycles that it computes, and those of a wait that
 * no other warp lengthens. */
#pragma once

#include "estimator/launch/launch_model.h"

/* The accesses of one wait take their turns at stations, one after the other; after all stations.
 */
void delays_own_queue(struct launch_model *m);
/* Waits without a miss that join another warp's fetch in flight. */
void delays_joined(struct launch_model *m);
/* Loads at the head of the L1 that cannot join the fetch of their line. */
void delays_heads(struct launch_model *m);
/* Waits for loads and for stores, of these parts. */
void delays_waits(struct launch_model *m);
/* Compute that goes on under a wait. */
void delays_overlap(struct launch_model *m);
/* Releases of write caches. */
void delays_release(struct launch_model *m);
/* The round, of these parts. */
void delays_put(struct launch_model *m);
