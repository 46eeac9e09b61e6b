/* rounds.c - how many intervals does a variance take, and is the forecast what comes? */
#include "base/memory/alloc.h"
#include "tests/support/rounds_bed.h"

#include <math.h>

/* One stratum of N: V = N (N - n) S^2 / n, so that n = N / (1 + V / (N S^2)). */
static void needed_in_closed_form(void **state)
{
    (void)state;
    struct sample_unit unit[200];
    struct launch_size size = {.instructions = 200, .resident = 1};
    struct population pop = {.unit = unit, .units = 200, .strata = 1};
    struct error e = {0};
    for (uint32_t i = 0; i < 200; i++)
        unit[i] = (struct sample_unit){.begin = i, .length = 1};
    for (uint32_t n = 3; n < 200; n += 7) {
        for (double ratio = 0.4; ratio < 3; ratio += 0.3) {
            struct rounds r = {.pop = &pop, .size = &size};
            assert_true(rounds_start(&r, &e));
            r.taken[0] = n;
            r.sd[0] = 7;
            double other = 7 * ratio, v = 200.0 * (200 - n) / n * 49;
            double exact = 200 / (1 + v / (200 * other * other));
            assert_near(rounds_needed(&r, r.sd, &e), n, 0.5);
            assert_near(rounds_needed(&r, &other, &e), fmax(2, ceil(exact - 1e-6)), 0.5);
            rounds_fini(&r);
        }
    }
}

/* Where the estimates explain nearly all, a control variate saves most of the intervals, and what
 * is said to be needed without it is what a run without it takes. */
static void control_saves_what_it_says(void **state)
{
    (void)state;
    struct bed b;
    struct extrapolation x, plain;
    struct error e = {0};
    rounds_bed_setup(&b, 1.3, 0.1);
    struct rounds r = rounds_bed_run(&b, 0.01, false);
    assert_true(extrapolate(&x, &b.pop, r.run, (uint32_t)r.runs, 0.95, (struct systematic_error){0},
                            false, &e));
    assert_true(extrapolate(&plain, &b.pop, r.run, (uint32_t)r.runs, 0.95,
                            (struct systematic_error){0}, true, &e));
    assert_int_equal(x.control, CONTROL_ESTIMATE);
    assert_true(x.spread.variance < 0.1 * plain.spread.variance);
    double *sd = mem_new(b.pop.strata, sizeof *sd);
    extrapolation_sd(&x, r.sd);
    extrapolation_sd(&plain, sd);
    uint32_t with = rounds_needed(&r, r.sd, &e), without = rounds_needed(&r, sd, &e);
    double half = x.half_width;
    extrapolation_fini(&x);
    extrapolation_fini(&plain);
    mem_free(sd);
    rounds_bed_done(&b, &r);
    rounds_bed_setup(&b, 1.3, 0.1);
    r = rounds_bed_run(&b, half, true);
    print_message("%u intervals with, %u said without, %zu taken without\n", with, without, r.runs);
    assert_true(with < without / 3);
    assert_true((double)r.runs > 0.6 * without && (double)r.runs < 1.6 * without);
    rounds_bed_done(&b, &r);
}

/* --- rare long units, which the pass's clock knows --- */

/* In one of 12 units a burst of memory traffic: four times as long; the clock sees it a third too
 * short, and errs by some per cent besides. */
static bool bursty(struct interval_run *run, uint32_t n, void *ctx, struct error *e)
{
    const struct bed *b = ctx;
    (void)e;
    for (uint32_t i = 0; i < n; i++) {
        struct rng r;
        uint32_t u = (uint32_t)(run[i].unit - b->pop.unit);
        rng_seed(&r, 17, u);
        run[i].cost = run[i].unit->length + run[i].warmup;
        metrics_set(&run[i].m, M_cycles,
                    1000 * (u % 12 == 7 ? 4 : 1) * (0.98 + 0.04 * rng_unit(&r)));
    }
    return true;
}

static double total_of(struct bed *b)
{
    double all = 0;
    for (uint32_t i = 0; i < b->pop.units; i++) {
        struct interval_run run = {.unit = &b->pop.unit[i]};
        bursty(&run, 1, b, NULL);
        all += run.m.v[M_cycles];
    }
    return all;
}

/* Share of seeds whose half width holds the total, and their mean error. */
static double held(struct bed *b, double *error)
{
    enum { SEEDS = 300 };
    double truth = total_of(b), held = 0;
    *error = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct extrapolation x;
        struct error e = {0};
        struct rounds r = {.pop = &b->pop,
                           .size = &b->size,
                           .error = 0.05,
                           .confidence = 0.95,
                           .budget = 150 * b->pop.unit[0].length,
                           .seed = seed,
                           .source = bursty,
                           .ctx = b};
        assert_true(rounds_start(&r, &e) && rounds_run(&r, &e));
        assert_true(extrapolate(&x, &b->pop, r.run, (uint32_t)r.runs, 0.95,
                                (struct systematic_error){0}, false, &e));
        held += fabs(x.cycles - truth) <= x.half_width * x.cycles;
        *error += fabs(x.cycles / truth - 1) / SEEDS;
        extrapolation_fini(&x);
        rounds_fini(&r);
    }
    return held / SEEDS;
}

static void rare_units_are_met(void **state)
{
    (void)state;
    struct bed b;
    struct error e = {0};
    double blind_error, error;
    const struct population_opts o = {.pilot_budget = UINT64_MAX};
    rounds_bed_setup(&b, 1, 1);
    double blind = held(&b, &blind_error);
    for (uint32_t i = 0; i < b.pop.units; i++) {
        struct rng r;
        rng_seed(&r, 23, i);
        b.pop.unit[i].pass = (i % 12 == 7 ? 2700 : 1000) * (0.97 + 0.06 * rng_unit(&r));
    }
    b.pop.timed = true;
    assert_true(population_refine(&b.pop, &b.size, &o, &e));
    double seen = held(&b, &error);
    print_message("holds %.3f, error %.4f; with the clock %.3f, %.4f\n", blind, blind_error, seen,
                  error);
    assert_true(error < blind_error / 5);
    assert_true(seen >= 0.93 && seen > blind);
    population_fini(&b.pop);
}

