/* rounds.c - see rounds.h. */
#include "sampler/run/rounds.h"

#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "sampler/constants.h"

#include <math.h>
#include <stdlib.h>

/* --- which unit comes next --- */

/* Reverses the bits of k, so that consecutive numbers fall into different halves, quarters and so
 * on, then flips each bit at random, depending on the bits above it (Owen 1995); without the flips
 * the order could follow a pattern that recurs in the program. */
static uint32_t scatter_bits(uint32_t k, uint64_t seed)
{
    uint32_t out = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        uint64_t before = k & ((UINT64_C(1) << bit) - 1);
        uint64_t flip = rng_splitmix64(seed ^ before << 6 ^ bit);
        out |= (uint32_t)((k >> bit ^ flip) & 1) << (31 - bit);
    }
    return out;
}

/* Any few in a row of order[n] shall lie far apart in member[n], which is sorted by position; each
 * is as likely as any other to be among them.  Of STRATUM_FEW members one may lie on both sides of
 * a half and so be chosen less: they are turned by chance. */
static void spread_out(uint32_t *order, uint32_t *member, uint32_t n, struct rng *g)
{
    uint64_t seed = rng_next(g);
    uint32_t turn = n < STRATUM_FEW ? (uint32_t)rng_below(g, n) : 0;
    for (uint32_t k = 0, at = 0; at < n; k++) {
        uint64_t u = scatter_bits(k, seed);
        uint32_t i = ((uint32_t)(u * n >> 32) + turn) % n;
        if (member[i] == UINT32_MAX) continue;
        order[at++] = member[i];
        member[i] = UINT32_MAX;
    }
}

static uint64_t unit_cost(const struct rounds *r, const struct sample_unit *u)
{
    return u->length + sample_unit_warmup(u, r->size, r->warmup);
}

static void set_costs(struct rounds *r)
{
    for (uint32_t h = 0; h < r->pop->strata; h++)
        r->cost[h] = 0;
    for (uint32_t i = 0; i < r->pop->units; i++) {
        const struct sample_unit *u = &r->pop->unit[i];
        r->cost[u->stratum] += (double)unit_cost(r, u) / r->units[u->stratum];
    }
}

struct unit_position {
    double position; /* in its launch, 0..1; or the unit's cycles by the pass's clock */
    uint32_t unit;
};

