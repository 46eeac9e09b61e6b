/* metric_bounds.h - what every answer's numbers hold by their meaning: they are finite and not
 * negative, and shares (metrics_is_share) are at most 1.  The ends of stated ranges hold the
 * same and lie around the value. */
#pragma once

#include "answer/answer.h"

/* The first metric that does not fit, in words; false: all do. */
bool metrics_misfit(const struct metrics *m, char *out, size_t size);

/* The first metric, stated range or station that does not fit, in words; false: all do. */
bool answer_misfit(const struct answer *a, char *out, size_t size);
