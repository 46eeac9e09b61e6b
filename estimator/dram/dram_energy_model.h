/* dram_energy_model.h - what the memory spends on a launch, from its estimated commands and time.
 *
 * Commands cost as in the cycle model (gpu/energy/dram_energy.h).  A rank has an open row from its
 * first access to the next refresh of all banks, launches that end between them or not.  Accesses
 * come at random, but to no more channels than those since the refresh choose among: a load that
 * keeps to some channels for as long leaves the others closed.  Where rows close by themselves, a
 * rank is open while one of its independent row cycles lasts.  Refreshes: the time over tREFI. */
#ifndef PLUMB_ESTIMATOR_DRAM_DRAM_ENERGY_MODEL_H
#define PLUMB_ESTIMATOR_DRAM_DRAM_ENERGY_MODEL_H

#include "estimator/dram/row_locality.h"
#include "gpu/machine/params/dram.h"
#include "gpu/metrics/metrics.h"

struct memory_use {                  /* over all channels */
    double reads, writes, activates; /* bursts; rows opened */
    double us;                       /* length of the launch */
    const struct row_locality *rows; /* how unevenly channels are used; NULL: evenly */
};

/* Share of the time in which a rank has an open row, 0..1; the launch begins with closed rows. */
double dram_energy_open_share(const struct dram_params *d, const struct memory_use *u);
/* Sets the keys of energy where the set has figures.  model = banks.  The launch begins with closed
 * rows. */
void dram_energy_add(const struct dram_params *d, const struct memory_use *u, struct metrics *o);

/* What a launch does to rows that the one before it left open. */
struct rows_left {
    double added_mj; /* of background, if it began with an open row in every rank */
    double opened;   /* share of the ranks with an open row at its end, if it began with none */
    double kept;     /* share of those open at its beginning that no refresh closes */
};
struct rows_left dram_energy_rows_left(const struct dram_params *d, const struct memory_use *u);
/* `*open`: share of the ranks with an open row, before and then after the launch; o: to add to. */
void dram_energy_add_after(const struct rows_left *r, double *open, struct metrics *o);

#endif
