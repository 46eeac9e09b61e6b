/* launch_start.h - the beginning of a launch: all warps of its first CTAs are there at once.
 *
 * Round robin keeps them in step until they first wait for memory, which meanwhile has nothing to
 * do. Then their loads come as one batch: n that come at once to a station that serves one in s
 * cycles wait for (n - 1) / 2 s in the mean; those that come spread over a time wait for less by
 * half of that.  A closed network models neither. Units: core cycles. Source: Little 1961;
 * docs/models/estimator.md. */
#pragma once

#include "estimator/launch/launch_model.h"

/* What warps in step do before their first wait: the network leaves it out... */
void launch_start_find(struct launch_model *m);
/* ... and it takes a time of its own. */
void launch_start_add(struct launch_model *m);
/* The loads that warps wait for first. */
struct launch_start_batch {
    double share;      /* of all loads */
    double spread;     /* from the first to the last of them */
    double l2, memory; /* mean wait behind the look-up, of those that hit the L2 or are fetched */
};
void launch_start_batch_find(const struct launch_model *m, struct launch_start_batch *b);
/* The share of a fetch of so many cycles that is left when another load of the batch joins it. */
double launch_start_left(const struct launch_start_batch *b, double cycles);
