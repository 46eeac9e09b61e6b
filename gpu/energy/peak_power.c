/* peak_power.c - see peak_power.h. */
#include "gpu/energy/peak_power.h"

#include "gpu/energy/account.h"

#define W_PER_MJ_US 1e3

bool peak_power_is_known(const struct energy_costs *c)
{
    return c->on && !c->incomplete && !energy_costs_lack(c, "power_w.peak");
}

void power_begin(struct power_watch *w, const struct energy_costs *c)
{
    *w = (struct power_watch){.costs = c};
}

static void note_power(struct power_watch *w, double watts)
{
    if (watts > w->launch) w->launch = watts;
    if (watts > w->highest) w->highest = watts;
}

void power_window(struct power_watch *w, const struct metrics *now)
{
    struct metrics m = *now;
    energy_account(w->costs, &m);
    if (!m.has[M_energy_total]) return;
    double us = m.v[M_time_us] - w->time_us, mj = m.v[M_energy_total] - w->energy_mj;
    w->time_us = m.v[M_time_us];
    w->energy_mj = m.v[M_energy_total];
    if (us > 0) note_power(w, W_PER_MJ_US * mj / us);
}

void power_launch(struct power_watch *w, struct metrics *launch)
{
    energy_account(w->costs, launch);
    metrics_finish(launch);
    if (!launch->has[M_power_average]) return;
    if (!(w->launch > 0)) note_power(w, launch->v[M_power_average]);
    metrics_set(launch, M_power_peak, w->launch);
    w->launch = 0;
}
