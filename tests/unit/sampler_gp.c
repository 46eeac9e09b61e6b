/* sampler_gp.c - is the Gaussian process the one of the textbook, and are its intervals true? */
#include "base/rng.h"
#include "sampler/gp.h"
#include "tests/unit/check.h"

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
    return (struct gp_kernel){
        .terms = 2, .noise = 0.1, .term = {{0, 1, false, 0.7, 1.5}, {1, 0, true, 0.4, 1}}};
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
    const struct gp_kernel k = {.terms = 1, .noise = 0.1, .term = {{0, 0, true, 0.5, 1}}};
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
    return (struct gp_kernel){
        .terms = 2, .noise = 0.05, .term = {{0, 2, false, 0.5, 0.7}, {0, 0, true, 0.3, 1}}};
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

static double summed_variance(const struct gp *g, const struct bed *b, uint32_t from, uint32_t to)
{
    struct gp_value v;
    struct error e = {0};
    double sum = 0;
    for (uint32_t i = from; i < to; i++) {
        assert_true(gp_predict(g, b->x[i], b->group[i], &v, &e));
        sum += v.sd * v.sd;
    }
    return sum;
}

/* What a point would teach, against what it teaches when it is there. */
static void gain_is_what_a_point_brings(void **state)
{
    (void)state;
    enum { N = 9, C = 6 };
    struct bed b, more;
    struct gp g, h;
    double gain[C];
    struct error e = {0};
    draw(&b, N + C, 3, 0.05);
    const struct gp_data d = data_of(&b, N);
    const struct gp_kernel k = smooth();
    assert_true(gp_fit(&g, &d, &k, false, &e));
    assert_true(gp_gain(&g, b.x[N], b.group + N, C, gain, &e));
    double before = summed_variance(&g, &b, N, N + C);
    for (uint32_t c = 0; c < C; c++) {
        more = b;
        memcpy(more.x[N], b.x[N + c], sizeof more.x[0]);
        more.group[N] = b.group[N + c];
        const struct gp_data one_more = data_of(&more, N + 1);
        assert_true(gp_fit(&h, &one_more, &k, false, &e));
        assert_near(gain[c], before - summed_variance(&h, &b, N, N + C), 1e-6);
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
    const struct gp_kernel k = {.terms = 1, .noise = 0, .term = {{0, 1, false, 1, 1}}};
    const struct gp_data d = {.n = 3, .width = 1, .x = x, .group = group, .y = y, .sd = sd};
    struct gp g;
    struct gp_value v;
    struct error e = {0};
    assert_true(gp_fit(&g, &d, &k, false, &e));
    assert_true(gp_predict(&g, x, 0, &v, &e));
    assert_near(v.mean, 0.3, 1e-4);
    gp_fini(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_points_by_hand),  cmocka_unit_test(groups_are_apart),
        cmocka_unit_test(left_out_is_a_refit), cmocka_unit_test(gain_is_what_a_point_brings),
        cmocka_unit_test(intervals_are_true),  cmocka_unit_test(equal_points_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
