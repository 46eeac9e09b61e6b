/* fetch_waits.h - loads that wait for another load's fetch, and what they block meanwhile.
 *
 * Source: Candel 4.5.1 (requests that are sent back). */
#pragma once

#include "estimator/launch/launch_model.h"

/* Loads that block the head of the L1, and all accesses behind them, because they cannot join the
 * fetch of their line: its data will be invalid when they arrive, or max_merge is exceeded.
 * Returns their number per round; *left: the part of the fetch that they wait for. */
double fetch_wait_heads(const struct launch_model *m, double *left);
/* A convoy: the warps of an SM come for a line one after the other, and each finds that the data
 * fetched by the one before are void, so that one passes per way to the L2.  An SM is in a convoy
 * with the chance that such a load meets a void fetch.  Returns the core cycles by which the
 * slowest SM exceeds `cycles`. */
double fetch_wait_convoy(const struct launch_model *m, double cycles);
/* The time until a request that was sent back comes again: core cycles. */
double fetch_wait_round_trip(const struct launch_model *m);
/* Stores that find their line in transition, under conventional management, are sent back until its
 * fetch has ended (l2.line_wait): how often, per round. */
double fetch_wait_line_nacks(const struct launch_model *m);
/* The mean core cycles of a store between the end of the fetch and its return. */
double fetch_wait_line_late(const struct launch_model *m);
