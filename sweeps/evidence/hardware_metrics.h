/* hardware_metrics.h - which of plumb's metrics a profiler's counter measures. */
#ifndef PLUMB_SWEEPS_EVIDENCE_HARDWARE_METRICS_H
#define PLUMB_SWEEPS_EVIDENCE_HARDWARE_METRICS_H

#include <stdbool.h>
#include <stdint.h>

enum profiler { PROFILER_NVPROF, PROFILER_NCU, PROFILER_ROCPROF };

struct counter_metric {
    enum profiler tool;
    const char *counter, *metric;
    double factor; /* from the counter's own unit; units in the file come on top */
};
/* NULL: there is none. */
const struct counter_metric *counter_metric(enum profiler tool, const char *counter);
/* All of them, in order; NULL behind the last. */
const struct counter_metric *hardware_counter_metric_at(uint32_t i);
/* May a column of that name be a counter of that profiler at all? */
bool hardware_counter_is_plausible(enum profiler tool, const char *name);
/* A rate, share or mean: it does not add up over launches. */
bool hardware_counter_is_mean(const char *name);
/* What a unit as written in a file is in the base unit of its kind ("msecond": 1000 us; "%": 0.01);
 * 1 for counts and unknown ones. */
double hardware_counter_unit(const char *unit);

#endif