/* What the rounds think of at the last is what they have run; it was thought of before, roughly. */
static void forecast_comes_true(void **state)
{
    (void)state;
    struct bed b;
    rounds_bed_setup(&b, 1, 0.5);
    struct rounds r = rounds_bed_run(&b, 0.01, true);
    assert_true(r.runs > 40 && r.runs == b.asked);
    assert_true(r.expected >= 0.8 * (double)r.runs && r.expected <= 1.5 * (double)r.runs);
    rounds_bed_done(&b, &r);
}

/* One stratum of n units in a row, which cost and take one each. */
static struct rounds row_of(struct population *pop, struct sample_unit *unit,
                            struct launch_size *size, uint32_t n, uint64_t seed)
{
    struct error e = {0};
    *size = (struct launch_size){.instructions = n, .resident = 1};
    *pop = (struct population){.unit = unit, .units = n, .strata = 1};
    for (uint32_t i = 0; i < n; i++)
        unit[i] = (struct sample_unit){.begin = i, .length = 1, .x = 1};
    struct rounds r = {.pop = pop, .size = size, .seed = seed};
    assert_true(rounds_start(&r, &e));
    return r;
}

/* Every unit once, each as likely to be among the first few; of what drifts a few tell far more
 * than as many drawn at random, whose variance is S^2 / n (1 - n / N). */
static void check_order(uint32_t units, double most)
{
    enum { UNITS_MAX = 64, TAKEN = 4, SEEDS = 8000 };
    uint32_t among[UNITS_MAX] = {0};
    double square = 0, mean = (units - 1) / 2.0, s2 = 0, sum = 0;
    for (uint32_t i = 0; i < units; i++)
        s2 += (i - mean) * (i - mean) / (units - 1);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct sample_unit unit[UNITS_MAX];
        struct population pop;
        struct launch_size size;
        struct rounds r = row_of(&pop, unit, &size, units, seed);
        bool seen[UNITS_MAX] = {false};
        double got = 0;
        for (uint32_t i = 0; i < units; i++) {
            uint32_t u = (uint32_t)(rounds_unit(&r, 0, i) - unit);
            assert_false(seen[u]);
            seen[u] = true;
            among[u] += i < TAKEN;
            got += i < TAKEN ? (double)u / TAKEN : 0;
        }
        square += (got - mean) * (got - mean) / SEEDS;
        sum += got / SEEDS;
        rounds_fini(&r);
    }
    double expected = (double)SEEDS * TAKEN / units, spread = sqrt(expected);
    for (uint32_t i = 0; i < units; i++)
        assert_near(among[i], expected, 4.5 * spread + 0.02 * expected);
    double random = s2 / TAKEN * (1 - (double)TAKEN / units);
    print_message("variance of a drifting mean %.2f, at random %.2f\n", square, random);
    assert_near(sum, mean, 0.1);
    assert_true(square < most * random);
}

static void order_is_fair_and_spread(void **state)
{
    (void)state;
    check_order(5, 1.1);
    check_order(11, 0.9);
    check_order(37, 0.2);
    check_order(64, 0.1);
}

/* Two units that happen to be alike do not make an interval of no width while other strata spread:
 * over many seeds the stated interval holds, also where sampling stops as soon as it is narrow. */
static void lucky_pairs_are_not_believed(void **state)
{
    (void)state;
    enum { SEEDS = 400 };
    uint32_t held = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct bed b;
        struct extrapolation x;
        struct error e = {0};
        rounds_bed_setup(&b, 1, 0.8);
        struct rounds r = {.pop = &b.pop,
                           .size = &b.size,
                           .error = 0.05,
                           .confidence = 0.95,
                           .budget = UINT64_MAX,
                           .seed = seed,
                           .plain = true,
                           .source = rounds_bed_source,
                           .ctx = &b};
        assert_true(rounds_start(&r, &e) && rounds_run(&r, &e));
        assert_true(extrapolate(&x, &b.pop, r.run, (uint32_t)r.runs, 0.95,
                                (struct systematic_error){0}, true, &e));
        double truth = 0;
        for (uint32_t i = 0; i < b.pop.units; i++)
            truth += rounds_bed_truth(&b, &b.pop.unit[i]);
        held += fabs(x.cycles - truth) <= x.half_width * x.cycles;
        extrapolation_fini(&x);
        rounds_bed_done(&b, &r);
    }
    print_message("held %.1f %%\n", 100.0 * held / SEEDS);
    assert_true(held >= 0.92 * SEEDS);
}

/* Ended before they are begun anew, which may fail, and at the end. */
static void what_has_ended_may_end_again(void **state)
{
    (void)state;
    struct bed b;
    rounds_bed_setup(&b, 1, 0.1);
    struct rounds r = rounds_bed_run(&b, 0.05, false);
    rounds_fini(&r);
    assert_int_equal(r.runs, 0);
    rounds_bed_done(&b, &r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_fair_and_spread),
        cmocka_unit_test(what_has_ended_may_end_again),
        cmocka_unit_test(lucky_pairs_are_not_believed),
        cmocka_unit_test(needed_in_closed_form),
        cmocka_unit_test(control_saves_what_it_says),
        cmocka_unit_test(rare_units_are_met),
        cmocka_unit_test(forecast_comes_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
