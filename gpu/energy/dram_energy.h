/* dram_energy.h - energy of the memory: counts of commands x energy of each, times in the states of
 * power x power of each.
 *
 * Units: pJ; times in ns, summed over ranks (1 mW x 1 ns = 1 pJ).
 * Source: Micron TN-41-01; the figures are the timing set's
 * (gpu/machine/params/dram/dram_energy.h). */
#pragma once

#include "gpu/machine/params/dram/dram_energy.h"
#include "gpu/metrics/metrics.h"

/* Activity of a memory. Real numbers, since estimates and weighted intervals have no whole
 * commands. */
struct dram_activity {
    double activates, reads, writes;
    double rank_refreshes, bank_refreshes;
    double burst_bytes;
    double act_standby_ns, pre_standby_ns, act_powerdown_ns, pre_powerdown_ns;
};

struct dram_energy {
    bool per_bit; /* read and write include everything; the other parts are not known */
    double activate, read, write, io, refresh, background; /* pJ */
};

/* Precondition: p->model is not none. */
struct dram_energy dram_energy(const struct dram_energy_params *p, const struct dram_activity *a);
void dram_energy_join(struct dram_energy *to, const struct dram_energy *e); /* of two memories */
double dram_energy_total(const struct dram_energy *e); /* the sum of the parts */
/* Sets the record's keys. */
void dram_energy_metrics(const struct dram_energy *e, struct metrics *m);
