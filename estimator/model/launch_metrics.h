/* launch_metrics.h - the metrics of one solved launch. */
#pragma once

#include "estimator/launch/launch_model.h"
#include "gpu/metrics/metrics.h"

/* rows: of each memory. */
void launch_model_metrics(const struct launch_model *m, struct metrics *out,
                          struct rows_left rows[PAGE_MEMORIES]);
