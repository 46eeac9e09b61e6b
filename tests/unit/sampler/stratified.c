/* stratified.c - are totals, their spread and the allocation of samples what statistics says? */
#include "sampler/statistics/stratified.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

#include <math.h>

enum { UNITS_MAX = 512 };

struct population {
    uint32_t strata, units[4];
    double x[4][UNITS_MAX], y[4][UNITS_MAX];
};

struct sample {
    struct stratum_size size[4];
    uint32_t of[UNITS_MAX], n;
    double x[UNITS_MAX], y[UNITS_MAX], w[UNITS_MAX];
};

static struct stratified view(const struct population *p, struct sample *s, bool with_x)
{
    for (uint32_t h = 0; h < p->strata; h++) {
        s->size[h] = (struct stratum_size){.units = p->units[h]};
        for (uint32_t i = 0; i < p->units[h]; i++)
            s->size[h].x_total += p->x[h][i];
    }
    return (struct stratified){
        .stratum = s->size, .strata = p->strata, .of = s->of, .x = with_x ? s->x : NULL, .n = s->n};
}

static double total(const struct population *p)
{
    double t = 0;
    for (uint32_t h = 0; h < p->strata; h++)
        for (uint32_t i = 0; i < p->units[h]; i++)
            t += p->y[h][i];
    return t;
}

static void observe(const struct population *p, struct sample *s, uint32_t h, uint32_t unit)
{
    s->of[s->n] = h;
    s->x[s->n] = p->x[h][unit];
    s->y[s->n++] = p->y[h][unit];
}

static void draw(const struct population *p, const uint32_t *n, struct rng *r, struct sample *s)
{
    s->n = 0;
    for (uint32_t h = 0; h < p->strata; h++) {
        uint32_t order[UNITS_MAX];
        for (uint32_t i = 0; i < p->units[h]; i++)
            order[i] = i;
        for (uint32_t i = 0; i < n[h]; i++) {
            uint32_t j = i + (uint32_t)rng_below(r, p->units[h] - i), t = order[i];
            order[i] = order[j];
            order[j] = t;
            observe(p, s, h, order[i]);
        }
    }
}

static double weighted(const struct sample *s)
{
    double t = 0;
    for (uint32_t i = 0; i < s->n; i++)
        t += s->w[i] * s->y[i];
    return t;
}

/* Sum of twelve uniforms: near enough to normal for coverage. */
static double noise(struct rng *r)
{
    double t = -6;
    for (int i = 0; i < 12; i++)
        t += rng_unit(r);
    return t;
}

static void fill(struct population *p, double correlated, struct rng *r)
{
    *p = (struct population){.strata = 3, .units = {300, 120, 5}};
    for (uint32_t h = 0; h < p->strata; h++)
        for (uint32_t i = 0; i < p->units[h]; i++) {
            p->x[h][i] = 100 * (h + 1) + 10 * noise(r);
            p->y[h][i] = 50 + correlated * p->x[h][i] + 8 * noise(r);
        }
}

/* All samples of 3 of 6 and 2 of 4: the estimator is unbiased, and so is its variance estimate. */
static void exact_over_all_samples(void **state)
{
    (void)state;
    struct population p = {.strata = 2, .units = {6, 4}};
    const double y0[] = {3, 8, 1, 9, 4, 4}, y1[] = {20, 31, 26, 22};
    memcpy(p.y[0], y0, sizeof(y0));
    memcpy(p.y[1], y1, sizeof(y1));
    double mean = 0, square = 0, variance = 0;
    uint32_t count = 0;
    for (unsigned a = 0; a < 1u << 6; a++) {
        for (unsigned b = 0; b < 1u << 4; b++) {
            if (__builtin_popcount(a) != 3 || __builtin_popcount(b) != 2) continue;
            struct sample s = {0};
            for (uint32_t i = 0; i < 6; i++)
                if (a >> i & 1) observe(&p, &s, 0, i);
            for (uint32_t i = 0; i < 4; i++)
                if (b >> i & 1) observe(&p, &s, 1, i);
            struct stratified v = view(&p, &s, false);
            assert_false(stratified_weights(&v, s.w));
            double t = weighted(&s);
            mean += t;
            square += t * t;
            variance += stratified_spread(&v, s.y, false).variance;
            count++;
        }
    }
    mean /= count;
    assert_int_equal(count, 20 * 6);
    assert_near(mean, total(&p), 1e-9);
    assert_near(variance / count, square / count - mean * mean, 1e-6);
}

