/* posterior.c - does what runs say agree with closed forms, and with a Gaussian process that is
 * computed from the textbook (Rasmussen & Williams 2006, equations 2.25 and 2.26)? */
#include "calibration/posterior.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

#include <gsl/gsl_linalg.h>
#include <math.h>

enum { RUNS = 20, PLACES = 30 };
static uint32_t cycles, rate;
static struct known_run run[POSTERIOR_RUNS_MAX + 20];
static const struct known_run *of[POSTERIOR_RUNS_MAX + 20];
static struct error_kernel kernel;

/* A kernel all of whose numbers differ. */
static int setup(void **state)
{
    (void)state;
    cycles = metrics_key_index("cycles");
    rate = metrics_key_index("l2.hit_rate");
    kernel = error_kernel_usual();
    for (uint32_t g = 0; g < PLACE_GROUPS; g++) {
        kernel.amplitude[g] = 0.02 + 0.01 * g;
        kernel.length[g] = 0.5 + 0.25 * g;
    }
    for (uint32_t i = 0; i < sizeof run / sizeof *run; i++) {
        run[i] = (struct known_run){.log_sd = 0};
        of[i] = &run[i];
    }
    return 0;
}

/* Some parameters, the use and the time by chance. */
static void draw_place(struct place *p, struct rng *r)
{
    *p = (struct place){.estimate = 10 + rng_unit(r)};
    for (uint32_t i = 0; i < place_params(); i += 5)
        p->param[i] = rng_unit(r) < 0.3 ? 2 * rng_unit(r) : 0;
    for (uint32_t i = 0; i < PLACE_FEATURES; i++)
        p->feature[i] = 0.2 * rng_unit(r);
}

static void draw_run(struct known_run *out, struct rng *r)
{
    draw_place(&out->place, r);
    out->log_sd = 0.02 * rng_unit(r);
    out->error[cycles] = 0.6 * rng_unit(r) - 0.3;
    out->has[cycles] = true;
}

static void set_run(uint32_t i, double error)
{
    run[i].error[cycles] = error;
    run[i].has[cycles] = true;
}

static void make(struct posterior *p, uint32_t n)
{
    struct error e = {0};
    if (!posterior_make(p, &kernel, of, n, &e)) fail_msg("%s", e.text);
}

static double mean_at(const struct posterior *p, const struct place *at, double *variance)
{
    struct posterior_view v;
    double mean;
    posterior_look(p, at, &v);
    assert_true(posterior_mean(p, &v, cycles, &mean));
    if (variance) *variance = v.variance;
    return mean;
}

/* --- the kernel, written down anew --- */

static double matern52(double r)
{
    return (1 + sqrt(5) * r + 5 * r * r / 3) * exp(-sqrt(5) * r);
}

static double covariance(const struct place *a, const struct place *b)
{
    double d[PLACE_GROUPS], sum = pow(kernel.offset, 2);
    place_distance(a, b, d);
    for (uint32_t g = 0; g < PLACE_GROUPS; g++)
        sum += pow(kernel.amplitude[g], 2) * matern52(d[g] / kernel.length[g]);
    return sum;
}

static double own_variance(void)
{
    static const struct place here;
    return covariance(&here, &here);
}

static void kernels_are_sums_of_matern_functions(void **state)
{
    struct rng r;
    (void)state;
    rng_seed(&r, 41, 0);
    assert_near(error_kernel_variance(&kernel), own_variance() + pow(kernel.noise, 2), 1e-12);
    for (int i = 0; i < 50; i++) {
        struct place a, b;
        double d[PLACE_GROUPS];
        draw_place(&a, &r);
        draw_place(&b, &r);
        place_distance(&a, &b, d);
        double found = error_kernel_covariance(&kernel, d);
        assert_near(found, covariance(&a, &b), 1e-12);
        assert_true(found > pow(kernel.offset, 2) && found < own_variance());
    }
}

/* --- closed forms --- */

static void no_run_says_nothing(void **state)
{
    struct posterior p;
    double variance;
    (void)state;
    make(&p, 0);
    assert_near(mean_at(&p, &run[0].place, &variance), 0, 0);
    assert_near(variance, error_kernel_variance(&kernel), 1e-12);
    assert_near(posterior_stretch(&p, cycles, 1), 1, 1e-12);
    posterior_fini(&p);
}

static void one_run_has_a_closed_form(void **state)
{
    struct posterior p;
    struct rng r;
    struct place at;
    double variance;
    (void)state;
    rng_seed(&r, 42, 0);
    draw_run(&run[0], &r);
    draw_place(&at, &r);
    make(&p, 1);
    double k = covariance(&run[0].place, &at), noise = pow(kernel.noise, 2),
           own = own_variance() + noise + pow(run[0].log_sd, 2);
    assert_near(mean_at(&p, &at, &variance), k / own * run[0].error[cycles], 1e-12);
    assert_near(variance, own_variance() + noise - k * k / own, 1e-12);
    double squares = pow(run[0].error[cycles], 2) / own;
    assert_near(posterior_stretch(&p, cycles, 1),
                sqrt((kernel.tail - 2 + squares) / (kernel.tail - 1)), 1e-12);
    posterior_fini(&p);
}

