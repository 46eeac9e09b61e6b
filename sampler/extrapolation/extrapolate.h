/* extrapolate.h - extrapolates from the units that were run to the whole population: totals,
 * ratios, and their half widths.
 *
 * All metrics share one set of weights (stratified.h), made with the control variate that gives the
 * smallest half width of cycles, systematic errors included.  Candidates are the estimator's cycles
 * of each unit, its instructions, the functional pass's clock, the accesses to the L1s, the last
 * two together, or none.  Strata without a unit (in an interrupted sample) count in proportion to
 * their estimated cycles.  Ratios are linearised: their spread is that of the total of (numerator -
 * ratio x denominator) / denominator (Cochran 6.4). */
#pragma once

#include "answer/answer.h"
#include "sampler/extrapolation/interval_run.h"
#include "sampler/statistics/stratified.h"
#include "sampler/strata/population.h"

/* Placing and warming by a functional pass leave errors that no number of intervals removes, as a
 * relative half width at 95 %, measured by running every interval of programs
 * (bench_sampler_coverage, docs/notebook/sampling.md): PLACING_ERROR of launches taken whole, and
 * of intervals that begin inside one PLACED_ERROR in short programs and PLACED_LONG_ERROR in long
 * ones (long_program.h).  Half widths contain it, or more where the pilots' warm-up says so.
 *
 * DRAIN_ERROR is that of a launch's last wave of CTAs, where it has fewer of them than there are
 * SMs: which SMs are free first, so that the CTAs come to lie side by side or apart, is chance. The
 * eight last ones of libor on gtx480 lie on one SM after the pass, on two in the run: 48,000 cycles
 * an interval, 35,500 there. */

/* Systematic errors, relative: of cycles, and of cycles per L1 access.  The latter applies where
 * the control variate contains the program's accesses, because then a wrong number of accesses in
 * the intervals is corrected. */
struct systematic_error {
    double cycles, work;
    double placing; /* the part that placement leaves; any excess is due to warm-up */
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

/* Embedded by value; the arrays are workspaces with one element per observation. */
struct extrapolation {
    const struct population *p;
    const struct interval_run *run;
    uint32_t n;
    double confidence;
    struct stratified s;
    struct stratum_size *size; /* [strata] */
    uint32_t *of;              /* [n] */
    double *x, *y, *w;         /* [n] */
    double *other;             /* [n] accesses, when x is the pass's clock */
    double slope_of_accesses;  /* weight of an access in x */
    double *share, *covered;   /* [strata], for one launch */
    enum control control;
    uint32_t free;        /* observations beyond one per stratum, complete strata not counted */
    double cycles;        /* total */
    struct spread spread; /* of the total */
    double half_width;    /* relative, of sampling alone */
    struct systematic_error doubt;
    double placing; /* the systematic error that applies with this control variate; may be raised */
    double drained; /* relative error from the distribution of the last waves' CTAs */
    double missed;  /* relative error from the accesses that the weights miss */
    double unmet;   /* relative error from phases, by the pass's clock, that no run has met */
    /* factor of all variances: strata with few observations use the common deviation */
    double widened;
    double grown;  /* factor that scales the observed strata up for the unobserved ones */
    double unseen; /* share of the estimated cycles in strata without an observation */
};

/* plain: uses no control variate, even if one would help.  false: no memory. */
bool extrapolate(struct extrapolation *x, const struct population *p,
                 const struct interval_run *run, uint32_t n, double confidence,
                 struct systematic_error doubt, bool plain, struct error *e);
/* Accesses to the L1s in a unit's run: the quantity that access_count.h counts for the program. */
double extrapolate_accesses(const struct metrics *m);
void extrapolation_fini(struct extrapolation *x);
/* Sets *x to the results of another machine for the same units, in the same order, with the same
 * weights; the caller owns run. */
bool extrapolation_other(struct extrapolation *x, const struct interval_run *run, struct error *e);
/* The ratio of the other machine's cycles to these; *half_width: of sampling alone, absolute. */
double extrapolation_ratio(struct extrapolation *x, const struct interval_run *other,
                           double *half_width);

/* The standard deviation of the units' cycles inside each stratum after regression, for allocation
 * only. It is shrunk towards the relative deviation of all strata, because two or three units alone
 * determine it badly. */
void extrapolation_sd(const struct extrapolation *x, double *sd);
/* The systematic error with this control variate, without that of missed accesses. */
double extrapolation_doubt(const struct extrapolation *x);
/* Fills in metrics and half widths; the caller may raise x->placing before. */
void extrapolation_metrics(struct extrapolation *x, struct answer *a);
/* The metrics of one launch: its own share of each stratum, in proportion to the units run
 * there. */
void extrapolation_launch(struct extrapolation *x, uint32_t launch, struct metrics *m);
