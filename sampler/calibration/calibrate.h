/* calibrate.h - calibrates the estimator: fits its physical coefficients to runs of the cycle
 * model.
 *
 * Robust nonlinear least squares (GSL's trust region; Cauchy loss by reweighting) on log(cycles)
 * over the logarithms of the coefficients, with log-normal priors around 1 as extra residuals.  A
 * coefficient that the data hardly determine stays at 1.  A Gaussian process (residual_model.h)
 * learns the remaining error.  The error is cross-validated, each point against a fit without it
 * (by the hat matrix of the last step, and by the process), and stands in the file with its
 * provenance.  A calibration is refused for another machine family (the name of the preset it was
 * made for) or another model version. */
#pragma once

#include "sampler/answer/answer.h"
#include "sampler/calibration/residual_model.h"

struct calibration {
    struct correction correction;
    double sd[COEF_N]; /* standard errors of log coef; for those not fitted, the prior's */
    bool fitted[COEF_N];
    struct residual residual;
    /* mean |log ratio| before the fit, with the coefficients, cross-validated with all */
    double raw_error, fit_error, cv_error;
    double cv_worst;
    uint32_t points;
    int est_version, sim_version;
    char machine[64];       /* preset family */
    struct digest training; /* digest of the training points' keys */
};

struct cal_point {
    const struct profile *profile;
    struct est_params params; /* its pointers must stay valid during the fit */
    double cycles;            /* of a sample or a simulation */
    double log_sd;            /* standard error of log(cycles) */
    const struct machine *machine;
    struct digest program;
};

enum { CALIBRATE_POINTS_MIN = 3 };
/* Needs at least two points more than there are coefficients to fit.  path[paths]: the parameters
 * in which the machines differ.  residual[n] (may be NULL): leave-one-out log(simulated / fitted).
 * The caller sets out->machine and out->training, and calls calibration_fini in either case. */
bool calibrate_fit(const struct cal_point *pts, uint32_t n, const char *const *path, uint32_t paths,
                   struct calibration *out, double *residual, struct error *e);
void calibration_fini(struct calibration *c);

/* Computes a point's inputs for the residual's process; y is 0 where its cycles are not known. */
bool calibrate_describe(const struct cal_point *p, const struct correction *c,
                        struct residual_point *out, struct error *e);

/* The correction of an estimate that was made with the calibration's coefficients. */
struct calibrated {
    double factor; /* of the cycles */
    double log_sd;
    const char *outside; /* a parameter outside the trained range; NULL: none */
};
/* program: NULL for a part of a program. */
bool calibrate_apply(const struct calibration *c, const struct machine *m,
                     const struct digest *program, const struct metrics *estimated,
                     const struct explanation *x, struct calibrated *out, struct error *e);
bool calibration_save(const struct calibration *c, const char *path, struct error *e);
bool calibration_load(struct calibration *c, const char *path, struct error *e);
/* false: the calibration is for another machine family or model version. */
bool calibration_fits(const struct calibration *c, const struct machine *m, struct error *e);
