/* dram_energy_model.h - the memory's energy in a launch, from its estimated commands and time.
 *
 * Commands cost as in the cycle model (gpu/energy/dram_energy.h).  A rank has an open row from its
 * first access until the next refresh of all banks, even if launches end in between.  Accesses
 * arrive at random, but only at as many channels as the accesses since the refresh choose among: a
 * load that keeps to some channels for that long leaves the others closed.  Where rows close by
 * themselves, a rank is open while at least one of its independent row cycles lasts.  The number of
 * refreshes is the time over tREFI. */
#pragma once

#include "estimator/dram/row_locality.h"
#include "gpu/machine/params/dram/dram.h"
#include "gpu/metrics/metrics.h"

struct memory_use {                  /* over all channels */
    double reads, writes, activates; /* reads, writes: bursts; activates: rows opened */
    double us;                       /* length of the launch */
    const struct row_locality *rows; /* how unevenly the channels are used; NULL: evenly */
};

/* The share of the time in which a rank has an open row, 0..1; the launch begins with closed
 * rows. */
double dram_energy_open_share(const struct dram_params *d, const struct memory_use *u);
/* Sets the energy metrics, the sums over the memories, if the sets of all have figures.  model =
 * banks.  The launch begins with closed rows. */
void dram_energy_add_all(const struct dram_params *const *d, const struct memory_use *u,
                         uint32_t memories, struct metrics *o);
static inline void dram_energy_add(const struct dram_params *d, const struct memory_use *u,
                                   struct metrics *o)
{
    dram_energy_add_all(&d, u, 1, o);
}

/* The effect of a launch on rows that the launch before it left open. */
struct rows_left {
    /* added background energy, if the launch began with an open row in every rank */
    double added_mj;
    double opened; /* share of the ranks with an open row at its end, if it began with none */
    double kept;   /* share of the rows open at its beginning that no refresh closes */
};
struct rows_left dram_energy_rows_left(const struct dram_params *d, const struct memory_use *u);
/* *open: share of the ranks with an open row, in: before the launch, out: after it.  Adds to *o. */
void dram_energy_add_after(const struct rows_left *r, double *open, struct metrics *o);
