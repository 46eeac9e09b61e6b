/* rounds_bed.h - a launch of made-up intervals for tests of rounds: what each takes is known. */
#pragma once

#include "base/memory/rng.h"
#include "sampler/run/rounds.h"
#include "tests/support/check.h"

struct bed {
    struct population pop;
    struct launch_size size;
    double slope, chance; /* cycles = slope x estimate x (1 + chance x noise) */
    uint32_t asked;
};

/* One launch whose estimate differs much from interval to interval. */
static inline void setup(struct bed *b, double slope, double chance)
{
    const double feature = 1;
    const struct population_opts o = {.per_warp = 300,
                                      .min_whole = 8,
                                      .min_units = 400,
                                      .min_per_warp = 20,
                                      .pilot_budget = UINT64_MAX,
                                      .warmup_per_warp = 20};
    struct error e = {0};
    struct rng r;
    rng_seed(&r, 5, 0);
    *b = (struct bed){.slope = slope, .chance = chance};
    b->size = (struct launch_size){.instructions = 12000000, .resident = 100, .cycles = 4e5};
    assert_true(population_build(&b->pop, &b->size, 1, &feature, 1, &o, &e));
    for (uint32_t i = 0; i < b->pop.units; i++)
        b->pop.unit[i].x *= 0.6 + 0.8 * rng_unit(&r);
}

static inline double truth_of(const struct bed *b, const struct sample_unit *u)
{
    struct rng r;
    rng_seed(&r, 9, (uint64_t)(u - b->pop.unit));
    return b->slope * u->x * (1 + b->chance * (rng_unit(&r) - 0.5));
}

static inline bool source(struct interval_run *run, uint32_t n, void *ctx, struct error *e)
{
    struct bed *b = ctx;
    (void)e;
    for (uint32_t i = 0; i < n; i++) {
        run[i].cost = run[i].unit->length + run[i].warmup;
        metrics_set(&run[i].m, M_cycles, truth_of(b, run[i].unit));
    }
    b->asked += n;
    return true;
}

static inline struct rounds run(struct bed *b, double error, bool plain)
{
    struct error e = {0};
    struct rounds r = {.pop = &b->pop,
                       .size = &b->size,
                       .warmup = 24,
                       .error = error,
                       .confidence = 0.95,
                       .budget = UINT64_MAX,
                       .seed = 1,
                       .plain = plain,
                       .source = source,
                       .ctx = b};
    assert_true(rounds_start(&r, &e) && rounds_run(&r, &e));
    return r;
}

static inline void done(struct bed *b, struct rounds *r)
{
    rounds_fini(r);
    population_fini(&b->pop);
}
