/* burst_time.c - what a burst takes under load, from the rows of the stream and the timing; see
 * row_locality.h. */
#include "estimator/constants.h"
#include "estimator/dram/row_locality.h"
#include "estimator/math_util.h"

#include <math.h>

/* Clocks of a bank for a row that is opened for `bursts` of `column` clocks each. */
static double row_cycle(const struct dram_timing *t, double bursts, double column)
{
    double least = t->tRC ? t->tRC : t->tRAS + t->tRP;
    return math_larger(least, t->tRP + t->tRCDRD + bursts * column);
}

/* Units of a rank that are refreshed in turn: its banks, or one, all of them. */
static double refresh_units(const struct dram_params *d)
{
    return d->per_bank_refresh ? d->bankgroups * d->banks_per_group : 1;
}

/* Clocks between two refreshes of a rank's units. */
static double refresh_interval(const struct dram_params *d)
{
    const struct dram_timing *t = &d->t;
    return d->per_bank_refresh && t->tREFIb ? t->tREFIb : t->tREFI / refresh_units(d);
}

/* Clocks for which a unit takes no request. */
static double refresh_away(const struct dram_params *d)
{
    return d->t.tRP + (d->per_bank_refresh && d->t.tRFCb ? d->t.tRFCb : d->t.tRFC);
}

/* The mean wait of a read for its unit to come back from a refresh.  One that comes at random finds
 * the unit away for the share away / every of the time, and waits for half of that.  A warp that
 * waits for its read sends none meanwhile, so that a refresh keeps it once at most: it comes to the
 * unit at a time of chance, `apart` clocks after the unit has gone in the mean, and waits for the
 * rest.  Channels refresh at the same time. */
static double refresh_wait(const struct dram_params *d, double between)
{
    double units = dram_rank_count(d) * refresh_units(d),
           every = refresh_interval(d) * refresh_units(d),
           away = math_smaller(refresh_away(d), every), apart = between * units;
    if (!d->t.tREFI || refresh_away(d) <= d->t.tRP) return 0;
    if (apart <= 0) return 0.5 * away * away / every;
    return apart / every * (away + apart * expm1(-away / apart));
}

/* The share of new rows that find their bank closed: by a refresh, or because it was never open.
 * Rows come to banks at random; the first of each bank since a refresh, or in the launch, is one.
 */
static double found_closed(const struct dram_params *d, const struct dram_load *load, double misses)
{
    bool refreshed = d->t.tREFI && refresh_away(d) > d->t.tRP;
    double since = refreshed ? refresh_interval(d) * refresh_units(d) : INFINITY;
    if (load->length > 0) since = math_smaller(since, load->length);
    if (since == INFINITY) return 0;
    double rows = misses * load->rate * since / dram_bank_count(d);
    return rows > 0 ? -expm1(-rows) / rows : 1;
}

/* A bank's refresh keeps the other banks of its rank from opening a row for tRREFD; this is the
 * mean wait. */
static double refresh_spacing(const struct dram_params *d)
{
    double apart = d->t.tRREFD;
    if (!d->per_bank_refresh || !d->t.tREFI) return 0;
    return 0.5 * apart * apart / refresh_interval(d);
}

/* Share of time that refreshes take.  While one of several units (ranks, or banks) is refreshed,
 * the others go on until all waiting requests need that unit. */
static double refresh_share(const struct dram_params *d, double room, double service)
{
    double units = dram_rank_count(d) * refresh_units(d), away = refresh_away(d),
           every = refresh_interval(d) / dram_rank_count(d);
    if (!d->t.tREFI) return 0;
    double x = room * (units - 1) * service / away;
    double lost = away * (1 - math_soft_smaller(x, 1));
    return math_smaller(BUSY_MOST, lost / every);
}

/* How long a request whose row is closed waits for its bank to finish its present work, from the
 * banks' utilisation. */
static double bank_conflict(const struct dram_load *load, double misses, double cycle, double banks)
{
    double busy = math_smaller(BUSY_MOST, load->rate * misses * cycle / banks);
    double others = (load->most - 1) / load->most;
    return misses * others * 0.5 * cycle * busy / (1 - others * busy);
}

/* Requests that wait for their bank also stand in the queue, where the scheduler sees them; the
 * more it sees, the more open rows it finds.  Finds the depth at which that number is consistent
 * (bisection; the right side falls). */
static double depth_with_conflicts(const struct row_locality *r, const struct dram_load *load,
                                   double cycle, double banks)
{
    double low = load->depth, high = load->most;
    for (uint32_t i = 0; i < DEPTH_STEPS && high > low; i++) {
        double depth = 0.5 * (low + high), misses = 1 - row_locality_at(r->hit, depth);
        bool more = load->depth + load->rate * bank_conflict(load, misses, cycle, banks) > depth;
        *(more ? &low : &high) = depth;
    }
    return low;
}

/* Mean clocks that a read waits for its rank to leave power-down.  Arrivals are random: a rank
 * powers down if nothing has arrived for the time of the last read plus the idle time. */
static double wake_up_clocks(const struct row_locality *r, const struct dram_params *d,
                             const struct dram_load *load, double served)
{
    double rate = load->rate / (r->run * dram_rank_count(d));
    if (!d->power_down_idle) return 0;
    return d->t.tXP * exp(-rate * (served + d->power_down_idle));
}

void burst_time_find(struct burst_time *b, const struct row_locality *r,
                     const struct dram_params *d, const struct dram_load *load)
{
    const struct dram_timing *t = &d->t;
    bool closed = d->page_policy == PAGE_CLOSED;
    double groups = d->bankgroups, misses = closed ? 1 : 1 - row_locality_at(r->hit, load->most);
    double banks = math_larger(1, row_locality_at(r->banks, load->most));
    b->data = dram_burst_clocks(d);
    double column = math_larger(t->tCCD_S, t->tCCD_L / math_smaller(banks, groups));
    double bus = math_larger(dram_held_clocks(d), column),
           even = row_locality_at(r->service, load->most);
    double cycle = row_cycle(t, misses > 0 ? 1 / misses - 1 : 0, bus);
    double depth = depth_with_conflicts(r, load, cycle, banks);
    b->row_hits = closed ? 0 : row_locality_at(r->hit, depth);
    /* a burst that opens a row takes longer than one that finds it open, by a row cycle at most */
    double more = math_smaller(math_over(math_larger(0, even - bus), misses), cycle) / even;
    b->c = 0.5 * (1 + misses * (1 - misses) * more * more);
    b->service = even / (1 - refresh_share(d, load->most, even));
    bool shut = closed || d->page_policy == PAGE_CLOSED_AFTER_HITS;
    b->open = math_larger(0, (double)t->tRCDRD - t->tAL) + (shut ? 0 : t->tRP);
    b->column = t->tAL + t->tCL + b->data;
    if (!shut) b->open -= found_closed(d, load, 1 - b->row_hits) * t->tRP;
    b->latency = b->column + (1 - b->row_hits) * (b->open + refresh_spacing(d)) +
                 refresh_wait(d, load->between);
    b->latency += wake_up_clocks(r, d, load, b->latency);
    b->after_write = t->tCWL + b->data + t->tWTR_L;
    b->conflict = bank_conflict(load, 1 - b->row_hits, cycle, banks);
}
