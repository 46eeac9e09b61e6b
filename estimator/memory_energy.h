/* memory_energy.h - what the memory spends on a launch, from its estimated commands and time.
 *
 * Commands cost as in the cycle model (energy/dram.h).  A rank has an open row from its first
 * access on, but for each refresh and the time from there to its next access; where rows close by
 * themselves, while one of its independent row cycles lasts.  Refreshes: the time over tREFI. */
#ifndef PLUMB_ESTIMATOR_MEMORY_ENERGY_H
#define PLUMB_ESTIMATOR_MEMORY_ENERGY_H

#include "base/metrics.h"
#include "estimator/dram_service.h"
#include "machine/dram.h"

struct memory_use {                  /* over all channels */
    double reads, writes, activates; /* bursts; rows opened */
    double us;                       /* length of the launch */
    const struct row_locality *rows; /* how unevenly channels are used; NULL: evenly */
};

/* Share of the time in which a rank has an open row, 0..1. */
double memory_open_share(const struct dram_params *d, const struct memory_use *u);
/* Sets the keys of energy where the set has figures.  model = banks. */
void memory_energy(const struct dram_params *d, const struct memory_use *u, struct metrics *o);

#endif
