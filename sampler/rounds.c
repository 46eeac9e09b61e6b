/* rounds.c - see rounds.h. */
#include "sampler/rounds.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>

enum { ROUND = 4 }; /* units that a round adds at least */

/* --- which unit comes next --- */

static void shuffle(uint32_t *order, uint32_t n, uint64_t seed, uint64_t stream)
{
    struct rng g;
    rng_seed(&g, seed, stream);
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = (uint32_t)rng_below(&g, i), t = order[i - 1];
        order[i - 1] = order[j];
        order[j] = t;
    }
}

static uint64_t unit_cost(const struct rounds *r, const struct unit *u)
{
    return u->length + unit_warmup(u, r->size, r->warmup);
}

static void set_costs(struct rounds *r)
{
    for (uint32_t h = 0; h < r->pop->strata; h++)
        r->cost[h] = 0;
    for (uint32_t i = 0; i < r->pop->units; i++) {
        const struct unit *u = &r->pop->unit[i];
        r->cost[u->stratum] += (double)unit_cost(r, u) / r->units[u->stratum];
    }
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
    for (uint32_t i = 0; i < r->pop->units; i++) {
        uint32_t h = r->pop->unit[i].stratum;
        r->order[r->start[h] + r->taken[h]++] = i;
    }
    for (uint32_t h = 0; h < strata; h++) {
        r->taken[h] = 0;
        shuffle(r->order + r->start[h], r->units[h], r->seed, h);
    }
    set_costs(r);
    return true;
}

const struct unit *rounds_unit(const struct rounds *r, uint32_t h, uint32_t i)
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

bool rounds_append(struct rounds *r, const struct unit *u, uint32_t warmup, struct error *e)
{
    if (!mem_grow(&r->run, &r->cap, r->runs + 1, sizeof(*r->run))) return error_no_memory(e);
    r->run[r->runs++] = (struct window_run){.unit = u, .warmup = unit_warmup(u, r->size, warmup)};
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

/* Takes the units of every stratum up to taken[h] = want[h]. */
static bool take_up_to(struct rounds *r, const uint32_t *want, struct error *e)
{
    size_t from = r->runs;
    for (uint32_t h = 0; h < r->pop->strata; h++)
        for (; r->taken[h] < want[h]; r->taken[h]++)
            if (!rounds_append(r, rounds_unit(r, h, r->taken[h]), r->warmup, e)) return false;
    return rounds_run_from(r, from, e);
}

/* --- rounds --- */

static double student(const struct spread *v, double confidence)
{
    struct spread unit = {.variance = 1, .df = v->df};
    return spread_half_width(&unit, confidence);
}

double rounds_goal(const struct rounds *r)
{
    double error = r->error, left = error * error - r->placing * r->placing;
    return left > error * error / 4 ? sqrt(left) : error;
}

/* want[] for `most` more units, or fewer where they reach the goal or the budget; how many. */
static uint32_t add_units(const struct rounds *r, const struct extrapolation *x, uint32_t most,
                          uint32_t *want)
{
    const struct allocation a = {
        .units = r->units, .sd = r->sd, .cost = r->cost, .strata = r->pop->strata};
    double goal = 0.9 * rounds_goal(r) * x->cycles / student(&x->spread, r->confidence);
    uint32_t added = 0, h;
    uint64_t spent = r->spent;
    for (uint32_t i = 0; i < r->pop->strata; i++)
        want[i] = r->taken[i];
    while (added < most) {
        if (added >= ROUND && allocation_variance(&a, want) <= goal * goal) break;
        if (!allocate_next(&a, want, &h)) break;
        spent += unit_cost(r, rounds_unit(r, h, want[h] - 1));
        if (spent > r->budget) {
            want[h]--;
            break;
        }
        added++;
    }
    return added;
}

/* want[] for the next round; how many units it adds. */
static uint32_t plan_round(struct rounds *r, const struct extrapolation *x, uint32_t *want)
{
    uint32_t most = (uint32_t)r->runs / 2;
    if (most < ROUND) most = ROUND;
    r->expected = (uint32_t)r->runs + add_units(r, x, r->pop->units, want);
    return add_units(r, x, most, want);
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
           (x->half_width <= rounds_goal(r) && x->free >= ROUNDS_FREE_WANTED && x->spread.df >= 2);
}

/* One more round; *done when the answer is good enough or nothing more can be had. */
static bool next_round(struct rounds *r, uint32_t *want, bool *done, struct error *e)
{
    struct extrapolation x;
    if (!extrapolate(&x, r->pop, r->run, (uint32_t)r->runs, r->confidence, r->plain, e))
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
}
