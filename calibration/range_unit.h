/* range_unit.h - what the errors of each metric are measured in.
 *
 * Metrics are given by their index (metrics_key).  Most errors are factors; those of metrics that
 * may be near 0 where others are large are differences: of rates as they are, of what happens to a
 * level's accesses in its accesses, of parts of an energy or a latency in the whole. */
#pragma once

#include "gpu/metrics/metrics.h"

#include <stdbool.h>
#include <stdint.h>

/* The metric whose value is the unit, or one of these. */
enum { RANGE_FACTOR = METRICS_KEYS_MAX, RANGE_RATE, RANGE_NO_ERROR };
uint32_t range_unit(uint32_t metric);

/* The error of an estimate.  unit: the estimated value of the metric that is the unit; else any
 * number.  false: it has none (one of the two is not positive, or not a number). */
bool range_error(uint32_t metric, double unit, double simulated, double estimated, double *error);
/* The values that lie that error below and above. */
void range_around(uint32_t metric, double unit, double value, double error, double *low,
                  double *high);
