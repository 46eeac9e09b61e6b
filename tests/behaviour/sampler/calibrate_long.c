/* calibrate_long.c - does calibration find an error that was put into the estimator's own answers,
 * and correct them by it? */
#include "base/memory/rng.h"
#include "calibration/calibrate.h"
#include "sampler/strata/est_params.h"
#include "tests/support/run.h"

#include <math.h>

static const char *const PROGRAMS[] = {
    "generator = \"stream\"; kernel = \"triad\"; ctas = 48; warps_per_cta = 4; iterations = 4;",
    "generator = \"gather\"; ctas = 48; warps_per_cta = 4; iterations = 4; footprint = \"128KB\";",
    "generator = \"stream\"; kernel = \"copy\"; ctas = 48; warps_per_cta = 4; iterations = 4;"
    "arithmetic = 40;",
    "generator = \"pointer_chase\"; ctas = 1; warps_per_cta = 1; iterations = 64; footprint = "
    "\"1MB\";",
};
static const char *const SETS[] = {"sm.count=10",        "sm.count=4",         "sm.count=2",
                                   "dram.clock_mhz=900", "clock.core_mhz=600", "l2.banks=4"};
enum { P = sizeof(PROGRAMS) / sizeof(PROGRAMS[0]), S = sizeof(SETS) / sizeof(SETS[0]), N = P * S };

struct bed {
    struct program *program[P];
    struct machine machine[S];
    struct profile *profile[N];
    struct cal_point point[N];
};

static int setup(void **state)
{
    static struct bed b;
    struct error e = {0};
    for (uint32_t p = 0; p < P; p++)
        b.program[p] = run_program(PROGRAMS[p], 64);
    for (uint32_t s = 0; s < S; s++)
        b.machine[s] = run_machine("rx540", &SETS[s], 1);
    for (uint32_t i = 0; i < N; i++) {
        const struct machine *m = &b.machine[i / P];
        struct profile_view view = est_view_of(m);
        b.profile[i] = profile_get(b.program[i % P], &view, PROFILE_SAMPLED, 1, false, NULL, &e);
        if (!b.profile[i]) return -1;
        b.point[i] = (struct cal_point){.profile = b.profile[i],
                                        .params = est_params_of(m),
                                        .log_sd = 0.01,
                                        .machine = m,
                                        .program = program_digest(b.program[i % P])};
    }
    *state = &b;
    return 0;
}

static int teardown(void **state)
{
    struct bed *b = *state;
    for (uint32_t i = 0; i < N; i++)
        profile_free(b->profile[i]);
    for (uint32_t p = 0; p < P; p++)
        program_close(b->program[p]);
    return 0;
}

/* log(simulated / estimated) as it is put in: each program has its own, and more with fewer SMs. */
static double put_in(const struct bed *b, uint32_t i)
{
    static const double of_program[P] = {0.3, -0.2, 0.1, 0};
    return of_program[i % P] + 0.05 * log2(10.0 / b->machine[i / P].sm.count);
}

/* Cycles that the estimates miss by so much of what is put in, with noise. */
static void make_cycles(struct bed *b, double part, double noise)
{
    struct rng r;
    rng_seed(&r, 5, 0);
    for (uint32_t i = 0; i < N; i++) {
        struct error e = {0};
        double launch[1];
        assert_int_equal(profile_launches(b->profile[i]), 1);
        assert_true(estimate_launches(b->profile[i], &b->point[i].params, launch, &e));
        b->point[i].cycles = launch[0] * exp(part * put_in(b, i) + noise * (2 * rng_unit(&r) - 1));
    }
}

static double corrected_by(const struct calibration *c, const struct cal_point *p)
{
    struct metrics m;
    struct explanation x;
    struct calibrated with;
    struct error e = {0};
    assert_true(estimate(p->profile, NULL, &p->params, &m, &x, &e));
    calibrate_apply(c, p->machine, &p->program, &m, &x, 0.95, &with);
    assert_int_equal(with.runs, S); /* of this program alone */
    assert_int_equal(with.apart, 0);
    return log(with.factor);
}

/* A run left out is predicted from the program's others: its own error, and nearly the machine's
 * part. */
static void finds_what_was_put_in(void **state)
{
    struct bed *b = *state;
    struct calibration c;
    struct error e = {0};
    double left_out[N];
    make_cycles(b, 1, 0.02);
    if (!calibrate_fit(b->point, N, NULL, &c, left_out, &e)) fail_msg("%s", e.text);
    assert_int_equal(c.n, N);
    assert_int_equal(c.programs, P);
    for (uint32_t i = 0; i < N; i++) {
        assert_near(corrected_by(&c, &b->point[i]), put_in(b, i), 0.05);
        assert_near(left_out[i], 0, 0.12);
    }
    assert_true(c.cv_error < c.raw_error / 2);
    assert_true(c.cv_error <= c.cv_worst);
    calibration_fini(&c);
}

/* Estimates that are exact are left as they are. */
static void nothing_to_correct(void **state)
{
    struct bed *b = *state;
    struct calibration c;
    struct error e = {0};
    make_cycles(b, 0, 0);
    assert_true(calibrate_fit(b->point, N, NULL, &c, NULL, &e));
    for (uint32_t i = 0; i < N; i++)
        assert_near(corrected_by(&c, &b->point[i]), 0, 1e-6);
    assert_true(c.raw_error < 1e-9 && c.cv_error < 1e-6);
    calibration_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_put_in),
        cmocka_unit_test(nothing_to_correct),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
