/* fetch_waits.h - who waits for a fetch that is not his own, and what he keeps meanwhile.
 *
 * Source: Khairy et al. III-C (wake-up in turn); Candel 4.5.1 (requests that are sent back). */
#ifndef PLUMB_ESTIMATOR_CACHE_FETCH_WAITS_H
#define PLUMB_ESTIMATOR_CACHE_FETCH_WAITS_H

#include "estimator/model/launch_model.h"

/* Loads that stand at the head of the L1, with all behind them, for a line whose fetch they cannot
 * join: those that find it void, and the first one too many (max_merge).  Returns how many a round
 * has; *left: of the fetch. */
double fetch_wait_heads(const struct launch_model *m, double *left);
/* Core cycles that a load that has joined a fetch waits, on average, for others to be woken. */
double fetch_wait_wakeup(const struct launch_model *m);
/* A launch on whose SMs the warps come for a line one after the other, each finding void what the
 * one before has fetched: core cycles that the slowest SM takes more than `cycles`, the launch's
 * otherwise. */
double fetch_wait_convoy_cycles(const struct launch_model *m, double cycles);
/* A request that is sent back and comes again: core cycles. */
double fetch_wait_round_trip(const struct launch_model *m);

#endif
