/* doubt.c - what a warm-up leaves in doubt: which control variate serves, what budget. */
#include "base/memory/rng.h"
#include "sampler/constants.h"
#include "sampler/run/sampling.h"
#include "sampler/run/warmup.h"
#include "tests/support/check.h"

#include <math.h>

enum { UNITS = 400, RUN = 40 };

struct bed {
    struct population pop;
    struct launch_size size;
    struct sample_unit unit[UNITS];
    struct interval_run run[RUN];
};

/* One stratum whose windows take as long as they make accesses, and make a tenth too few. */
static void setup(struct bed *b)
{
    struct rng r;
    rng_seed(&r, 3, 0);
    *b = (struct bed){.size = {.instructions = 100 * UNITS, .resident = 1}};
    for (uint32_t i = 0; i < UNITS; i++)
        b->unit[i] = (struct sample_unit){.begin = 100 * i, .length = 100, .x = 1000};
    for (uint32_t i = 0; i < RUN; i++) {
        double accesses = 500 * (0.9 + 0.4 * (rng_unit(&r) - 0.5));
        b->run[i] = (struct interval_run){.unit = &b->unit[i * (UNITS / RUN)], .cost = 100};
        metrics_set(&b->run[i].m, M_cycles, 2 * accesses * (1 + 0.02 * (rng_unit(&r) - 0.5)));
        metrics_set(&b->run[i].m, M_l1_accesses, accesses);
    }
    b->pop = (struct population){.unit = b->unit,
                                 .units = UNITS,
                                 .strata = 1,
                                 .instructions = 100 * UNITS,
                                 .accesses = {.total = 500.0 * UNITS}};
}

static struct extrapolation extrapolated(const struct bed *b, struct systematic_error doubt)
{
    struct extrapolation x;
    struct error e = {0};
    assert_true(extrapolate(&x, &b->pop, b->run, RUN, 0.95, doubt, false, &e));
    return x;
}

/* Cycles per access are sure and cycles are not: the accesses take the tenth back that the windows
 * lack, and the doubt that counts is theirs. */
static void the_doubt_chooses_the_control_variate(void **state)
{
    (void)state;
    static struct bed b;
    setup(&b);
    struct extrapolation x =
        extrapolated(&b, (struct systematic_error){.cycles = 0.15, .work = 0.02});
    assert_int_equal(x.control, CONTROL_ACCESSES);
    assert_near(x.placing, 0.02, 1e-12);
    assert_near(x.cycles, 1000.0 * UNITS, 0.01 * 1000 * UNITS);
    extrapolation_fini(&x);
    x = extrapolated(&b, (struct systematic_error){.cycles = 0.02, .work = 0.15});
    assert_int_equal(x.control, CONTROL_NONE);
    assert_near(x.cycles, 900.0 * UNITS, 0.05 * 1000 * UNITS);
    extrapolation_fini(&x);
}

/* What counts beside sampling: placing, unless the warm-up is said to leave more. */
static void a_half_width_names_its_parts(void **state)
{
    (void)state;
    static struct bed b;
    setup(&b);
    for (int warming = 0; warming < 2; warming++) {
        double doubt = warming ? 0.06 : 0.02;
        struct extrapolation x =
            extrapolated(&b, (struct systematic_error){doubt, doubt, .placing = 0.02});
        struct answer a = {0};
        extrapolation_metrics(&x, &a);
        assert_true(a.parts.sampling > 0);
        assert_near(a.parts.placing, warming ? 0 : 0.02, 1e-12);
        assert_near(a.parts.warming, warming ? 0.06 : 0, 1e-12);
        assert_near(a.parts.accesses, 0, 1e-12); /* they are the control variate */
        assert_near(hypot(a.parts.sampling, doubt), a.half_width, 1e-12);
        assert_near(a.half_widths.v[M_cycles], a.half_width * a.m.v[M_cycles], 1e-6);
        extrapolation_fini(&x);
    }
}

/* Of 400 equal units the last 40 drain.  A tenth of the cycles, a third in doubt; four launches in
 * one, by half of that.  At 99 % it is wider, as a normal deviate's. */
static void last_waves_are_in_doubt(void **state)
{
    (void)state;
    static struct bed b;
    setup(&b);
    b.pop.accesses.total = 0; /* not known: all windows weigh alike */
    for (uint32_t i = UNITS - 40; i < UNITS; i++)
        b.unit[i].drains = true;
    for (b.pop.drains = 1; b.pop.drains <= 4; b.pop.drains += 3) {
        struct extrapolation x =
            extrapolated(&b, (struct systematic_error){0.02, 0.02, .placing = 0.02});
        struct answer a = {0};
        double drain = DRAIN_ERROR * 0.1 / sqrt(b.pop.drains);
        extrapolation_metrics(&x, &a);
        assert_near(a.parts.drain, drain, 0.15 * drain); /* the windows differ */
        assert_near(x.placing, hypot(0.02, a.parts.drain), 1e-12);
        assert_near(a.half_width, hypot(a.parts.sampling, x.placing), 1e-12);
        struct extrapolation surer;
        struct error e = {0};
        assert_true(extrapolate(&surer, &b.pop, b.run, RUN, 0.99,
                                (struct systematic_error){0.02, 0.02, .placing = 0.02}, false, &e));
        assert_near(surer.drained / x.drained, 2.5758 / 1.95996, 1e-3);
        extrapolation_fini(&surer);
        extrapolation_fini(&x);
    }
}

