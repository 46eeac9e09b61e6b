/* auto_model.h - what engine auto believes: fits the calibration and, program by program, a
 * surrogate (auto_surrogate.h) to the simulated points, predicts all points with whichever errs
 * less, and says how well (auto_error.h).
 *
 * A run is [point * workloads + workload]. */
#ifndef PLUMB_SWEEPS_AUTO_AUTO_MODEL_H
#define PLUMB_SWEEPS_AUTO_AUTO_MODEL_H

#include "sweeps/auto/prediction.h"
#include "sweeps/run/profile_pool.h"

struct auto_model {
    const struct plan *plan;
    unsigned threads;
    struct profiles profiles;
    struct predictions predictions; /* where known: simulated */
    double *estimate; /* [point * workloads + workload] cycles before anything was simulated */
    double *hours;    /* [point] core hours of its simulated runs */
    bool *failed;     /* [point] a simulated run failed */
    bool *even;       /* [point] simulated because its place came up, whatever it may be worth */
    double *left;     /* [run] log(simulated / predicted) with its point left out; NaN: not known */
    double left_out;  /* mean |relative error| of the even points' runs, each left out; NaN */
    /* What the estimator says, calibrated with the first `calibrated` known runs (0: as it is): as
     * beliefs.cell, and the log_sd of cycles [run]. */
    double *forecast, *forecast_sd;
    double *calibration_left; /* as left, of these runs */
    uint32_t calibrated;
};

bool auto_model_new(struct auto_model *m, const struct plan *p, unsigned threads, struct error *e);
void auto_model_fini(struct auto_model *m);
/* Takes the estimates of all points from the store. */
bool auto_model_estimates(struct auto_model *m, struct store *s, struct error *e);
/* Takes the simulated runs of these points from the store into the beliefs. */
bool auto_model_gather(struct auto_model *m, struct store *s, const uint32_t *point, uint32_t n,
                       struct error *e);
/* Fits to what is known (with too few points: not at all) and predicts everything else.  The
 * calibration, which takes far longer than all else, is made anew when half as many runs again are
 * known. */
bool auto_model_learn(struct auto_model *m, struct error *e);
/* The mean |relative error| of a program's known runs, each left out: of the even points alone, or
 * of all; NaN: there are none. */
double auto_model_left_out(const struct auto_model *m, uint32_t workload, bool even);

#endif
