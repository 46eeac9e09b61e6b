/* calibrate_long.c - does calibration find coefficients that were put in, through the
 * estimator itself? */
#include "base/memory/rng.h"
#include "sampler/calibration/calibrate.h"
#include "sampler/design/est_params.h"
#include "tests/support/run.h"

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
        struct profile_view view = profile_view_of(&m->sm, &m->l1, &m->l2, &m->coherence);
        b.profile[i] = profile_get(b.program[i % P], &view, PROFILE_SAMPLED, 1, false, &e);
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

/* Cycles as an estimator with these coefficients would have them, with noise and some points far
 * off. */
static void make_cycles(struct bed *b, const struct correction *c, double noise, bool outliers)
{
    struct rng r;
    rng_seed(&r, 5, 0);
    for (uint32_t i = 0; i < N; i++) {
        struct error e = {0};
        double launch[1];
        assert_int_equal(profile_launches(b->profile[i]), 1);
        assert_true(estimate_launches(b->profile[i], &b->point[i].params, c, launch, &e));
        b->point[i].cycles = launch[0] * exp(noise * (2 * rng_unit(&r) - 1));
        if (outliers && i % 10 == 3) b->point[i].cycles *= 2;
    }
}

static void finds_what_was_put_in(struct bed *b, bool outliers)
{
    struct correction truth = correction_none();
    struct calibration c;
    struct error e = {0};
    double residual[N];
    truth.coef[COEF_LATENCY] = 1.3;
    truth.coef[COEF_DRAM] = 1.25;
    truth.coef[COEF_ISSUE] = 0.85;
    make_cycles(b, &truth, 0.02, outliers);
    if (!calibrate_fit(b->point, N, NULL, 0, &c, residual, &e)) fail_msg("%s", e.text);
    uint32_t fitted = 0, near = 0;
    for (uint32_t k = 0; k < COEF_N; k++) {
        if (!c.fitted[k] || c.sd[k] > 0.05) continue;
        fitted++;
        if (fabs(log(c.correction.coef[k] / truth.coef[k])) > 4 * c.sd[k] + 0.03)
            fail_msg("%s: %.3f instead of %.3f, standard error %.3f", coef_name[k],
                     c.correction.coef[k], truth.coef[k], c.sd[k]);
    }
    for (uint32_t i = 0; i < N; i++)
        near += fabs(residual[i]) < 0.05;
    assert_true(fitted >= 2);
    assert_true(near >= N - (outliers ? N / 10 + 2 : 1));
    assert_true(c.fit_error < c.raw_error && c.cv_error < c.raw_error && c.cv_error <= c.cv_worst);
    calibration_fini(&c);
    assert_int_equal(c.points, N);
}

static void recovers(void **state)
{
    finds_what_was_put_in(*state, false);
}

static void recovers_among_outliers(void **state)
{
    finds_what_was_put_in(*state, true);
}

/* Points that the estimator answers exactly leave every coefficient where it is. */
static void nothing_to_correct(void **state)
{
    struct bed *b = *state;
    const struct correction none = correction_none();
    struct calibration c;
    struct error e = {0};
    make_cycles(b, &none, 0, false);
    assert_true(calibrate_fit(b->point, N, NULL, 0, &c, NULL, &e));
    for (uint32_t k = 0; k < COEF_N; k++)
        assert_near(c.correction.coef[k], 1, 0.01);
    assert_true(c.raw_error < 1e-9 && c.cv_error < 0.005);
    calibration_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovers),
        cmocka_unit_test(recovers_among_outliers),
        cmocka_unit_test(nothing_to_correct),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
