/* wide.c - samples that leave too much in doubt: when more is spent on them, and when not.
 */
#include "sampler/run/sampling.h"
#include "tests/support/rounds_bed.h"

#include <math.h>

static bool too_wide(const struct run_opts *o, const struct rounds *r)
{
    const struct sampling s = {.o = o, .pop = *r->pop};
    struct error e = {0};
    bool wide;
    assert_true(sampling_too_wide(&s, r, &wide, &e));
    return wide;
}

/* A long program's sample of more than 10 % is not believed, by its own spread or by what placing
 * may leave, unless the user asked for no better, or said what it may cost. */
static void wide_samples_are_not_believed(void **state)
{
    (void)state;
    struct run_opts plain = {.error = 0.03}, loose = {.error = 0.3},
                    bounded = {.error = 0.03, .budget = 1000000};
    struct bed b;
    rounds_bed_setup(&b, 1, 0.2);
    struct rounds r = rounds_bed_run(&b, 0.03, true);
    assert_true(r.pop->instructions >= 10000000 && !rounds_all_taken(&r));
    assert_false(too_wide(&plain, &r));
    r.doubt = (struct systematic_error){.cycles = 0.2, .work = 0.2};
    assert_true(too_wide(&plain, &r));
    assert_false(too_wide(&loose, &r));
    assert_false(too_wide(&bounded, &r));
    rounds_bed_done(&b, &r);
    rounds_bed_setup(&b, 1, 1.9);
    r = rounds_bed_run(&b, 0.25, true);
    assert_true(too_wide(&plain, &r));
    rounds_bed_done(&b, &r);
}

/* Sampling may have what placing leaves of the error asked for, and goes no further below placing.
 */
static void goal_beside_placing(void **state)
{
    (void)state;
    static const struct {
        double error, placing, goal;
    } row[] = {{0.03, 0, 0.03},      {0.05, 0.03, 0.04}, {0.05, 0.04, 0.04},
               {0.03, 0.025, 0.025}, {0.03, 0.05, 0.03}, {0.13, 0.05, 0.12}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct rounds r = {.error = row[i].error};
        const struct extrapolation x = {.placing = row[i].placing};
        assert_near(rounds_goal(&r, &x), row[i].goal, 1e-12);
    }
}

/* A sixteenth of the program leaves the answer above 10 %: up to a quarter is spent on it. */
static struct rounds on_a_sixteenth(struct bed *b, double chance, uint64_t budget, bool *wide)
{
    struct error e = {0};
    rounds_bed_setup(b, 1, chance);
    const struct run_opts o = {.error = 0.03, .confidence = 0.95, .budget = budget};
    const struct sampling s = {.o = &o, .is_long = true, .pop = b->pop};
    struct rounds r = {.pop = &b->pop,
                       .size = &b->size,
                       .warmup = 24,
                       .error = o.error,
                       .confidence = o.confidence,
                       .budget = b->pop.instructions / 16,
                       .seed = 1,
                       .source = rounds_bed_source,
                       .ctx = b};
    assert_true(rounds_start(&r, &e) && sampling_rounds(&s, &r, wide, &e));
    assert_true(r.error == o.error);
    assert_int_equal(sampling_went_on(&s, &r), r.spent > b->pop.instructions / 16);
    return r;
}

static void what_is_too_wide_gets_more(void **state)
{
    (void)state;
    struct bed b;
    bool wide;
    struct rounds r = on_a_sixteenth(&b, 1.2, 0, &wide);
    assert_false(wide);
    assert_true(r.spent > b.pop.instructions / 16 && r.spent <= b.pop.instructions / 4);
    rounds_bed_done(&b, &r);
    r = on_a_sixteenth(&b, 1.2, 1, &wide); /* the user's own budget is a bound */
    assert_false(wide);
    assert_true(r.spent <= b.pop.instructions / 16);
    rounds_bed_done(&b, &r);
    r = on_a_sixteenth(&b, 0.1, 0, &wide);
    assert_false(wide);
    assert_true(r.spent <= b.pop.instructions / 16);
    rounds_bed_done(&b, &r);
    r = on_a_sixteenth(&b, 3, 0, &wide); /* a quarter would not help it: it is not spent */
    assert_true(wide);
    assert_true(r.spent <= b.pop.instructions / 16);
    rounds_bed_done(&b, &r);
}

/* What pilots leave in doubt is not made up for by any number of units, so none is run. */
static void hopeless_doubt_runs_nothing(void **state)
{
    (void)state;
    struct error e = {0};
    struct bed b;
    bool wide = false;
    rounds_bed_setup(&b, 1, 0.2);
    struct run_opts o = {.error = 0.03, .confidence = 0.95};
    const struct sampling s = {.o = &o, .is_long = true, .pop = b.pop};
    struct rounds r = {.pop = &b.pop,
                       .size = &b.size,
                       .warmup = 24,
                       .error = o.error,
                       .confidence = o.confidence,
                       .budget = b.pop.instructions / 16,
                       .seed = 1,
                       .doubt = {.cycles = 0.2, .work = 0.11},
                       .source = rounds_bed_source,
                       .ctx = &b};
    assert_true(rounds_start(&r, &e) && sampling_rounds(&s, &r, &wide, &e));
    assert_true(wide && r.runs == 0);
    o.error = 0.3;
    assert_true(sampling_rounds(&s, &r, &wide, &e));
    assert_true(!wide && r.runs > 0);
    rounds_bed_done(&b, &r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_samples_are_not_believed),
        cmocka_unit_test(goal_beside_placing),
        cmocka_unit_test(what_is_too_wide_gets_more),
        cmocka_unit_test(hopeless_doubt_runs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
