/* ranges.h - the ranges of an answer's metrics at its level.
 *
 * Of an estimate: those of times follow from the cycles'; the others are learned ones
 * (sampler/calibration/range_model.h).  Of a sample: the value and its half width. */
#pragma once

#include "engine/engine_job.h"

/* Fills a->ranges, if the answer has a confidence. */
void engine_ranges(const struct engine_job *job, struct answer *a);
