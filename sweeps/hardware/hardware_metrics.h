/* hardware_metrics.h - maps a profiler's counters to plumb's metrics. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum profiler { PROFILER_NVPROF, PROFILER_NCU, PROFILER_ROCPROF, PROFILER_OPENCL };

struct counter_metric {
    enum profiler tool;
    const char *counter, *metric;
    double factor; /* from the counter's own unit; a unit in the file is applied on top */
};
/* NULL: plumb has no such metric. */
const struct counter_metric *counter_metric(enum profiler tool, const char *counter);
/* The i-th row of the table; NULL past the last. */
const struct counter_metric *hardware_counter_metric_at(uint32_t i);
/* Whether a column of that name may be a counter of that profiler at all. */
bool hardware_counter_is_plausible(enum profiler tool, const char *name);
/* Whether the counter is a rate, share or mean, which does not add up over launches. */
bool hardware_counter_is_mean(const char *name);
/* The factor from a unit, as a file writes it, to the base unit of its kind ("msecond": 1000 us;
 * "%": 0.01); 1 for counts and unknown units. false: the unit is unknown. */
bool hardware_counter_unit(const char *unit, double *factor);
/* Whether a unit counts whole things: cycles, instructions, sectors. */
bool hardware_unit_counts(const char *unit);
