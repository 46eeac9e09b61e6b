/* sample.h - the sampling engine: runs statistically chosen intervals on the cycle model, in
 * parallel, and extrapolates with a confidence interval.
 *
 * Strata: launches with similar profiles; within a launch its ramp-up, its steady part by quarters
 * and its tail; short launches are taken whole (population.h).  An interval is a time slice of the
 * full machine.  A functional pass places its warps and warms its caches (intervals.h); then
 * follows a detailed warm-up, whose length is measured on the first few intervals.
 *
 * Rounds: two units of every stratum, then Neyman's allocation; each round adds as many units as
 * the observed spread demands, at most half as many as there are; they end at the half width or the
 * budget. The seed fixes the order of units, so that results do not depend on the number of
 * threads.  A program with too few units is simulated whole.
 *
 * Source: SMARTS (Wunderlich 2003), Cochran 1977 ch. 5 and 7; docs/models/sampling.md. */
#pragma once

#include "answer/answer.h"

struct energy_costs;

/* A machine that runs the same intervals (paired_difference.h). */
struct sample_other {
    const struct machine *m;
    const struct energy_costs *costs;
};
/* All such machines.  done: called from any thread when machine i has finished, with *a (`paired`
 * is filled, `seconds` counts since it began), which the callee keeps or frees with answer_fini, or
 * with the reason for its failure, which stops no other machine.  Returning false stops all. */
typedef bool sample_done_fn(uint32_t i, struct answer *a, const struct error *failed, void *ctx);
struct sample_others {
    const struct sample_other *item;
    uint32_t n;
    sample_done_fn *done;
    void *ctx;
};

/* others: may be NULL.  If the first machine is simulated whole, so are the others. */
bool sample_run(const struct machine *m, const struct program *p, const struct profile *profile,
                const struct energy_costs *costs, const struct run_opts *o,
                const struct sample_others *others, struct answer *a, struct error *err);
