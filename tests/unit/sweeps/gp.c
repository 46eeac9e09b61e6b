/* gp.c - is the Gaussian process the one of the textbook, and are its intervals true? */
#include "sweeps/auto/gp.h"
#include "base/memory/rng.h"
#include "base/run/progress.h"
#include "tests/support/check.h"

#include <math.h>
#include <string.h>

enum { MOST = 128 };

static double matern(double r, double length)
{
    double s = sqrt(5) * fabs(r) / length;
    return (1 + s + s * s / 3) * exp(-s);
}

static struct gp_kernel near_and_group(void)
{
    struct gp_kernel k = {
        .terms = 2,
        .noise = 0.1,
        .term = {{.shape = GP_MATERN, .width = 1, .amplitude = 0.7, .length = 1.5},
                 {.shape = GP_CONSTANT, .within_group = true, .amplitude = 0.4}}};
    assert_true(gp_kernel_start(&k));
    return k;
}

static struct gp_kernel one_term(struct gp_term t, double noise)
{
    struct gp_kernel k = {.terms = 1, .noise = noise, .term = {t}};
    assert_true(gp_kernel_start(&k));
    return k;
}

/* Inverse of 2 x 2 by hand. */
static void two_points_by_hand(void **state)
{
    (void)state;
    const double x[] = {0.2, 1.1}, y[] = {0.5, -0.3}, sd[] = {0.05, 0.2}, at = 0.6;
    const int32_t group[] = {0, 0};
    const struct gp_kernel k = near_and_group();
    const struct gp_data d = {.n = 2, .width = 1, .x = x, .group = group, .y = y, .sd = sd};
    struct gp g;
    struct gp_value v;
    struct error e = {0};
    assert_true(gp_fit(&g, &d, &k, false, &e));
    double a = 0.49, c = 0.16, noise = 0.01;
    double k11 = a + c + noise + 0.0025, k22 = a + c + noise + 0.04;
    double k12 = a * matern(0.9, 1.5) + c, det = k11 * k22 - k12 * k12;
    double s1 = a * matern(0.4, 1.5) + c, s2 = a * matern(0.5, 1.5) + c;
    double w1 = (s1 * k22 - s2 * k12) / det, w2 = (s2 * k11 - s1 * k12) / det;
    assert_true(gp_predict(&g, &at, 0, &v, &e));
    assert_near(v.mean, w1 * y[0] + w2 * y[1], 1e-7);
    assert_near(v.sd * v.sd, a + c - w1 * s1 - w2 * s2, 1e-7);
    double fit = (k22 * y[0] * y[0] - 2 * k12 * y[0] * y[1] + k11 * y[1] * y[1]) / det;
    assert_near(g.evidence, -fit / 2 - log(det) / 2 - log(2 * M_PI), 1e-6);
    gp_fini(&g);
}

/* A group that no point has: its own terms stay as uncertain as they were. */
static void groups_are_apart(void **state)
{
    (void)state;
    const double x[] = {0, 0, 0}, y[] = {1, 1.1, 0.9}, sd[] = {0, 0, 0};
    const int32_t group[] = {0, 0, 0};
    const struct gp_kernel k = one_term(
        (struct gp_term){.shape = GP_CONSTANT, .within_group = true, .amplitude = 0.5}, 0.1);
    const struct gp_data d = {.n = 3, .width = 1, .x = x, .group = group, .y = y, .sd = sd};
    struct gp g;
    struct gp_value mine, other;
    struct error e = {0};
    assert_true(gp_fit(&g, &d, &k, false, &e));
    assert_true(gp_predict(&g, x, 0, &mine, &e) && gp_predict(&g, x, GP_NO_GROUP, &other, &e));
    /* the mean of three with a prior: sum y x a2 / (3 a2 + noise2) */
    assert_near(mine.mean, 3 * 0.25 / (3 * 0.25 + 0.01), 1e-7);
    assert_near(mine.sd * mine.sd, 0.25 - 3 * 0.0625 / (3 * 0.25 + 0.01), 1e-7);
    assert_near(other.mean, 0, 1e-12);
    assert_near(other.sd, 0.5, 1e-12);
    gp_fini(&g);
}

struct bed {
    double x[MOST][2], y[MOST], sd[MOST];
    int32_t group[MOST];
};

