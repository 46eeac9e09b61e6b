#include "tests/support/rounds_bed.h"

void rounds_bed_setup(struct bed *b, double slope, double chance)
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

double rounds_bed_truth(const struct bed *b, const struct sample_unit *u)
{
    struct rng r;
    rng_seed(&r, 9, (uint64_t)(u - b->pop.unit));
    return b->slope * u->x * (1 + b->chance * (rng_unit(&r) - 0.5));
}

bool rounds_bed_source(struct interval_run *run, uint32_t n, void *ctx, struct error *e)
{
    struct bed *b = ctx;
    (void)e;
    for (uint32_t i = 0; i < n; i++) {
        run[i].cost = run[i].unit->length + run[i].warmup;
        metrics_set(&run[i].m, M_cycles, rounds_bed_truth(b, run[i].unit));
    }
    b->asked += n;
    return true;
}

struct rounds rounds_bed_run(struct bed *b, double error, bool plain)
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
                       .source = rounds_bed_source,
                       .ctx = b};
    assert_true(rounds_start(&r, &e) && rounds_run(&r, &e));
    return r;
}

void rounds_bed_done(struct bed *b, struct rounds *r)
{
    rounds_fini(r);
    population_fini(&b->pop);
}
