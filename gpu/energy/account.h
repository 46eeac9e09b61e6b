/* account.h - energy of a record: counts x what each costs, plus leakage x time.
 *
 *   L1, L2    look-ups x tag read; hits of loads (and write-backs) x data read; hits of stores,
 *             stores that allocate and fills x data write; fills and lines taken x tag write.
 *             Tags and data are accessed in turn (Candel 6.6.4): a miss costs its look-up alone.
 *   MSHRs     a new miss: search, write, and read at its fill; an access that joins: search, write.
 *   network   flits x pJ (per link crossed on a mesh).
 *   memory    dram_energy.h.
 *
 * A key stands only where all its counts and costs are known; energy_mj.total needs the caches'
 * and the memory's, and holds the MSHRs and networks where they are known.
 * Linear in the counts: the sum over intervals or launches is the account of their sum.
 * Units: mJ, mW, mm2.  Source: Candel 6.6.4. */
#ifndef PLUMB_GPU_ENERGY_ACCOUNT_H
#define PLUMB_GPU_ENERGY_ACCOUNT_H

#include "gpu/energy/costs.h"
#include "gpu/metrics/metrics.h"

/* Counts to energy; call metrics_finish afterwards for average power. */
void energy_account(const struct energy_costs *c, struct metrics *m);
/* Areas: no counts, they do not add over launches; for whole records only. */
void energy_areas(const struct energy_costs *c, struct metrics *m);

#endif
