/* dram_energy_model.c - see dram_energy_model.h. */
#include "estimator/dram/dram_energy_model.h"

#include "estimator/math_util.h"
#include "gpu/energy/dram_energy.h"

#include <math.h>

static double clocks_of(const struct dram_params *d, const struct memory_use *u)
{
    return u->us * (double)d->clock_khz * 1e-3;
}

static double rank_count(const struct dram_params *d)
{
    return (double)d->channels * dram_rank_count(d);
}

/* Refreshes of all banks divide the launch into intervals, each of which begins with closed
 * rows. */
struct refresh_intervals {
    double n, clocks;
    double rate; /* accesses per clock, all ranks */
};

static struct refresh_intervals refresh_intervals_of(const struct dram_params *d,
                                                     const struct memory_use *u)
{
    bool together = d->t.tREFI && !d->per_bank_refresh;
    double clocks = clocks_of(d, u), refreshed = together ? clocks / d->t.tREFI : 0;
    return (struct refresh_intervals){
        .n = refreshed + 1,
        .clocks = math_larger(0, clocks - refreshed * d->t.tRFC) / (refreshed + 1),
        .rate = math_over(u->reads + u->writes, clocks),
    };
}

/* The share of the ranks with an open row at time t after all were closed, if rows stay open:
 * accesses arrive at random at as many channels as the accesses since then choose among. */
static double open_share_after(const struct refresh_intervals *s, const struct memory_use *u,
                               double ranks, double t)
{
    double among = u->rows ? row_locality_among(u->rows, s->rate * t) : 1;
    return among * -expm1(-s->rate * t / (among * ranks));
}

/* The mean of open_share_after over an interval. */
static double opened_mean(const struct refresh_intervals *s, const struct memory_use *u,
                          double ranks)
{
    enum { STEPS = 32 };
    double sum = 0;
    for (uint32_t i = 0; i < STEPS; i++)
        sum += open_share_after(s, u, ranks, s->clocks * (i + 0.5) / STEPS);
    return sum / STEPS;
}

double dram_energy_open_share(const struct dram_params *d, const struct memory_use *u)
{
    double ranks = rank_count(d), clocks = clocks_of(d, u);
    if (d->page_policy == PAGE_OPEN) {
        struct refresh_intervals s = refresh_intervals_of(d, u);
        return math_over(s.n * s.clocks * opened_mean(&s, u, ranks), clocks);
    }
    double row = math_larger(d->t.tRAS, d->t.tRCDRD + d->t.tAL + d->t.tRTP);
    if (d->page_policy == PAGE_TIMEOUT) row += d->page_timeout;
    return 1 - exp(-math_over(u->activates / ranks * row, clocks));
}

static double count_refreshes(const struct dram_params *d, double clocks)
{
    double banks = (double)d->bankgroups * d->banks_per_group, interval = d->t.tREFI;
    if (d->t.tREFI == 0 || d->t.tRFC == 0) return 0;
    if (d->per_bank_refresh) interval = d->t.tREFIb ? d->t.tREFIb : interval / banks;
    return clocks / interval * rank_count(d);
}

static struct dram_energy energy_of(const struct dram_params *d, const struct memory_use *u)
{
    double width = dram_lockstep(d), refreshed = count_refreshes(d, clocks_of(d, u));
    double rank_ns = 1e3 * u->us * rank_count(d) * width;
    double open = dram_energy_open_share(d, u);
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
    return dram_energy(&d->energy, &done);
}

void dram_energy_add_all(const struct dram_params *const *d, const struct memory_use *u,
                         uint32_t memories, struct metrics *o)
{
    struct dram_energy sum = {0};
    for (uint32_t i = 0; i < memories; i++) {
        if (d[i]->energy.model == DRAM_ENERGY_NONE || d[i]->model != DRAM_BANKS) return;
        struct dram_energy e = energy_of(d[i], &u[i]);
        dram_energy_join(&sum, &e);
    }
    dram_energy_metrics(&sum, o);
}

struct rows_left dram_energy_rows_left(const struct dram_params *d, const struct memory_use *u)
{
    if (d->page_policy != PAGE_OPEN) return (struct rows_left){0};
    struct refresh_intervals s = refresh_intervals_of(d, u);
    double ranks = rank_count(d);
    double closed_ns =
        (1 - opened_mean(&s, u, ranks)) * math_over(s.clocks * 1e6, (double)d->clock_khz);
    double mw = d->energy.act_standby_mw - d->energy.pre_standby_mw;
    return (struct rows_left){
        .added_mj = closed_ns * ranks * dram_lockstep(d) * mw * 1e-9,
        .opened = open_share_after(&s, u, ranks, s.clocks),
        .kept = math_larger(0, 2 - s.n),
    };
}

void dram_energy_add_after(const struct rows_left *r, double *open, struct metrics *o)
{
    double added = *open * r->added_mj;
    *open = r->opened + (1 - r->opened) * r->kept * *open;
    if (!o->has[M_dram_background_mj]) return;
    o->v[M_dram_background_mj] += added;
    o->v[M_energy_dram] += added;
}
