/* measure.h - runs one point of a probe on the cycle model.
 *
 * The functional machine executes the program until caches, TLBs and open rows are as they stay;
 * from there the cycle model runs a part that is not measured, then the measured one.  A part whose
 * halves differ is run again with four, then with sixteen times the length.  Each point has a
 * machine of its own, so that points run in parallel. */
#pragma once

#include "base/error.h"
#include "base/text/text.h"
#include "sweeps/probe/experiment.h"

struct machine;

/* *fits: whether an SM holds the point's CTAs at a time; else *why says what it lacks. */
bool probe_fits(const struct machine *m, const struct probe_point *pt, bool *fits, struct text *why,
                struct error *e);
/* Fills value, extra and drift. */
bool probe_measure(const struct machine *m, struct probe_point *pt, struct error *e);