static void two_runs_have_a_closed_form(void **state)
{
    struct posterior p;
    struct rng r;
    struct place at;
    double variance;
    (void)state;
    rng_seed(&r, 43, 0);
    draw_run(&run[0], &r);
    draw_run(&run[1], &r);
    draw_place(&at, &r);
    make(&p, 2);
    double noise = pow(kernel.noise, 2), a = own_variance() + noise + pow(run[0].log_sd, 2),
           b = own_variance() + noise + pow(run[1].log_sd, 2),
           c = covariance(&run[0].place, &run[1].place), k0 = covariance(&run[0].place, &at),
           k1 = covariance(&run[1].place, &at), det = a * b - c * c;
    double w0 = (b * k0 - c * k1) / det, w1 = (a * k1 - c * k0) / det;
    assert_near(mean_at(&p, &at, &variance), w0 * run[0].error[cycles] + w1 * run[1].error[cycles],
                1e-10);
    assert_near(variance, own_variance() + noise - w0 * k0 - w1 * k1, 1e-10);
    posterior_fini(&p);
}

/* A great many runs of the same place leave the noise, and their mean. */
static void runs_at_a_place_leave_the_noise(void **state)
{
    struct posterior p;
    double variance, k = own_variance(), noise = pow(kernel.noise, 2);
    (void)state;
    for (uint32_t i = 0; i < RUNS; i++)
        set_run(i, 0.3);
    make(&p, RUNS);
    assert_near(mean_at(&p, &run[0].place, &variance), 0.3 * k / (k + noise / RUNS), 1e-9);
    assert_near(variance, noise + k * noise / (RUNS * k + noise), 1e-9);
    assert_true(variance > noise && variance < 1.1 * noise);
    posterior_fini(&p);
}

/* A run that is exact but for the noise is believed; one with a large error of its own is not. */
static void uncertain_runs_weigh_less(void **state)
{
    struct posterior p;
    (void)state;
    set_run(0, 0.3);
    run[0].log_sd = 1;
    make(&p, 1);
    double k = own_variance();
    assert_near(mean_at(&p, &run[0].place, NULL), 0.3 * k / (k + pow(kernel.noise, 2) + 1), 1e-12);
    posterior_fini(&p);
}

static void metrics_share_weights(void **state)
{
    struct posterior p;
    struct posterior_view v;
    struct rng r;
    double mean, of_rate;
    (void)state;
    rng_seed(&r, 44, 0);
    for (uint32_t i = 0; i < RUNS; i++) {
        draw_run(&run[i], &r);
        run[i].error[rate] = -2 * run[i].error[cycles];
        run[i].has[rate] = i != 3;
    }
    make(&p, RUNS);
    posterior_look(&p, &run[1].place, &v);
    assert_true(posterior_mean(&p, &v, cycles, &mean));
    assert_false(posterior_mean(&p, &v, rate, &of_rate)); /* a run lacks it */
    run[3].has[rate] = true;
    assert_true(posterior_mean(&p, &v, rate, &of_rate));
    assert_near(of_rate, -2 * mean, 1e-12);
    assert_near(posterior_stretch(&p, rate, 2), posterior_stretch(&p, cycles, 1), 1e-12);
    posterior_fini(&p);
}

/* --- the textbook --- */

struct textbook {
    gsl_matrix *inverse;
    uint32_t n;
};

static struct textbook invert(uint32_t n)
{
    struct textbook t = {gsl_matrix_alloc(n, n), n};
    gsl_matrix *k = gsl_matrix_alloc(n, n);
    gsl_permutation *order = gsl_permutation_alloc(n);
    int sign;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            double own = i == j ? pow(kernel.noise, 2) + pow(run[i].log_sd, 2) : 0;
            gsl_matrix_set(k, i, j, covariance(&run[i].place, &run[j].place) + own);
        }
    gsl_linalg_LU_decomp(k, order, &sign);
    gsl_linalg_LU_invert(k, order, t.inverse);
    gsl_permutation_free(order);
    gsl_matrix_free(k);
    return t;
}

/* a^T K^-1 b of the covariances with two places; b = NULL: of the errors. */
static double product(const struct textbook *t, const struct place *a, const struct place *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < t->n; i++)
        for (uint32_t j = 0; j < t->n; j++) {
            double left = a ? covariance(&run[i].place, a) : run[i].error[cycles],
                   right = b ? covariance(&run[j].place, b) : run[j].error[cycles];
            sum += left * gsl_matrix_get(t->inverse, i, j) * right;
        }
    return sum;
}

