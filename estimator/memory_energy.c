/* memory_energy.c - see memory_energy.h. */
#include "estimator/memory_energy.h"

#include "energy/dram.h"
#include "estimator/arith.h"

#include <math.h>

static double clocks_of(const struct dram_params *d, const struct memory_use *u)
{
    return u->us * (double)d->clock_khz * 1e-3;
}

/* Mean time to the next of accesses that come at random every `idle`, at most `span`. */
static double wait_for_access(double idle, double span)
{
    return idle > 0 ? idle * -expm1(-span / idle) : span;
}

/* Rows stay open. */
static double closed_share(const struct dram_params *d, double clocks, double accesses)
{
    double idle = over(clocks, accesses), closed = wait_for_access(idle, clocks);
    bool together = d->t.tREFI && !d->per_bank_refresh; /* all banks close for a refresh */
    double rest = larger(0, (double)d->t.tREFI - d->t.tRFC);
    if (together) closed += clocks / d->t.tREFI * (d->t.tRFC + wait_for_access(idle, rest));
    return clocks > 0 ? smaller(1, closed / clocks) : 1;
}

double memory_open_share(const struct dram_params *d, const struct memory_use *u)
{
    double ranks = (double)d->channels * dram_rank_count(d), clocks = clocks_of(d, u);
    if (d->page_policy == PAGE_OPEN)
        return 1 - closed_share(d, clocks, (u->reads + u->writes) / ranks);
    double row = larger(d->t.tRAS, d->t.tRCDRD + d->t.tAL + d->t.tRTP);
    if (d->page_policy == PAGE_TIMEOUT) row += d->page_timeout;
    return 1 - exp(-over(u->activates / ranks * row, clocks));
}

static double refreshes(const struct dram_params *d, double clocks)
{
    double banks = (double)d->bankgroups * d->banks_per_group, interval = d->t.tREFI;
    if (d->t.tREFI == 0 || d->t.tRFC == 0) return 0;
    if (d->per_bank_refresh) interval = d->t.tREFIb ? d->t.tREFIb : interval / banks;
    return clocks / interval * d->channels * dram_rank_count(d);
}

void memory_energy(const struct dram_params *d, const struct memory_use *u, struct metrics *o)
{
    double width = dram_lockstep(d), refreshed = refreshes(d, clocks_of(d, u));
    double rank_ns = 1e3 * u->us * d->channels * dram_rank_count(d) * width;
    double open = memory_open_share(d, u);
    if (d->energy.model == DRAM_ENERGY_NONE) return;
    const struct dram_activity done = {
        .activates = width * u->activates,
        .reads = u->reads,
        .writes = u->writes,
        .rank_refreshes = d->per_bank_refresh ? 0 : width * refreshed,
        .bank_refreshes = d->per_bank_refresh ? width * refreshed : 0,
        .burst_bytes = (double)d->burst_length * d->bus_bytes,
        .act_standby_ns = open * rank_ns,
        .pre_standby_ns = (1 - open) * rank_ns,
    };
    struct dram_energy e = dram_energy(&d->energy, &done);
    dram_energy_metrics(&e, o);
}
