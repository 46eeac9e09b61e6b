/* measure.h - runs points of a probe on the cycle model.
 *
 * The functional machine executes the program until caches, TLBs and open rows are as they stay;
 * from there the cycle model runs a part that is not measured, then the measured one.  A part whose
 * halves differ is run again with two, then with four times the length.  A stream whose requests
 * come faster than memory moves their bytes, or not evenly, has memory's rate, which is at most the
 * peak: nobody waits for stores, so that queues take them faster for a while, and then slower.
 *
 * The points of a stream share a functional machine, which has to fill its caches once.  All others
 * have one of their own, so that they run in parallel. */
#pragma once

#include "base/error.h"
#include "base/text/text.h"
#include "cards/probe/experiment.h"

struct machine;

/* *fits: whether an SM holds the point's CTAs at a time; else *why says what it lacks. */
bool probe_fits(const struct machine *m, const struct probe_point *pt, bool *fits, struct text *why,
                struct error *e);
/* Fills value, extra and drift of n points of one experiment. */
bool probe_measure(const struct machine *m, struct probe_point *pt, size_t n, struct error *e);
