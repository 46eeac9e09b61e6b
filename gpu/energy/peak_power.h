/* peak_power.h - peak power of a simulation: the largest mean over windows of energy.window_cycles.
 *
 * A window belongs to the launch in which it ends; a launch in which none ends has its own mean.
 * Units: W. */
#pragma once

#include "gpu/energy/costs.h"
#include "gpu/metrics/metrics.h"

struct power_watch {
    const struct energy_costs *costs;
    double energy_mj, time_us; /* at the end of the last window */
    double launch, highest;    /* largest mean of the launch, of the run so far */
};

/* Whether all costs that total energy needs are known. */
bool peak_power_is_known(const struct energy_costs *c);
void power_begin(struct power_watch *w, const struct energy_costs *c); /* begins a run at time 0 */
void power_window(struct power_watch *w, const struct metrics *now);
/* Called at a launch's end: fills the energy of its record and its peak power. */
void power_launch(struct power_watch *w, struct metrics *launch);
