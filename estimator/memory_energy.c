/* memory_energy.c - see memory_energy.h. */
#include "estimator/memory_energy.h"

#include "energy/dram.h"
#include "estimator/arith.h"

#include <math.h>

static double clocks_of(const struct dram_params *d, const struct memory_use *u)
{
    return u->us * (double)d->clock_khz * 1e-3;
}

/* Where rows stay open: share of the ranks that have had an access some clocks after all were
 * closed.  Accesses come at random to as many channels as those until then act like. */
static double opened(const struct memory_use *u, double per_rank, double ranks, double clocks)
{
    double among = u->rows ? row_locality_among(u->rows, per_rank * ranks * clocks) : 1;
    return among * -expm1(-per_rank / among * clocks);
}

/* Mean clocks out of `span` for which a rank is open that was closed before. */
static double open_of(const struct memory_use *u, double per_rank, double ranks, double span)
{
    enum { STEPS = 32 };
    double sum = 0;
    for (uint32_t i = 0; i < STEPS; i++)
        sum += opened(u, per_rank, ranks, span * (i + 0.5) / STEPS);
    return sum / STEPS * span;
}

/* Refreshes of all banks cut the launch into stretches that begin with closed rows. */
static double open_page_share(const struct dram_params *d, const struct memory_use *u,
                              double ranks, double clocks)
{
    bool together = d->t.tREFI && !d->per_bank_refresh;
    double n = together ? clocks / d->t.tREFI : 0;
    double stretch = larger(0, clocks - n * d->t.tRFC) / (n + 1);
    double per_rank = over((u->reads + u->writes) / ranks, clocks);
    return over((n + 1) * open_of(u, per_rank, ranks, stretch), clocks);
}

double memory_open_share(const struct dram_params *d, const struct memory_use *u)
{
    double ranks = (double)d->channels * dram_rank_count(d), clocks = clocks_of(d, u);
    if (d->page_policy == PAGE_OPEN) return open_page_share(d, u, ranks, clocks);
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
