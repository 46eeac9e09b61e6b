/* account.h - the energy of a record of metrics: counts x energy of each event, plus leakage x
 * time.
 *
 *   L1, L2   look-ups x tag read; hits of loads (and write-backs) x data read; hits of stores,
 *            stores that allocate and fills x data write; fills and allocations x tag write.
 *            Tags and data are accessed one after the other (Candel 6.6.4): a miss costs only its
 *            look-up.
 *   MSHRs    a new miss: search, write, and a read at its fill; a merged access: search, write.
 *   network  flits x pJ (per link crossed on a mesh).
 *   L3       look-ups x tag read; hits of reads x data read; reads that miss x tag and data write;
 *            writes, where they stay in it, x data write.
 *   write    stores and the read cache's misses x tag read; stores x data write; blocks that leave
 *   caches   x data read, tag write, and an entry of the S-FIFO written and read.
 *   register bank reads x read; bank writes x write; shifts x shift. Of a write buffer: results x
 *   files    write; operands that it serves and entries that go to their bank, unless the result
 *            was written directly, x read. Of a register-file cache: results that it takes x
 *            write; operands that it serves and entries that go to their bank x read.
 *   memory   dram_energy.h.
 * A key is present only if all its counts and costs are known. energy_mj.total needs those of the
 * caches, write caches, register files and the memory, and includes the MSHRs and networks if they
 * are known. Energy is linear in the counts: the sum over intervals or launches equals the energy
 * of their sum.
 *
 * Units: mJ, mW, mm2. Source: Candel 6.6.4. */
#pragma once

#include "gpu/energy/costs.h"
#include "gpu/metrics/metrics.h"

/* Fills the energy keys from the counts; call metrics_finish afterwards for average power. */
void energy_account(const struct energy_costs *c, struct metrics *m);
/* Sums the parts of the energies that are there. */
void energy_totals(const struct energy_costs *c, struct metrics *m);
/* Fills the areas; only for whole records, since areas do not add over launches. */
void energy_areas(const struct energy_costs *c, struct metrics *m);
