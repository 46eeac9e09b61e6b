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
    /* [METRICS_KEYS_MAX]: RANGE_DOUBT and RANGE_CORRECTION, which each metric has of its own; NULL:
     * those of `feature` */
    const double (*own)[2];
    double error[METRICS_KEYS_MAX]; /* range_error; has[]: the metric has one */
    bool has[METRICS_KEYS_MAX];
};
/* Fills a table.  A metric with fewer than RANGE_CASES cases has no range.  false: fewer cases at
 * all, no memory, or an interrupt. */
bool range_fit(struct range_table *out, const struct range_point *pts, uint32_t n, struct error *e);
