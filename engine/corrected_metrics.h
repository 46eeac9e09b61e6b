/* corrected_metrics.h - the metrics of an estimate that runs of its program correct.
 *
 * Counts and rates are corrected each by its own errors in the runs.  What follows from others is
 * then computed by its formula (docs/guide/metrics.md), so that a corrected answer agrees with
 * itself.  A latency is a distribution: all of it is stretched as its mean is. */
#pragma once

#include "engine/engine_job.h"

/* Of the metrics that have learned errors, as metrics_key(i): the expected error and the range
 * around it, in the units of range_error. */
struct metric_errors {
    enum known_error known[METRICS_KEYS_MAX];
    double mean[METRICS_KEYS_MAX], range[METRICS_KEYS_MAX];
};

/* The estimated value of the metric that is the unit of another one's errors, before any
 * correction; 1 where there is no such metric.  false: the estimate lacks it. */
bool corrected_metrics_unit(const struct engine_job *job, uint32_t i, double *unit);

/* Corrects a->m, whose times are already corrected; nothing if no run of the program does.  The
 * range of a percentile, which moves with its mean, becomes wider by the rest of its own error. */
void corrected_metrics(const struct engine_job *job, struct metric_errors *by, struct answer *a);