static void the_textbook_agrees(void **state)
{
    struct posterior p;
    struct rng r;
    const double noise = pow(kernel.noise, 2);
    (void)state;
    rng_seed(&r, 45, 0);
    for (uint32_t i = 0; i < RUNS; i++)
        draw_run(&run[i], &r);
    make(&p, RUNS);
    struct textbook t = invert(RUNS);
    for (uint32_t i = 0; i < PLACES; i++) {
        struct place a, b;
        struct posterior_view va, vb;
        double mean;
        draw_place(&a, &r);
        draw_place(&b, &r);
        posterior_look(&p, &a, &va);
        posterior_look(&p, &b, &vb);
        assert_true(posterior_mean(&p, &va, cycles, &mean));
        assert_near(mean, product(&t, &a, NULL), 1e-8);
        assert_near(va.variance, own_variance() + noise - product(&t, &a, &a), 1e-8);
        double between = covariance(&a, &b) - product(&t, &a, &b),
               of_difference = va.variance + vb.variance - 2 * between;
        assert_near(posterior_difference(&p, &a, &va, &b, &vb), of_difference, 1e-8);
    }
    double squares = product(&t, NULL, NULL);
    assert_near(posterior_stretch(&p, cycles, 1),
                sqrt((kernel.tail - 2 + squares) / (kernel.tail - 2 + RUNS)), 1e-8);
    gsl_matrix_free(t.inverse);
    posterior_fini(&p);
}

static void the_nearest_run_covaries_most(void **state)
{
    struct posterior p;
    struct posterior_view v;
    struct rng r;
    (void)state;
    rng_seed(&r, 46, 0);
    for (uint32_t i = 0; i < RUNS; i++)
        draw_run(&run[i], &r);
    make(&p, RUNS);
    for (uint32_t i = 0; i < RUNS; i++) {
        posterior_look(&p, &run[i].place, &v);
        assert_int_equal(v.nearest, i);
    }
    posterior_fini(&p);
}

/* --- differences and scales --- */

static void a_place_differs_from_itself_by_noise(void **state)
{
    struct posterior p;
    struct posterior_view v;
    struct rng r;
    (void)state;
    rng_seed(&r, 47, 0);
    for (uint32_t i = 0; i < RUNS; i++)
        draw_run(&run[i], &r);
    for (uint32_t n = 0; n <= RUNS; n += RUNS) {
        make(&p, n);
        posterior_look(&p, &run[0].place, &v);
        assert_near(posterior_difference(&p, &run[0].place, &v, &run[0].place, &v),
                    2 * pow(kernel.noise, 2), 1e-9);
        posterior_fini(&p);
    }
}

/* Runs without errors say that a program's errors are small; large ones, that they are large. */
static void scales_follow_the_errors(void **state)
{
    struct posterior p;
    struct rng r;
    (void)state;
    rng_seed(&r, 48, 0);
    for (uint32_t i = 0; i < RUNS; i++) {
        draw_run(&run[i], &r);
        run[i].error[cycles] = 0;
    }
    make(&p, RUNS);
    assert_near(posterior_stretch(&p, cycles, 1),
                sqrt((kernel.tail - 2) / (kernel.tail - 2 + RUNS)), 1e-12);
    for (uint32_t i = 0; i < RUNS; i++)
        run[i].error[cycles] = i % 2 ? 3 : -3;
    assert_true(posterior_stretch(&p, cycles, 1) > 3);
    posterior_fini(&p);
}

/* --- many runs --- */

static void the_last_runs_are_taken(void **state)
{
    enum { ALL = sizeof run / sizeof *run };
    struct posterior most, last;
    struct error e = {0};
    struct rng r;
    (void)state;
    rng_seed(&r, 49, 0);
    for (uint32_t i = 0; i < ALL; i++)
        draw_run(&run[i], &r);
    make(&most, ALL);
    assert_int_equal(most.n, POSTERIOR_RUNS_MAX);
    assert_true(
        posterior_make(&last, &kernel, of + (ALL - POSTERIOR_RUNS_MAX), POSTERIOR_RUNS_MAX, &e));
    assert_near(mean_at(&most, &run[0].place, NULL), mean_at(&last, &run[0].place, NULL), 0);
    posterior_fini(&most);
    posterior_fini(&last);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(kernels_are_sums_of_matern_functions, setup),
        cmocka_unit_test_setup(no_run_says_nothing, setup),
        cmocka_unit_test_setup(one_run_has_a_closed_form, setup),
        cmocka_unit_test_setup(two_runs_have_a_closed_form, setup),
        cmocka_unit_test_setup(runs_at_a_place_leave_the_noise, setup),
        cmocka_unit_test_setup(uncertain_runs_weigh_less, setup),
        cmocka_unit_test_setup(metrics_share_weights, setup),
        cmocka_unit_test_setup(the_textbook_agrees, setup),
        cmocka_unit_test_setup(the_nearest_run_covaries_most, setup),
        cmocka_unit_test_setup(a_place_differs_from_itself_by_noise, setup),
        cmocka_unit_test_setup(scales_follow_the_errors, setup),
        cmocka_unit_test_setup(the_last_runs_are_taken, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
