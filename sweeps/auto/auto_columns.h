/* auto_columns.h - the points of a design as vectors of numbers, the inputs of engine auto's
 * surrogates.
 *
 * Each numeric axis is one column: latencies are linear, because times add up, all else is a
 * logarithm; the value 0 is placed apart.  Each choice of an axis of names is one column.  Further
 * columns are derived from the whole machine (machine_derive): the unloaded latency of an L2 hit
 * and of memory, the time of a byte of memory and of network traffic, capacities.  Programs react
 * to these rather than to single parameters (to a round trip, whichever part of it grew), and they
 * make different machines comparable.  Columns that are constant, or that repeat another column,
 * are left out.
 *
 * Units: each column runs over 0..1 in the design. */
#pragma once

#include "sweeps/plan/plan.h"

struct auto_columns {
    uint32_t width; /* includes a last column for the caller's use, 0 everywhere */
    double *x;      /* [points][width] */
};
bool auto_columns_make(struct auto_columns *c, const struct plan *p, struct error *e);
void auto_columns_fini(struct auto_columns *c);