static int by_position(const void *a, const void *b)
{
    const struct unit_position *x = a, *y = b;
    if (x->position != y->position) return x->position < y->position ? -1 : 1;
    return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static void sort_places(const struct rounds *r, struct unit_position *place)
{
    for (uint32_t i = 0; i < r->pop->units; i++) {
        const struct sample_unit *u = &r->pop->unit[i];
        double inside = (double)u->begin / (double)r->size[u->launch].instructions;
        place[i].position = r->pop->timed ? u->pass : inside;
        place[i].unit = i;
    }
    qsort(place, r->pop->units, sizeof(*place), by_position);
}

static bool put_in_order(struct rounds *r, struct error *e)
{
    uint32_t *member = mem_new(r->pop->units, sizeof(*member));
    struct unit_position *place = mem_new(r->pop->units, sizeof(*place));
    if (member && place) sort_places(r, place);
    for (uint32_t i = 0; member && place && i < r->pop->units; i++) {
        uint32_t h = r->pop->unit[place[i].unit].stratum;
        member[r->start[h] + r->taken[h]++] = place[i].unit;
    }
    for (uint32_t h = 0; member && place && h < r->pop->strata; h++) {
        struct rng g;
        rng_seed(&g, r->seed, h);
        if (r->units[h]) spread_out(r->order + r->start[h], member + r->start[h], r->units[h], &g);
        r->taken[h] = 0;
    }
    bool ok = member && place;
    mem_free(member);
    mem_free(place);
    return ok || error_no_memory(e);
}

bool rounds_start(struct rounds *r, struct error *e)
{
    uint32_t strata = r->pop->strata;
    r->order = mem_new(r->pop->units, sizeof(*r->order));
    r->start = mem_new(strata + 1, sizeof(*r->start));
    r->taken = mem_new(strata, sizeof(*r->taken));
    r->units = mem_new(strata, sizeof(*r->units));
    r->sd = mem_new(strata, sizeof(*r->sd));
    r->cost = mem_new(strata, sizeof(*r->cost));
    r->expected = 2 * strata;
    if (!r->order || !r->start || !r->taken || !r->units || !r->sd || !r->cost)
        return error_no_memory(e);
    for (uint32_t i = 0; i < r->pop->units; i++)
        r->units[r->pop->unit[i].stratum]++;
    for (uint32_t h = 0; h < strata; h++)
        r->start[h + 1] = r->start[h] + r->units[h];
    set_costs(r);
    return put_in_order(r, e);
}

const struct sample_unit *rounds_unit(const struct rounds *r, uint32_t h, uint32_t i)
{
    return &r->pop->unit[r->order[r->start[h] + i]];
}

uint64_t rounds_least_cost(const struct rounds *r)
{
    uint64_t cost = 0;
    for (uint32_t h = 0; h < r->pop->strata; h++)
        for (uint32_t i = r->taken[h]; i < 2 && i < r->units[h]; i++)
            cost += unit_cost(r, rounds_unit(r, h, i));
    return cost;
}

/* --- running them --- */

bool rounds_append(struct rounds *r, const struct sample_unit *u, uint32_t warmup, struct error *e)
{
    if (!mem_grow(&r->run, &r->cap, r->runs + 1, sizeof(*r->run))) return error_no_memory(e);
    r->run[r->runs++] =
        (struct interval_run){.unit = u, .warmup = sample_unit_warmup(u, r->size, warmup)};
    return true;
}

bool rounds_run_from(struct rounds *r, size_t from, struct error *e)
{
    bool ok = r->source(r->run + from, (uint32_t)(r->runs - from), r->ctx, e);
    for (size_t i = from; i < r->runs; i++) {
        r->spent += r->run[i].cost;
        r->warmed += r->run[i].cost ? r->run[i].warmup : 0;
    }
    return ok;
}

/* Takes units of every stratum until taken[h] = want[h]. */
static bool take_up_to(struct rounds *r, const uint32_t *want, struct error *e)
{
    size_t from = r->runs;
    for (uint32_t h = 0; h < r->pop->strata; h++)
        for (; r->taken[h] < want[h]; r->taken[h]++)
            if (!rounds_append(r, rounds_unit(r, h, r->taken[h]), r->warmup, e)) return false;
    return rounds_run_from(r, from, e);
}

/* --- rounds --- */

static double student_factor(const struct spread *v, double confidence)
{
    struct spread unit = {.variance = 1, .df = v->df};
    return spread_half_width(&unit, confidence);
}

double rounds_goal(const struct rounds *r, const struct extrapolation *x)
{
    double error = r->error, left = error * error - x->placing * x->placing;
    return fmin(error, fmax(sqrt(fmax(0, left)), x->placing));
}

/* Fills want[] for `most` more units, or for fewer if these reach the goal or the budget; returns
 * how many. */
static uint32_t add_units(const struct rounds *r, const struct extrapolation *x, uint32_t most,
                          uint32_t *want)
{
    const struct allocation a = {
        .units = r->units, .sd = r->sd, .cost = r->cost, .strata = r->pop->strata};
    double goal =
        GOAL_AIM * rounds_goal(r, x) * x->cycles / student_factor(&x->spread, r->confidence);
    uint32_t added = 0, h;
    uint64_t spent = r->spent;
    for (uint32_t i = 0; i < r->pop->strata; i++)
        want[i] = r->taken[i];
    while (added < most) {
        if (added >= ROUND_UNITS && allocation_variance(&a, want) <= goal * goal) break;
        if (!allocation_next(&a, want, &h)) break;
        spent += unit_cost(r, rounds_unit(r, h, want[h] - 1));
        if (spent > r->budget) {
            want[h]--;
            break;
        }
        added++;
    }
    return added;
}

bool rounds_within(const struct rounds *r, bool *within, struct error *e)
{
    struct extrapolation x;
    const struct allocation a = {
        .units = r->units, .sd = r->sd, .cost = r->cost, .strata = r->pop->strata};
    uint32_t *want = mem_new(r->pop->strata, sizeof(*want));
    if (!want) return error_no_memory(e);
    bool ok =
        extrapolate(&x, r->pop, r->run, (uint32_t)r->runs, r->confidence, r->doubt, r->plain, e);
    if (ok) {
        extrapolation_sd(&x, r->sd);
        double goal = rounds_goal(r, &x) * x.cycles / student_factor(&x.spread, r->confidence);
        add_units(r, &x, r->pop->units, want);
        *within = allocation_variance(&a, want) <= STRATUM_FEW_FAR * goal * goal;
        extrapolation_fini(&x);
    }
    mem_free(want);
    return ok;
}

/* Fills want[] for the next round; returns how many units it adds. */
static uint32_t plan_round(struct rounds *r, const struct extrapolation *x, uint32_t *want)
{
    uint32_t most = (uint32_t)r->runs / 2;
    if (most < ROUND_UNITS) most = ROUND_UNITS;
    r->expected = (uint32_t)r->runs + add_units(r, x, r->pop->units, want);
    return add_units(r, x, most, want);
}

static uint32_t count_up_to(const struct rounds *r, const double *sd, double variance, uint32_t *n)
{
    const struct allocation a = {
        .units = r->units, .sd = sd, .cost = r->cost, .strata = r->pop->strata};
    uint32_t total = 0, h;
    for (uint32_t i = 0; i < r->pop->strata; i++)
        total += n[i] = r->units[i] < 2 ? r->units[i] : 2;
    while (allocation_variance(&a, n) > variance && allocation_next(&a, n, &h))
        total++;
    return total;
}

uint32_t rounds_needed(const struct rounds *r, const double *sd, struct error *e)
{
    const struct allocation a = {
        .units = r->units, .sd = r->sd, .cost = r->cost, .strata = r->pop->strata};
    double variance = allocation_variance(&a, r->taken) * (1 + 1e-9);
    uint32_t *n = mem_new(r->pop->strata, sizeof *n);
    if (!n) error_no_memory(e);
    uint32_t total = n ? count_up_to(r, sd, variance, n) : 0;
    mem_free(n);
    return total;
}

bool rounds_all_taken(const struct rounds *r)
{
    for (uint32_t h = 0; h < r->pop->strata; h++)
        if (r->taken[h] < r->units[h]) return false;
    return true;
}

static bool good_enough(const struct rounds *r, const struct extrapolation *x)
{
    return rounds_all_taken(r) ||
           (x->half_width <= rounds_goal(r, x) && x->free >= ROUNDS_FREE_WANTED);
}

/* Runs one more round; *done: the answer is good enough, or no further unit can be run. */
static bool next_round(struct rounds *r, uint32_t *want, bool *done, struct error *e)
{
    struct extrapolation x;
    if (!extrapolate(&x, r->pop, r->run, (uint32_t)r->runs, r->confidence, r->doubt, r->plain, e))
        return false;
    extrapolation_sd(&x, r->sd);
    *done = good_enough(r, &x) || plan_round(r, &x, want) == 0;
    extrapolation_fini(&x);
    return *done || take_up_to(r, want, e);
}

bool rounds_run(struct rounds *r, struct error *e)
{
    uint32_t *want = mem_new(r->pop->strata, sizeof(*want));
    if (!want) return error_no_memory(e);
    for (uint32_t h = 0; h < r->pop->strata; h++) {
        want[h] = r->units[h] < 2 ? r->units[h] : 2;
        if (want[h] < r->taken[h]) want[h] = r->taken[h];
    }
    bool done = false, ok = take_up_to(r, want, e);
    while (ok && !done)
        ok = next_round(r, want, &done, e);
    mem_free(want);
    return ok;
}

void rounds_set_warmup(struct rounds *r, uint32_t per_warp)
{
    r->warmup = per_warp;
    set_costs(r);
}

void rounds_fini(struct rounds *r)
{
    mem_free(r->order);
    mem_free(r->start);
    mem_free(r->taken);
    mem_free(r->units);
    mem_free(r->sd);
    mem_free(r->cost);
    mem_free(r->run);
    r->order = r->start = r->taken = r->units = NULL;
    r->sd = r->cost = NULL;
    r->run = NULL;
    r->runs = r->cap = 0;
}
