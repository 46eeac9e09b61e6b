/* fit.c - does the robust fit find coefficients that are known, and admit what it cannot
 * know? */
#include "base/memory/rng.h"
#include "sampler/calibration/robust_fit.h"
#include "tests/support/check.h"

enum { POINTS = 24 };

/* log of a sum of weighted terms, as the estimator's cycles are. */
struct synthetic {
    uint32_t n, params;
    double term[POINTS][4]; /* a zero column: the data say nothing of that coefficient */
    double y[POINTS], sd[POINTS];
};

static bool terms(const double *theta, double *f, void *ctx, struct error *e)
{
    const struct synthetic *s = ctx;
    (void)e;
    for (uint32_t i = 0; i < s->n; i++) {
        double sum = 1;
        for (uint32_t k = 0; k < s->params; k++)
            sum += s->term[i][k] * exp(theta[k]);
        f[i] = log(sum);
    }
    return true;
}

static bool refuse(const double *theta, double *f, void *ctx, struct error *e)
{
    (void)theta, (void)f, (void)ctx;
    return error_input(e, "no such thing");
}

static void make(struct synthetic *s, const double *truth, double noise)
{
    struct rng r;
    rng_seed(&r, 11, 0);
    *s = (struct synthetic){.n = POINTS, .params = 3};
    for (uint32_t i = 0; i < POINTS; i++)
        for (uint32_t k = 0; k < 3; k++)
            s->term[i][k] = exp(4 * rng_unit(&r));
    assert_true(terms(truth, s->y, s, NULL));
    for (uint32_t i = 0; i < POINTS; i++)
        s->y[i] += noise * (2 * rng_unit(&r) - 1);
}

static struct fit_result run(struct synthetic *s, double *residual, double *left_out)
{
    struct fit_result out;
    struct error e = {0};
    const struct fit_problem p = {.model = terms,
                                  .ctx = s,
                                  .n = s->n,
                                  .params = s->params,
                                  .y = s->y,
                                  .sd = s->sd,
                                  .prior_sd = 0.5};
    assert_true(fit_robust(&p, &out, residual, left_out, &e));
    return out;
}

static const double TRUTH[] = {0.3, -0.4, 0.2, 0};

static void recovers(void **state)
{
    (void)state;
    struct synthetic s;
    double residual[POINTS], left_out[POINTS];
    make(&s, TRUTH, 0.02);
    struct fit_result r = run(&s, residual, left_out);
    for (uint32_t k = 0; k < 3; k++) {
        assert_true(r.fitted[k]);
        assert_near(r.theta[k], TRUTH[k], 0.05);
        assert_near(r.theta[k], TRUTH[k], 4 * r.sd[k]);
    }
    for (uint32_t i = 0; i < POINTS; i++)
        assert_true(fabs(left_out[i]) >= fabs(residual[i]));
}

/* One point in ten is off by a factor of three. */
static void outliers_do_not_pull(void **state)
{
    (void)state;
    struct synthetic s;
    double residual[POINTS], left_out[POINTS];
    make(&s, TRUTH, 0.02);
    s.y[3] += log(3);
    s.y[17] -= log(3);
    struct fit_result r = run(&s, residual, left_out);
    for (uint32_t k = 0; k < 3; k++)
        assert_near(r.theta[k], TRUTH[k], 0.08);
    assert_true(residual[3] > 0.9 && residual[17] < -0.9);
}

static void unseen_stays_at_one(void **state)
{
    (void)state;
    struct synthetic s;
    double residual[POINTS], left_out[POINTS];
    make(&s, TRUTH, 0.02);
    s.params = 4;
    struct fit_result r = run(&s, residual, left_out);
    assert_false(r.fitted[3]);
    assert_true(r.theta[3] == 0 && r.sd[3] == 0.5);
    for (uint32_t k = 0; k < 3; k++)
        assert_near(r.theta[k], TRUTH[k], 0.05);
}

/* Two coefficients that always act together cannot both be told: one is left at 1, the fit stays
 * good. */
static void twins_are_not_both_fitted(void **state)
{
    (void)state;
    struct synthetic s;
    double residual[POINTS], left_out[POINTS];
    make(&s, (const double[]){0, 0, 0}, 0.001);
    for (uint32_t i = 0; i < POINTS; i++) {
        s.term[i][1] = s.term[i][0];
        s.term[i][2] = 0;
    }
    s.params = 2;
    assert_true(terms((const double[]){0.3, 0.3}, s.y, &s, NULL));
    run(&s, residual, left_out);
    for (uint32_t i = 0; i < POINTS; i++)
        assert_near(residual[i], 0, 0.02);
}

static void few_points_fit_few(void **state)
{
    (void)state;
    struct synthetic s;
    double residual[POINTS], left_out[POINTS];
    make(&s, TRUTH, 0.02);
    s.n = 4;
    struct fit_result r = run(&s, residual, left_out);
    assert_true(r.fitted[0] + r.fitted[1] + r.fitted[2] <= 2);
}

/* Against refits without each point; the weights barely move without outliers. */
static void left_out_is_a_refit(void **state)
{
    (void)state;
    struct synthetic s, less;
    double residual[POINTS], left_out[POINTS], r1[POINTS], l1[POINTS], f[POINTS];
    make(&s, TRUTH, 0.05);
    run(&s, residual, left_out);
    double worst = 0, mean = 0;
    for (uint32_t out = 0; out < POINTS; out++) {
        less = s;
        less.n = POINTS - 1;
        for (uint32_t i = out; i + 1 < POINTS; i++) {
            memcpy(less.term[i], s.term[i + 1], sizeof(s.term[i]));
            less.y[i] = s.y[i + 1];
        }
        struct fit_result r = run(&less, r1, l1);
        assert_true(terms(r.theta, f, &s, NULL));
        double d = fabs(s.y[out] - f[out] - left_out[out]);
        worst = fmax(worst, d);
        mean += d / POINTS;
    }
    assert_true(mean < 0.004 && worst < 0.02);
}

static void model_errors_come_through(void **state)
{
    (void)state;
    struct fit_result out;
    struct error e = {0};
    double y[4] = {0}, residual[4], left_out[4];
    const struct fit_problem p = {.model = refuse, .n = 4, .params = 2, .y = y, .prior_sd = 0.5};
    assert_false(fit_robust(&p, &out, residual, left_out, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_string_equal(e.text, "no such thing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovers),
        cmocka_unit_test(outliers_do_not_pull),
        cmocka_unit_test(unseen_stays_at_one),
        cmocka_unit_test(twins_are_not_both_fitted),
        cmocka_unit_test(few_points_fit_few),
        cmocka_unit_test(left_out_is_a_refit),
        cmocka_unit_test(model_errors_come_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