static double normal(struct rng *r)
{
    double u = 1 - rng_unit(r), v = rng_unit(r);
    return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* Smooth along both columns, one level per group, noise. */
static void draw(struct bed *b, uint32_t n, uint64_t seed, double noise)
{
    struct rng r;
    double level[3], a, phase;
    rng_seed(&r, seed, 0);
    for (int k = 0; k < 3; k++)
        level[k] = 0.3 * normal(&r);
    a = 0.5 + rng_unit(&r);
    phase = 6 * rng_unit(&r);
    for (uint32_t i = 0; i < n; i++) {
        b->group[i] = (int32_t)(i % 3);
        b->x[i][0] = rng_unit(&r);
        b->x[i][1] = rng_unit(&r);
        b->y[i] = level[i % 3] + a * sin(3 * b->x[i][0] + phase) * (0.5 + b->x[i][1]);
        b->y[i] += noise * normal(&r);
        b->sd[i] = 0;
    }
}

static struct gp_data data_of(const struct bed *b, uint32_t n)
{
    return (struct gp_data){
        .n = n, .width = 2, .x = &b->x[0][0], .group = b->group, .y = b->y, .sd = b->sd};
}

static struct gp_kernel smooth(void)
{
    struct gp_kernel k = {
        .terms = 2,
        .noise = 0.05,
        .amplitude_sd = 1,
        .length_sd = 0.7,
        .noise_sd = 1,
        .term = {{.shape = GP_MATERN, .width = 2, .amplitude = 0.5, .length = 0.7},
                 {.shape = GP_CONSTANT, .within_group = true, .amplitude = 0.3}}};
    assert_true(gp_kernel_start(&k));
    return k;
}

static void drop(struct bed *b, uint32_t n, uint32_t i)
{
    memmove(b->x[i], b->x[i + 1], (n - i - 1) * sizeof b->x[0]);
    memmove(b->y + i, b->y + i + 1, (n - i - 1) * sizeof b->y[0]);
    memmove(b->group + i, b->group + i + 1, (n - i - 1) * sizeof b->group[0]);
}

/* The formula against fits that never saw the point. */
static void left_out_is_a_refit(void **state)
{
    (void)state;
    enum { N = 24 };
    struct bed b, less;
    struct gp g, h;
    struct gp_value out[N], v;
    struct error e = {0};
    draw(&b, N, 7, 0.05);
    const struct gp_data d = data_of(&b, N);
    const struct gp_kernel k = smooth();
    assert_true(gp_fit(&g, &d, &k, false, &e) && gp_leave_one_out(&g, out, &e));
    for (uint32_t i = 0; i < N; i++) {
        less = b;
        drop(&less, N, i);
        const struct gp_data all_but = data_of(&less, N - 1);
        assert_true(gp_fit(&h, &all_but, &k, false, &e));
        assert_true(gp_predict(&h, b.x[i], b.group[i], &v, &e));
        assert_near(out[i].mean, v.mean, 1e-6);
        assert_near(out[i].sd, hypot(v.sd, k.noise), 1e-6);
        gp_fini(&h);
    }
    gp_fini(&g);
}

/* Learned on 40 points of many functions, the 90 % intervals at 40 others hold them as often as
 * they say, and are narrower than what the prior would state. */
static void intervals_are_true(void **state)
{
    (void)state;
    enum { N = 40, SETS = 30 };
    uint32_t held = 0, points = 0;
    double noise = 0, width = 0;
    for (uint32_t set = 0; set < SETS; set++) {
        struct bed b;
        struct gp g;
        struct error e = {0};
        draw(&b, 2 * N, 100 + set, 0.05);
        const struct gp_data d = data_of(&b, N);
        struct gp_kernel k = smooth();
        k.noise = 0.2; /* four times what it is */
        assert_true(gp_fit(&g, &d, &k, true, &e));
        noise += log(g.kernel.noise) / SETS;
        for (uint32_t i = N; i < 2 * N; i++, points++) {
            struct gp_value v;
            assert_true(gp_predict(&g, b.x[i], b.group[i], &v, &e));
            double half = 1.645 * hypot(v.sd, g.kernel.noise);
            held += fabs(b.y[i] - v.mean) <= half;
            width += half;
        }
        gp_fini(&g);
    }
    assert_in_range(100 * held / points, 85, 95);
    assert_true(width / points < 0.2);
    assert_near(exp(noise), 0.05, 0.012);
}

/* Two equal rows and no noise: the factor must still exist. */
static void equal_points_do_no_harm(void **state)
{
    (void)state;
    const double x[] = {1, 1, 2}, y[] = {0.3, 0.3, 0.1}, sd[] = {0, 0, 0};
    const int32_t group[] = {0, 0, 0};
    const struct gp_kernel k =
        one_term((struct gp_term){.shape = GP_MATERN, .width = 1, .amplitude = 1, .length = 1}, 0);
    const struct gp_data d = {.n = 3, .width = 1, .x = x, .group = group, .y = y, .sd = sd};
    struct gp g;
    struct gp_value v;
    struct error e = {0};
    assert_true(gp_fit(&g, &d, &k, false, &e));
    assert_true(gp_predict(&g, x, 0, &v, &e));
    assert_near(v.mean, 0.3, 1e-4);
    gp_fini(&g);
}

/* Every shape, one length and many, within groups and loaded: where learning ends no constant is
 * better half as large again or by as much smaller, by the evidence computed anew. */
static struct gp_kernel of_all_shapes(void)
{
    struct gp_kernel k = {
        .terms = 4,
        .noise = 0.1,
        .amplitude_sd = 1,
        .length_sd = 1,
        .noise_sd = 1,
        .load_sd = 1,
        .term = {{GP_MATERN, 0, 2, true, true, false, 0.3, 1},
                 {GP_SQUARED, 0, 2, false, true, true, 0.3, 1},
                 {GP_PLANE, 1, 1, false, false, false, 0.2, 0},
                 {GP_CONSTANT, 0, 0, true, false, false, 0.2, 0}},
    };
    assert_true(gp_kernel_start(&k));
    return k;
}

static double posterior(const struct gp_data *d, const struct gp_kernel *middle,
                        const struct gp_kernel *k)
{
    struct gp g;
    struct error e = {0};
    assert_true(gp_fit(&g, d, k, false, &e));
    double sum = g.evidence - pow(log(k->noise / middle->noise), 2) / 2;
    for (uint32_t i = 0; i < k->terms; i++)
        sum -= pow(log(k->term[i].amplitude / middle->term[i].amplitude), 2) / 2;
    for (uint32_t i = 0; i < 3; i++)
        sum -= pow(log(k->length[i] / middle->length[i]), 2) / 2 + pow(log(k->load[i]), 2) / 2;
    gp_fini(&g);
    return sum;
}

static void learning_ends_near_a_top(void **state)
{
    (void)state;
    enum { N = 40 };
    static const double NEAR = 0.5; /* its steps are counted: the very top is not reached */
    struct bed b;
    struct gp g;
    struct error e = {0};
    draw(&b, N, 11, 0.05);
    const struct gp_data d = data_of(&b, N);
    const struct gp_kernel middle = of_all_shapes();
    assert_true(gp_fit(&g, &d, &middle, true, &e));
    struct gp_kernel k = g.kernel;
    double *theta[] = {&k.noise,     &k.term[0].amplitude, &k.term[1].amplitude,
                       &k.length[0], &k.length[1],         &k.length[2],
                       &k.load[0],   &k.load[1],           &k.term[2].amplitude,
                       &k.load[2],   &k.term[3].amplitude};
    double top = posterior(&d, &middle, &k);
    assert_true(top > posterior(&d, &middle, &middle) + 20);
    for (size_t i = 0; i < sizeof theta / sizeof theta[0]; i++) {
        double here = *theta[i];
        *theta[i] = here * 1.5;
        assert_true(posterior(&d, &middle, &k) < top + NEAR);
        *theta[i] = here / 1.5;
        assert_true(posterior(&d, &middle, &k) < top + NEAR);
        *theta[i] = here;
    }
    gp_fini(&g);
}

/* y follows one column, and one group not at all: that column's reach is the shorter one, and the
 * group's load the least. */
static void what_matters_is_learned(void **state)
{
    (void)state;
    enum { N = 60 };
    struct bed b;
    struct gp g;
    struct error e = {0};
    draw(&b, N, 5, 0.02);
    for (uint32_t i = 0; i < N; i++)
        b.y[i] = b.group[i] == 1 ? 0.002 * (i % 7) : 0.4 * sin(5 * b.x[i][0]);
    const struct gp_data d = data_of(&b, N);
    struct gp_kernel k = {.terms = 1,
                          .noise = 0.02,
                          .amplitude_sd = 1,
                          .length_sd = 1,
                          .noise_sd = 1,
                          .load_sd = 1,
                          .term = {{GP_MATERN, 0, 2, true, true, false, 0.3, 1}}};
    assert_true(gp_kernel_start(&k) && gp_fit(&g, &d, &k, true, &e));
    assert_true(3 * g.kernel.length[0] < g.kernel.length[1]);
    assert_true(3 * g.kernel.load[1] < g.kernel.load[0] && g.kernel.load[0] < 3 * g.kernel.load[2]);
    gp_fini(&g);
}

/* Ctrl-C does not wait for 150 steps. */
static void interrupted_it_learns_nothing(void **state)
{
    (void)state;
    const double x[] = {0.2, 1.1}, y[] = {0.5, -0.3}, sd[] = {0.05, 0.2};
    const int32_t group[] = {0, 0};
    const struct gp_kernel k = near_and_group();
    const struct gp_data d = {.n = 2, .width = 1, .x = x, .group = group, .y = y, .sd = sd};
    struct gp g;
    struct error e = {0};
    plumb_interrupted = true;
    bool ok = gp_fit(&g, &d, &k, true, &e);
    plumb_interrupted = false;
    gp_fini(&g);
    assert_false(ok);
    assert_int_equal(e.kind, ERROR_INTERRUPTED);
    assert_true(gp_fit(&g, &d, &k, true, &e));
    gp_fini(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_points_by_hand),      cmocka_unit_test(groups_are_apart),
        cmocka_unit_test(left_out_is_a_refit),     cmocka_unit_test(intervals_are_true),
        cmocka_unit_test(equal_points_do_no_harm), cmocka_unit_test(learning_ends_near_a_top),
        cmocka_unit_test(what_matters_is_learned), cmocka_unit_test(interrupted_it_learns_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