/* Of 2,000 samples the interval holds the truth in about 95 %. */
static void coverage(bool with_x, double correlated)
{
    struct rng r;
    rng_seed(&r, 7, with_x);
    static struct population p;
    fill(&p, correlated, &r);
    const uint32_t n[] = {14, 8, 5};
    double truth = total(&p);
    uint32_t inside = 0;
    for (uint32_t k = 0; k < 2000; k++) {
        struct sample s = {0};
        draw(&p, n, &r, &s);
        struct stratified v = view(&p, &s, with_x);
        assert_int_equal(stratified_weights(&v, s.w), with_x);
        struct spread spread = stratified_spread(&v, s.y, with_x);
        inside += fabs(weighted(&s) - truth) <= spread_half_width(&spread, 0.95);
    }
    assert_in_range(inside, 1840, 1960);
}

static void coverage_plain(void **state)
{
    (void)state;
    coverage(false, 0.3);
}

static void coverage_regression(void **state)
{
    (void)state;
    coverage(true, 3);
}

/* A control variate with r = 0.97 must shrink the interval about as sqrt(1 - r^2) = 0.26 says. */
static void control_variate_pays(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 3, 0);
    static struct population p;
    fill(&p, 3, &r);
    const uint32_t n[] = {40, 20, 5};
    double plain = 0, with = 0;
    for (uint32_t k = 0; k < 50; k++) {
        struct sample s = {0};
        draw(&p, n, &r, &s);
        struct stratified v = view(&p, &s, true);
        plain += sqrt(stratified_spread(&v, s.y, false).variance);
        with += sqrt(stratified_spread(&v, s.y, true).variance);
    }
    assert_true(with / plain > 0.2 && with / plain < 0.32);
}

/* y = x exactly: regression must give the known total whatever was drawn, with no spread. */
static void known_total_is_exact(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 5, 0);
    static struct population p;
    fill(&p, 1, &r);
    for (uint32_t h = 0; h < p.strata; h++)
        memcpy(p.y[h], p.x[h], sizeof(p.x[h]));
    struct sample s = {0};
    draw(&p, (const uint32_t[]){5, 4, 5}, &r, &s);
    struct stratified v = view(&p, &s, true);
    stratified_weights(&v, s.w);
    assert_near(weighted(&s) / total(&p), 1, 1e-12);
    struct spread spread = stratified_spread(&v, s.y, true);
    assert_true(sqrt(spread.variance) < 1e-9 * total(&p));
}

/* Raked weights stay above 0, give each stratum its units and x its total, and agree with the
 * regression's where the gap is small; a total beyond the largest x is refused. */
static void raking_gives_the_totals(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 6, 0);
    static struct population p;
    fill(&p, 1, &r);
    struct sample s = {0};
    draw(&p, (const uint32_t[]){5, 4, 5}, &r, &s);
    struct stratified v = view(&p, &s, true);
    double plain[UNITS_MAX] = {0}, x = 0, units[4] = {0};
    v.x = NULL;
    stratified_weights(&v, plain);
    v.x = s.x;
    for (uint32_t i = 0; i < s.n; i++)
        x += plain[i] * s.x[i];
    static const double gap[] = {0.0001, 0.004, -0.004};
    for (uint32_t k = 0; k < 3; k++) {
        double t = 0, linear[UNITS_MAX];
        for (uint32_t h = 0; h < p.strata; h++)
            s.size[h].x_total = h ? 0 : x * (1 + gap[k]), units[h] = 0;
        stratified_weights(&v, linear);
        if (!stratified_rake(&v, s.w)) fail_msg("no raked weights for a gap of %g", gap[k]);
        for (uint32_t i = 0; i < s.n; i++) {
            assert_true(s.w[i] > 0);
            units[s.of[i]] += s.w[i];
            t += s.w[i] * s.x[i];
            if (k == 0) assert_near(s.w[i] / linear[i], 1, 1e-4);
        }
        assert_near(t / (x * (1 + gap[k])), 1, 1e-9);
        for (uint32_t h = 0; h < p.strata; h++)
            assert_near(units[h] / p.units[h], 1, 1e-12);
    }
    s.size[0].x_total = 100 * x;
    assert_false(stratified_rake(&v, s.w));
}

