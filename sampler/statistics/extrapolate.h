/* extrapolate.h - from the units that were run to the whole population: totals, ratios, and how
 * sure.
 *
 * All metrics share one set of weights (stratified.h), made with the control variate that leaves
 * the least half width of cycles, doubt included: the estimator's cycles of each unit, its
 * instructions, the functional pass's clock, the accesses to the L1s, the last two together, or
 * none.  Strata of which nothing was run (an interrupted sample) count as much as
 * their estimated cycles.  Ratios are linearised: their spread is that of the total of (numerator -
 * ratio x denominator) / denominator (Cochran 6.4). */
#ifndef PLUMB_SAMPLER_STATISTICS_EXTRAPOLATE_H
#define PLUMB_SAMPLER_STATISTICS_EXTRAPOLATE_H

#include "sampler/answer/answer.h"
#include "sampler/design/population.h"
#include "sampler/run/intervals.h"
#include "sampler/statistics/stratified.h"

/* Placing and warming by a functional pass leave errors that no number of intervals removes, as a
 * relative half width at 95 %, measured by running every interval of programs
 * (bench_sampler_coverage, docs/notebook/sampling.md): of launches taken whole, and of intervals
 * that begin inside one, of short programs and of long ones (long_program.h).  Half widths contain
 * it, or more where the pilots' warm-up says so. */
#define PLACING_ERROR 0.02
#define PLACED_ERROR 0.05
#define PLACED_LONG_ERROR 0.03
/* Of a launch's last wave of CTAs, where it has fewer of them than there are SMs: which SMs are
 * free first, so that the CTAs come to lie side by side or apart, is chance.  The eight last ones
 * of libor on gtx480 lie on one SM after the pass, on two in the run: 48,000 cycles an interval,
 * 35,500 there.
 */
#define DRAIN_ERROR 0.33

/* What they may leave, relative: of cycles, and of cycles per L1 access.  The latter counts where
 * the program's accesses are in the control variate: what intervals do too much or too little of
 * is known then. */
struct systematic_error {
    double cycles, work;
    double placing; /* of these, what placing leaves by itself; above it, warming counts */
};

enum control {
    CONTROL_NONE,
    CONTROL_INSTRUCTIONS,
    CONTROL_ESTIMATE,
    CONTROL_PASS,
    CONTROL_ACCESSES,
    CONTROL_BOTH,
    CONTROL_N
};
extern const char *const control_name[CONTROL_N];

/* Embed; arrays are workspaces of the size of the observations. */
struct extrapolation {
    const struct population *p;
    const struct interval_run *run;
    uint32_t n;
    double confidence;
    struct stratified s;
    struct stratum_size *size; /* [strata] */
    uint32_t *of;              /* [n] */
    double *x, *y, *w;         /* [n] */
    double *other;             /* [n] accesses, beside the pass's clock in x */
    double slope_of_accesses;  /* what an access counts in x */
    double *share, *covered;   /* [strata], of one launch */
    enum control control;
    uint32_t free;        /* observations beyond one per stratum, full strata not counted */
    double cycles;        /* total */
    struct spread spread; /* of it */
    double half_width;    /* relative, of sampling alone */
    struct systematic_error doubt;
    double placing; /* which of it counts with this control variate, and ...; may be raised */
    double drained; /* ... how the last wave of CTAs may be shared out, and ... */
    double missed;  /* ... what the accesses that the weights leave out cost, relative */
    double widened; /* factor of all variances: strata of few observations believe the others */
    double grown;   /* factor of the strata seen that makes up for ... */
    double unseen;  /* ... this share of the estimated cycles in strata of which nothing was run */
};

/* plain: without a control variate, whatever it would gain.  false: no memory. */
bool extrapolate(struct extrapolation *x, const struct population *p,
                 const struct interval_run *run, uint32_t n, double confidence,
                 struct systematic_error doubt, bool plain, struct error *e);
/* Accesses that come to the L1s in a unit's run: what access_count.h counts of the program. */
double extrapolate_accesses(const struct metrics *m);
void extrapolation_fini(struct extrapolation *x);
/* The same units as another machine ran them, in the same order, with the weights as they are; run
 * stays with the caller. */
bool extrapolation_other(struct extrapolation *x, const struct interval_run *run, struct error *e);
/* The other's cycles over these; *half_width: of sampling alone, absolute. */
double extrapolation_ratio(struct extrapolation *x, const struct interval_run *other,
                           double *half_width);

/* Standard deviation of the units' cycles inside each stratum after regression, for allocation
 * only: drawn towards the relative deviation of all strata, since two or three units alone say
 * little. */
void extrapolation_sd(const struct extrapolation *x, double *sd);
/* What placing or warming leaves with this control variate, accesses left out aside. */
double extrapolation_doubt(const struct extrapolation *x);
/* Metrics and half widths; x->placing may be raised before. */
void extrapolation_metrics(struct extrapolation *x, struct answer *a);
/* One launch: its own share of each stratum, after the units that were run there. */
void extrapolation_launch(struct extrapolation *x, uint32_t launch, struct metrics *m);

#endif
