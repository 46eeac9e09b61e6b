/* range_fit.h - learns how far estimates may be off from cases that were simulated, too.
 *
 * Each metric's scale maximises the likelihood of its errors under Student's t distribution, whose
 * tails keep a few distant cases from deciding, with a normal prior on the weights of the
 * standardised features.  The quantiles are of errors over scales that were fitted without the
 * case's family of programs and without its family of machines, as a new program on a new machine
 * will meet them.  Sources: range_model.h. */
#pragma once

#include "calibration/range_model.h"

struct range_point {
    uint32_t program_family, machine_family;
    double feature[RANGE_FEATURES];
    double error[METRICS_KEYS_MAX]; /* range_error; has[]: the metric has one */
    bool has[METRICS_KEYS_MAX];
};
/* Two machines and one program. */
struct ratio_point {
    double change; /* logarithm of the predicted ratio */
    double error;  /* logarithm of the simulated ratio over the predicted one */
};

/* Fills all but the ratio and the versions.  A metric with fewer than RANGE_CASES cases has no
 * range. */
bool range_fit(struct range_model *out, const struct range_point *pts, uint32_t n, struct error *e);
bool range_fit_ratio(struct range_model *out, const struct ratio_point *pts, uint32_t n,
                     struct error *e);
