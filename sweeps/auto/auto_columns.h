/* auto_columns.h - where the points of a design lie, as numbers for the surrogates of engine auto.
 *
 * A column for each axis of numbers: latencies as they are, for times add up, everything else as a
 * logarithm; a value of 0 lies apart.  A column for each choice of an axis of names.  Then what
 * follows from the whole machine (machine_derive): the unloaded latency of a hit in the L2 and of
 * the memory, the time of a byte of memory and network, capacities.  Programs answer to these
 * rather than to the parameters one by one (a round trip, whatever part of it grew), and they
 * compare machines.  Columns that are the same everywhere, or that another one says already, are
 * left out.
 *
 * Units: each column runs over 0..1 in the design. */
#ifndef PLUMB_SWEEPS_AUTO_AUTO_COLUMNS_H
#define PLUMB_SWEEPS_AUTO_AUTO_COLUMNS_H

#include "sweeps/plan/plan.h"

struct auto_columns {
    uint32_t width; /* the last one, 0 everywhere, is the caller's */
    double *x;      /* [points][width] */
};
bool auto_columns_make(struct auto_columns *c, const struct plan *p, struct error *e);
void auto_columns_fini(struct auto_columns *c);

#endif
