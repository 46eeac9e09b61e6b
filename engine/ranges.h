/* ranges.h - the ranges of an answer's metrics at its level.
 *
 * Of an estimate: those of times follow from the cycles'; the others are learned ones
 * (calibration/range_model.h).  Of a sample: the value and its half width. */
#pragma once

#include "engine/engine_job.h"

/* A range, as an error, that was learned from exact profiles: widened by what the job's profile
 * adds if it is sampled. log_sd: of that addition. */
double engine_sampled_range(const struct engine_job *job, double range, double log_sd);
/* Fills a->ranges, if the answer has a confidence. */
void engine_ranges(const struct engine_job *job, struct answer *a);
