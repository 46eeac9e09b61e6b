/* sample.h - intervals of the cycle model, chosen statistically, run in parallel, extrapolated with confidence.
 *
 * Strata: launches of like profile; within a launch its ramp-up and its steady part.  An interval is a time slice
 * of the full machine (detailed/warm.h places it); its cycles are extrapolated by instructions.  Allocation is
 * Neyman's, in rounds of fixed size, so that results do not depend on the number of threads; the estimator's
 * cycles serve as control variate where they correlate.
 * Source: SMARTS (Wunderlich 2003), Cochran 1977 ch. 5; design of docs/sampling.md. */
#ifndef PLUMB_SAMPLER_SAMPLE_H
#define PLUMB_SAMPLER_SAMPLE_H

#include "sampler/engine.h"

bool sample_run(const struct machine *m, const struct program *p, const struct profile *profile,
                const struct correction *c, const struct run_opts *o, struct answer *a, struct error *err);

#endif
