/* auto_model.h - what engine auto believes: fits the calibration and, program by program, a
 * surrogate (auto_surrogate.h) to the simulated points, predicts all points with whichever errs
 * less. */
#ifndef PLUMB_SWEEPS_AUTO_MODEL_H
#define PLUMB_SWEEPS_AUTO_MODEL_H

#include "sweeps/belief.h"
#include "sweeps/profiles.h"

struct auto_model {
    const struct plan *plan;
    unsigned threads;
    struct profiles profiles;
    struct beliefs beliefs; /* where known: simulated */
    double *estimate; /* [point * workloads + workload] cycles before anything was simulated */
    double *hours;    /* [point] core hours of its simulated runs */
    bool *failed;     /* [point] a simulated run failed */
    double left_out;  /* mean |relative error| with each point left out; NaN: not fitted */
};

bool auto_model_new(struct auto_model *m, const struct plan *p, unsigned threads, struct error *e);
void auto_model_fini(struct auto_model *m);
/* Takes the estimates of all points from the store. */
bool auto_model_estimates(struct auto_model *m, struct store *s, struct error *e);
/* Takes the simulated runs of these points from the store into the beliefs. */
bool auto_model_gather(struct auto_model *m, struct store *s, const uint32_t *point, uint32_t n,
                       struct error *e);
/* Fits to what is known (with too few points: not at all) and predicts everything else. */
bool auto_model_learn(struct auto_model *m, struct error *e);

#endif
