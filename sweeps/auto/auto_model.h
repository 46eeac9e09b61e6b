/* auto_model.h - the predictions of engine auto: fits the calibration and, for each program, a
 * surrogate (auto_surrogate.h) to the simulated points, predicts all points with whichever has the
 * smaller error, and states that error (auto_error.h).
 *
 * A run is [point * workloads + workload]. */
#pragma once

#include "engine/profile_pool.h"
#include "sweeps/ranking/prediction.h"

struct auto_model {
    const struct plan *plan;
    unsigned threads;
    struct profile_pool profiles;
    struct predictions predictions; /* a known value is a simulated one */
    double *estimate;               /* [run] cycles estimated before anything was simulated */
    double *hours;                  /* [point] core hours of its simulated runs */
    bool *failed;                   /* [point] a simulated run failed */
    bool *even;                     /* [point] drawn evenly, not chosen for its predicted value */
    double *left;    /* [run] leave-one-out error log(simulated / predicted); NaN: unknown */
    double left_out; /* mean |relative error| of the even points' runs, each left out; NaN: none */
    /* The estimator's answers, calibrated with the first `calibrated` known runs (0: uncalibrated):
     * values as in predictions.cell, and the log_sd of the cycles of each run. */
    double *forecast, *forecast_sd;
    double *calibration_left; /* leave-one-out errors of these, as `left` */
    uint32_t calibrated;
};

bool auto_model_new(struct auto_model *m, const struct plan *p, unsigned threads, struct error *e);
void auto_model_fini(struct auto_model *m);
/* Reads the estimates of all points from the store. */
bool auto_model_estimates(struct auto_model *m, struct store *s, struct error *e);
/* Reads the simulated runs of these points from the store into the predictions. */
bool auto_model_gather(struct auto_model *m, struct store *s, const uint32_t *point, uint32_t n,
                       struct error *e);
/* Fits to the known runs, if there are enough, and predicts all others.  The calibration takes far
 * longer than the rest, so it is repeated only when half as many runs again are known. */
bool auto_model_learn(struct auto_model *m, struct error *e);
/* The mean |relative error| of a program's known runs, each left out: of the even points alone, or
 * of all points; NaN: there are none. */
double auto_model_left_out(const struct auto_model *m, uint32_t workload, bool even);
