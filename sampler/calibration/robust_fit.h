/* robust_fit.h - robust least squares with priors for any model: the numerical core of calibrate.c.
 *
 * Finds theta that minimises  sum_i rho(r_i / s) + sum_k (theta_k / prior_sd)^2,  r_i = y_i -
 * f_i(theta), rho Cauchy's loss, s the residuals' own scale (from their median), by reweighted
 * trust-region steps.  Parameters that the data leave nearly as uncertain as the prior does are
 * fixed at 0, the least certain first.  Source: Huber & Ronchetti 2009 ch. 7; Cauchy's tuning
 * constant 2.385 (95 % efficiency). */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { FIT_PARAMS_MAX = 8 };

/* Computes f[n] at theta.  false: *e is set. */
typedef bool fit_model(const double *theta, double *f, void *ctx, struct error *e);

struct fit_problem {
    fit_model *model;
    void *ctx;
    uint32_t n, params;
    const double *y;  /* [n] */
    const double *sd; /* [n] standard error of each point; may be 0 */
    double prior_sd;
};

struct fit_result {
    double theta[FIT_PARAMS_MAX], sd[FIT_PARAMS_MAX];
    bool fitted[FIT_PARAMS_MAX];
};

/* residual[n]: y - f; left_out[n]: y minus the prediction of a fit without that point. */
bool fit_robust(const struct fit_problem *p, struct fit_result *out, double *residual,
                double *left_out, struct error *e);
