/* clock_params.c - parameter table of the clock domains. */
#include "gpu/machine/rows/rows.h"
#include "gpu/machine/tables/parts.h"

#define PART clock

static const struct param rows[] = {
    ROW_REAL("core_mhz", core_mhz, "1000.0", 1, 100000, "MHz",
             "clock of SMs and L1s, a whole number of kHz", "Candel table 4.2 (1 GHz)", SEEN, TERM),
    ROW_REAL("noc_mhz", noc_mhz, "1000.0", 1, 100000, "MHz",
             "clock of the networks, a whole number of kHz", "[A] as the core", SEEN, TERM),
    ROW_REAL("l2_mhz", l2_mhz, "1000.0", 1, 100000, "MHz",
             "clock of the L2 slices, a whole number of kHz", "[A] as the core", SEEN, TERM),
    ROW_REAL("sustained_mhz", sustained_mhz, "0.0", 0, 100000, "MHz",
             "core clock that the power limit leaves matrix units that are always busy; "
             "0: core_mhz",
             "[A] no limit", UNSEEN, TERM),
};

const struct part clock_part = PART_OF("clock domains; the memory's is dram.clock_mhz", rows);
