/* under_load.h - what a solution tells the next pass: accesses that join fetches in flight, and
 * requests that are sent back. */
#pragma once

#include "estimator/launch/launch_model.h"

/* Reads of the L1, accesses of the L2 that find their sector's fetch in flight. */
void under_load_l1_merges(struct launch_model *m);
void under_load_l2_merges(struct launch_model *m);
/* A round's compute where the register file lengthens it. */
void under_load_compute(struct launch_model *m);
void under_load_nacks(struct launch_model *m);
