/* interrupted.c - does a sample that was interrupted anywhere still say what it knows, and how
 * well?  A synthetic program stands for the cycle model: its truth is known. */
#include "sampler/run/interrupted.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

#include <math.h>

enum { LAUNCHES = 3, SEEDS = 400 };

struct bed {
    struct population pop;
    struct launch_size size[LAUNCHES];
    uint32_t until; /* units that are run before the interrupt comes */
    uint64_t seed;
};

static void setup(struct bed *b, uint64_t seed, uint32_t until)
{
    const double features[LAUNCHES] = {0.1, 0.5, 1};
    const struct population_opts o = {.per_warp = 300,
                                      .min_whole = 8,
                                      .min_units = 100,
                                      .min_per_warp = 20,
                                      .pilot_budget = UINT64_MAX,
                                      .warmup_per_warp = 20};
    struct error e = {0};
    *b = (struct bed){.seed = seed, .until = until};
    for (uint32_t l = 0; l < LAUNCHES; l++)
        b->size[l] = (struct launch_size){
            .instructions = 400000 * (l + 1), .resident = 100, .cycles = 1e5 * (l + 1)};
    assert_true(population_build(&b->pop, b->size, LAUNCHES, features, 1, &o, &e));
}

/* Cycles: the estimate, off by a factor of the program, of the kind of unit, and by chance. */
static double truth_of(const struct bed *b, const struct sample_unit *u)
{
    struct rng r;
    rng_seed(&r, b->seed, (uint64_t)(u - b->pop.unit));
    double chance = 0.9 + 0.2 * rng_unit(&r);
    return u->x * 1.2 * (u->kind == UNIT_RAMP ? 1.1 : 1) * chance;
}

static double whole(const struct bed *b)
{
    double t = 0;
    for (uint32_t i = 0; i < b->pop.units; i++)
        t += truth_of(b, &b->pop.unit[i]);
    return t;
}

/* In the order of the program, as snapshots are met. */
static bool source(struct interval_run *run, uint32_t n, void *ctx, struct error *e)
{
    struct bed *b = ctx;
    for (uint32_t at = 0; at < b->pop.units; at++) {
        for (uint32_t i = 0; i < n; i++) {
            if (run[i].unit != &b->pop.unit[at]) continue;
            if (b->until == 0) return error_run(e, "interrupted");
            b->until--;
            run[i].cost = run[i].unit->length + run[i].warmup;
            metrics_set(&run[i].m, M_cycles, truth_of(b, run[i].unit));
        }
    }
    return true;
}

static struct rounds rounds_over(struct bed *b)
{
    struct error e = {0};
    struct rounds r = {.pop = &b->pop,
                       .size = b->size,
                       .warmup = 24,
                       .error = 0.001, /* never enough: the interrupt ends it */
                       .confidence = 0.95,
                       .budget = UINT64_MAX,
                       .seed = b->seed,
                       .source = source,
                       .ctx = b};
    assert_true(rounds_start(&r, &e));
    return r;
}

static void interrupted_anywhere(void **state)
{
    (void)state;
    static const uint32_t until[] = {1, 2, 5, 9, 14, 20, 40};
    for (size_t k = 0; k < sizeof until / sizeof *until; k++) {
        uint32_t held = 0;
        double sum = 0, widest = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct bed b;
            struct error e = {0};
            struct extrapolation x;
            setup(&b, seed, until[k]);
            struct rounds r = rounds_over(&b);
            assert_false(rounds_run(&r, &e));
            interrupted_keep(&r, &b.pop);
            assert_int_equal(r.runs, until[k]);
            assert_true(extrapolate(&x, &b.pop, r.run, (uint32_t)r.runs, 0.95,
                                    (struct systematic_error){0}, false, &e));
            double off = x.cycles / whole(&b) - 1;
            double half = hypot(x.half_width, interrupted_placing(&x, 0.3));
            held += fabs(off) * whole(&b) <= half * x.cycles;
            sum += off;
            widest = fmax(widest, half);
            extrapolation_fini(&x);
            rounds_fini(&r);
            population_fini(&b.pop);
        }
        print_message("after %2u: bias %+.2f %%, held %.1f %%, widest %.1f %%\n", until[k],
                      100 * sum / SEEDS, 100.0 * held / SEEDS, 100 * widest);
        assert_true(held >= 0.88 * SEEDS);
        /* A ramp alone is a tenth slow; chance is 6 % a unit. */
        assert_true(fabs(sum / SEEDS) < (until[k] < 5 ? 0.15 : 0.03));
    }
}

/* No stratum is left with a spread of one observation; of those nothing was seen of, none is made
 * up. */
static void single_observations_are_collapsed(void **state)
{
    (void)state;
    struct error e = {0};
    struct bed b;
    setup(&b, 1, 7);
    struct rounds r = rounds_over(&b);
    assert_false(rounds_run(&r, &e));
    uint32_t strata = b.pop.strata, lone = 0, unseen = 0;
    interrupted_keep(&r, &b.pop);
    for (uint32_t h = 0; h < strata; h++) {
        uint32_t n = 0, units = 0;
        for (size_t i = 0; i < r.runs; i++)
            n += r.run[i].unit->stratum == h;
        for (uint32_t i = 0; i < b.pop.units; i++)
            units += b.pop.unit[i].stratum == h;
        assert_int_equal(n, r.taken[h]);
        assert_int_equal(units, r.units[h]);
        lone += n == 1 && units > 1;
        unseen += n == 0 && units > 0;
    }
    assert_int_equal(lone, 0);
    assert_true(unseen > 0);
    rounds_fini(&r);
    population_fini(&b.pop);
}

/* Of the runs of one unit, as pilots make them, that after the longest warm-up stays. */
static void each_unit_counts_once(void **state)
{
    (void)state;
    struct bed b;
    struct error e = {0};
    setup(&b, 3, 100);
    struct rounds r = rounds_over(&b);
    for (uint32_t k = 0; k < 3; k++)
        assert_true(rounds_append(&r, &b.pop.unit[30], k == 1 ? 72 : 8, &e) &&
                    rounds_append(&r, &b.pop.unit[50], 24, &e));
    assert_true(rounds_run_from(&r, 0, &e));
    r.run[3].cost = 0; /* one of them was interrupted */
    interrupted_keep(&r, &b.pop);
    assert_int_equal(r.runs, 2);
    assert_ptr_equal(r.run[0].unit, &b.pop.unit[30]);
    assert_int_equal(r.run[0].warmup, 7200);
    assert_ptr_equal(r.run[1].unit, &b.pop.unit[50]);
    rounds_fini(&r);
    population_fini(&b.pop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interrupted_anywhere),
        cmocka_unit_test(single_observations_are_collapsed),
        cmocka_unit_test(each_unit_counts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
