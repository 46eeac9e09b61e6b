/* pareto.h - finds the points that no other point dominates.
 *
 * Point a dominates b when a is at least as good on every objective and better on one.  Equal
 * points do not dominate each other.  A point with a missing value (NaN) is never on the front and
 * dominates nothing. */
#pragma once

#include "base/error.h"
#include "sweeps/plan/plan.h"

#include <stdbool.h>
#include <stdint.h>

/* value[point * k + objective]; front[n] is filled.  false: no memory. */
bool pareto_front(const double *value, uint32_t n, const enum goal *goal, uint32_t k, bool *front);
