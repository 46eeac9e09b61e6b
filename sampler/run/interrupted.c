/* interrupted.c - see interrupted.h. */
#include "sampler/run/interrupted.h"

#include <math.h>

/* The index of the kept run of the same unit; else the end. */
static size_t place_of(const struct rounds *r, size_t kept, const struct sample_unit *u)
{
    size_t i = 0;
    while (i < kept && r->run[i].unit != u)
        i++;
    return i;
}

static void keep_finished(struct rounds *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->runs; i++) {
        struct interval_run run = r->run[i];
        if (run.cost == 0) continue;
        size_t at = place_of(r, kept, run.unit);
        if (at < kept && run.warmup < r->run[at].warmup) continue;
        r->run[at] = run;
        kept += at == kept;
    }
    r->runs = kept;
}

static void count_seen(struct rounds *r, const struct population *p)
{
    for (uint32_t h = 0; h < p->strata; h++)
        r->taken[h] = r->units[h] = 0;
    for (uint32_t i = 0; i < p->units; i++)
        r->units[p->unit[i].stratum]++;
    for (size_t i = 0; i < r->runs; i++)
        r->taken[r->run[i].unit->stratum]++;
}

/* The next observed stratum after h, else the last one before it; strata: there is none. */
static uint32_t find_neighbour(const struct rounds *r, uint32_t strata, uint32_t h)
{
    for (uint32_t k = h + 1; k < strata; k++)
        if (r->taken[k]) return k;
    for (uint32_t k = h; k-- > 0;)
        if (r->taken[k]) return k;
    return strata;
}

static void join_strata(struct rounds *r, struct population *p, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < p->units; i++)
        if (p->unit[i].stratum == from) p->unit[i].stratum = to;
    r->units[to] += r->units[from];
    r->taken[to] += r->taken[from];
    r->units[from] = r->taken[from] = 0;
}

void interrupted_keep(struct rounds *r, struct population *p)
{
    keep_finished(r);
    count_seen(r, p);
    for (uint32_t h = 0; h < p->strata; h++) {
        if (r->taken[h] != 1 || r->units[h] == 1) continue;
        uint32_t with = find_neighbour(r, p->strata, h);
        if (with < p->strata) join_strata(r, p, h, with);
    }
}

double interrupted_placing(const struct extrapolation *x, double doubt)
{
    double blind = x->free ? x->unseen : 1; /* one observation per stratum gives no variance */
    return hypot(x->placing, blind * doubt);
}