static void full_strata_are_certain(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 5, 0);
    static struct population p;
    fill(&p, 1, &r);
    p.units[0] = 4;
    p.units[1] = 7;
    struct sample s = {0};
    draw(&p, p.units, &r, &s);
    struct stratified v = view(&p, &s, false);
    stratified_weights(&v, s.w);
    struct spread spread = stratified_spread(&v, s.y, false);
    assert_near(weighted(&s) / total(&p), 1, 1e-12);
    assert_true(spread_half_width(&spread, 0.95) == 0);
}

/* One stratum: n - 1.  Two of equal share: the sum.  One that dominates: its own. */
static void satterthwaite(void **state)
{
    (void)state;
    const struct stratum_size size[] = {{.units = 1000}, {.units = 1000}};
    const uint32_t of[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
    struct stratified s = {.stratum = size, .strata = 1, .of = of, .n = 5};
    const double equal[] = {1, 2, 3, 4, 5, 1, 2, 3, 4, 5};
    assert_near(stratified_spread(&s, equal, false).df, 4, 1e-9);
    s.strata = 2;
    s.n = 10;
    assert_near(stratified_spread(&s, equal, false).df, 8, 1e-9);
    const double one[] = {1, 2, 3, 4, 5, 1, 1, 1, 1, 1};
    assert_near(stratified_spread(&s, one, false).df, 4, 1e-9);
    /* The t table: 97.5 % point with 4 degrees of freedom. */
    struct spread v = {.variance = 1, .df = 4};
    assert_near(spread_half_width(&v, 0.95), 2.7764, 1e-4);
    /* what is known at 95 %: 1.95996 standard deviations */
    assert_true(stratified_half_width_at(0.03, 0.95) == 0.03);
    assert_near(stratified_half_width_at(1.959964, 0.682689), 1, 1e-5);
    assert_near(stratified_half_width_at(1.959964, 0.99), 2.575829, 1e-5);
}

/* Cochran 1977, chapter 5, the 64 cities: N = 16, 48; S^2 = 53,843, 5,581; n = 24.  Optimum 12 and
 * 12 with variance 1,090,827; proportional 6 and 18 with 1,882,293. */
static void cities_of_cochran(void **state)
{
    (void)state;
    const uint32_t units[] = {16, 48};
    const double sd[] = {sqrt(53843), sqrt(5581)}, cost[] = {1, 1};
    const struct allocation a = {.units = units, .sd = sd, .cost = cost, .strata = 2};
    uint32_t n[] = {0, 0}, h;
    for (int i = 0; i < 24; i++)
        assert_true(allocation_next(&a, n, &h));
    assert_int_equal(n[0], 12);
    assert_int_equal(n[1], 12);
    assert_near(allocation_variance(&a, n), 1090827, 10);
    assert_near(allocation_variance(&a, (const uint32_t[]){6, 18}), 1882293, 10);
}

/* Against every allocation of 15 to three strata, one of which is small and gets full. */
static void allocation_is_optimal(void **state)
{
    (void)state;
    const uint32_t units[] = {3, 40, 25};
    const double sd[] = {30, 2, 5}, cost[] = {1, 1, 1};
    const struct allocation a = {.units = units, .sd = sd, .cost = cost, .strata = 3};
    uint32_t n[] = {1, 1, 1}, h;
    for (int i = 3; i < 15; i++)
        allocation_next(&a, n, &h);
    double best = INFINITY;
    for (uint32_t i = 1; i <= 3; i++)
        for (uint32_t j = 1; i + j < 15; j++) {
            const uint32_t other[] = {i, j, 15 - i - j};
            best = fmin(best, allocation_variance(&a, other));
        }
    assert_int_equal(n[0], 3);
    assert_near(allocation_variance(&a, n), best, 1e-9 * best);
    while (allocation_next(&a, n, &h))
        assert_true(n[h] <= units[h]);
    assert_int_equal(n[0] + n[1] + n[2], 68);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_over_all_samples),  cmocka_unit_test(coverage_plain),
        cmocka_unit_test(coverage_regression),     cmocka_unit_test(control_variate_pays),
        cmocka_unit_test(known_total_is_exact),    cmocka_unit_test(full_strata_are_certain),
        cmocka_unit_test(raking_gives_the_totals), cmocka_unit_test(satterthwaite),
        cmocka_unit_test(cities_of_cochran),       cmocka_unit_test(allocation_is_optimal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
