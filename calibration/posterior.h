/* posterior.h - what simulations of a program say of its other estimates.
 *
 * The error of an estimate, log(simulated / estimated) of its cycles or a metric's error by
 * range_error, is a program's own offset, plus a smooth function of the place (place.h), plus
 * noise: a Gaussian process for each program, with one kernel for all programs, offset^2 + sum over
 * groups g of amplitude_g^2 Matern(distance_g / length_g) + noise^2, Matern of order 5/2.  The
 * kernel is learned from many programs (kernel_fit.h).  How large a program's errors are on the
 * whole is learned from the program itself: given its runs, errors have Student's distribution with
 * `tail` degrees of freedom (Shah, Wilson & Ghahramani 2014).  All metrics share the weights of the
 * runs; each has its own scale. */
#pragma once

#include "base/error.h"
#include "base/text/digest.h"
#include "calibration/place.h"
#include "gpu/metrics/metrics.h"

struct error_kernel {
    double offset, noise; /* standard deviations */
    double tail;          /* degrees of freedom, above 2 */
    double amplitude[PLACE_GROUPS], length[PLACE_GROUPS];
};

double error_kernel_covariance(const struct error_kernel *k, const double distance[PLACE_GROUPS]);
double error_kernel_variance(const struct error_kernel *k); /* of one error, noise included */
/* What is believed before anything was learned: the middle of the priors (constants.h). */
struct error_kernel error_kernel_usual(void);

/* A run of the cycle model and the estimate of the same machine and program. */
struct known_run {
    struct digest program, machine;
    struct place place;
    double log_sd;                  /* standard error of the logarithm of its cycles */
    bool banked;                    /* the bank had it */
    double error[METRICS_KEYS_MAX]; /* as metrics_key(i), by range_error */
    bool has[METRICS_KEYS_MAX];
};

/* The runs of one program, with what does not depend on the place that is asked about. */
struct posterior {
    struct error_kernel kernel;
    const struct known_run **run;      /* [n] borrowed */
    uint32_t n;
    double *chol; /* [n][n] lower triangle of the covariance's Cholesky factor */
};

enum { POSTERIOR_RUNS_MAX = 128 };

/* Takes at most POSTERIOR_RUNS_MAX runs, the last ones.  The caller calls posterior_fini in either
 * case. */
bool posterior_make(struct posterior *p, const struct error_kernel *k,
                    const struct known_run *const *run, uint32_t n, struct error *e);
void posterior_fini(struct posterior *p);

/* What the runs say of a place. */
struct posterior_view {
    double weight[POSTERIOR_RUNS_MAX]; /* of each run's error in the mean */
    double half[POSTERIOR_RUNS_MAX];   /* chol^-1 of the covariances with the runs */
    double variance;                   /* of the cycles' error, before the program's own scale */
    uint32_t nearest;                  /* the run with the greatest covariance */
};
void posterior_look(const struct posterior *p, const struct place *at, struct posterior_view *v);

/* The mean of a metric's error.  false: a run lacks the metric. */
bool posterior_mean(const struct posterior *p, const struct posterior_view *v, uint32_t metric,
                    double *mean);
/* The factor by which this program's errors of a metric are larger than those of others.  scale:
 * the usual size of the metric's errors over that of the kernel's. */
double posterior_stretch(const struct posterior *p, uint32_t metric, double scale);
/* The variance of the difference of the errors of two places, noise twice included. */
double posterior_difference(const struct posterior *p, const struct place *a,
                            const struct posterior_view *va, const struct place *b,
                            const struct posterior_view *vb);
