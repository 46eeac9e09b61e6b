/* sample.h - intervals of the cycle model, chosen statistically, run in parallel, extrapolated with
 * confidence.
 *
 * Strata: launches of like profile; within a launch its ramp-up, its steady part by quarters and
 * its tail; short launches are taken whole (population.h).  An interval is a time slice of the full
 * machine, placed and warmed by a functional pass (intervals.h), with a detailed warm-up whose
 * length is measured on the first few.
 *
 * Rounds: two units of every stratum, then Neyman's allocation, each round as many as the spread
 * seen so far asks for, at most half of what stands; until the half width or the budget is reached.
 * Which units come next is fixed by the seed, so that results do not depend on the number of
 * threads.  A program of too few units is simulated whole.
 *
 * Source: SMARTS (Wunderlich 2003), Cochran 1977 ch. 5 and 7; docs/models/sampling.md. */
#ifndef PLUMB_SAMPLER_RUN_SAMPLE_H
#define PLUMB_SAMPLER_RUN_SAMPLE_H

#include "sampler/answer/answer.h"

struct energy_costs;

/* A machine that shall run the same intervals (paired_difference.h). */
struct sample_other {
    const struct machine *m;
    const struct energy_costs *costs;
};
/* All that shall.  done: called from any thread when the i-th has ended, with *a to be kept or
 * answer_fini'd, `paired` in it and `seconds` since it began, or with why it failed, which stops
 * none of the others; false stops. */
typedef bool sample_done_fn(uint32_t i, struct answer *a, const struct error *failed, void *ctx);
struct sample_others {
    const struct sample_other *item;
    uint32_t n;
    sample_done_fn *done;
    void *ctx;
};

/* others: may be NULL.  Where the first is simulated whole, so are they. */
bool sample_run(const struct machine *m, const struct program *p, const struct profile *profile,
                const struct correction *c, const struct energy_costs *costs,
                const struct run_opts *o, const struct sample_others *others, struct answer *a,
                struct error *err);

#endif
