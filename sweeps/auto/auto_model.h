/* auto_model.h - the predictions of engine auto: every point's estimate, corrected by the simulated
 * runs of its program (calibration/calibrate.h) or, where that errs less, by a surrogate of the
 * program (auto_surrogate.h); and that error (auto_error.h).
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
    /* The estimator's answers, corrected by the known runs, `calibrated` of them (0: uncorrected):
     * values as in predictions.cell, and the log_sd of the cycles of each run. */
    double *forecast, *forecast_sd;
    uint32_t calibrated;
};

bool auto_model_new(struct auto_model *m, const struct plan *p, unsigned threads, struct error *e);
void auto_model_fini(struct auto_model *m);
/* Reads the estimates of all points from the store. */
bool auto_model_estimates(struct auto_model *m, struct store *s, struct error *e);
/* Reads the simulated runs of these points from the store into the predictions. */
bool auto_model_gather(struct auto_model *m, struct store *s, const uint32_t *point, uint32_t n,
                       struct error *e);
/* Learns from the known runs, if there are enough, and predicts all others. */
bool auto_model_learn(struct auto_model *m, struct error *e);
/* The mean |relative error| of a program's known runs, each left out: of the even points alone, or
 * of all points; NaN: there are none. */
double auto_model_left_out(const struct auto_model *m, uint32_t workload, bool even);