/* By the pass's clock the first fortieth of the program takes half of its time, and no run has met
 * it. */
static void phases_that_no_run_met_are_in_doubt(void **state)
{
    (void)state;
    static struct bed b;
    struct answer a = {0};
    struct error e = {0};
    setup(&b);
    b.pop.accesses.total = 0; /* not known */
    b.pop.timed = true;
    for (uint32_t i = 0; i < UNITS; i++)
        b.unit[i].pass = i > 0 && i < 10 ? 400 : 10;
    struct extrapolation x;
    struct systematic_error doubt = {0.02, 0.02, .placing = 0.02};
    assert_true(extrapolate(&x, &b.pop, b.run, RUN, 0.95, doubt, true, &e));
    double missed = 9 * 390 / (10.0 * UNITS);
    extrapolation_metrics(&x, &a);
    assert_near(a.parts.phases, missed - x.half_width, 0.01);
    assert_true(a.half_width > 0.9 * missed);
    extrapolation_fini(&x);
    for (uint32_t i = 0; i < UNITS; i++)
        b.unit[i].pass = 10;
    assert_true(extrapolate(&x, &b.pop, b.run, RUN, 0.95, doubt, true, &e));
    assert_near(x.placing, 0.02, 1e-12);
    extrapolation_fini(&x);
}

/* Weights that leave a tenth of the program's accesses out are a tenth in doubt, whatever the
 * warm-up says: as many cycles as windows that differ take for them. */
static void accesses_left_out_are_in_doubt(void **state)
{
    (void)state;
    static struct bed b;
    setup(&b);
    struct extrapolation x =
        extrapolated(&b, (struct systematic_error){.cycles = 0.02, .work = 0.15});
    double missed = 1000.0 * UNITS - x.cycles;
    assert_true(missed > 0.05 * x.cycles);
    assert_near(x.placing, hypot(0.02, missed / x.cycles), 0.01);
    assert_true(hypot(x.half_width, x.placing) * x.cycles > missed);
    struct answer a = {0};
    extrapolation_metrics(&x, &a);
    assert_near(a.parts.accesses, missed / x.cycles, 0.01);
    assert_near(hypot(a.parts.accesses, a.parts.warming), x.placing, 1e-12);
    extrapolation_fini(&x);
    x = extrapolated(&b, (struct systematic_error){.cycles = 0.02, .work = 0.06});
    assert_int_equal(x.control, CONTROL_ACCESSES);
    assert_near(x.cycles, 1000.0 * UNITS, 0.01 * 1000 * UNITS);
    extrapolation_fini(&x);
}

/* Two of 400 units, after 288 instructions each. */
static void a_default_budget_bears_the_warm_up(void **state)
{
    (void)state;
    static struct bed b;
    struct error e = {0};
    struct run_opts o = {.error = 0.03};
    setup(&b);
    struct sampling s = {.o = &o, .is_long = true, .pop = b.pop, .size = &b.size};
    s.r = (struct rounds){.pop = &b.pop, .size = &b.size, .seed = 1, .budget = 300};
    assert_true(rounds_start(&s.r, &e));
    rounds_set_warmup(&s.r, warmup_length[WARMUPS - 1]);
    uint64_t least = rounds_least_cost(&s.r);
    assert_true(least > 300);
    s.r.spent = 50;
    sampling_bear_warmup(&s);
    assert_int_equal(s.r.budget, 50 + least);
    s.r.spent = b.pop.instructions / 4; /* a quarter of the program is the most, */
    sampling_bear_warmup(&s);
    assert_int_equal(s.r.budget, 50 + least);
    uint32_t strata = s.pop.strata;
    s.pop.strata =
        s.pop.units / 15; /* or six units of each stratum if they are more: two fifths, */
    sampling_bear_warmup(&s);
    assert_int_equal(s.r.budget, b.pop.instructions / 4 + least);
    s.pop.strata = s.pop.units / 6; /* but at most half */
    s.r.spent = b.pop.instructions / 2;
    sampling_bear_warmup(&s);
    assert_int_equal(s.r.budget, b.pop.instructions / 4 + least);
    s.pop.strata = strata;
    s.r.spent = 0;
    s.r.budget = o.budget = 300; /* the user's own stays */
    sampling_bear_warmup(&s);
    assert_int_equal(s.r.budget, 300);
    rounds_fini(&s.r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_doubt_chooses_the_control_variate),
        cmocka_unit_test(a_half_width_names_its_parts),
        cmocka_unit_test(last_waves_are_in_doubt),
        cmocka_unit_test(phases_that_no_run_met_are_in_doubt),
        cmocka_unit_test(accesses_left_out_are_in_doubt),
        cmocka_unit_test(a_default_budget_bears_the_warm_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
