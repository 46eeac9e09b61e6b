/* range_fit.c - are the ranges learned from cases of a known law those of that law? */
#include "calibration/range_fit.h"
#include "base/memory/rng.h"
#include "calibration/constants.h"
#include "tests/support/check.h"

#include <math.h>

enum { CASES = 600, FRESH = 2000, PROGRAM_FAMILIES = 6, MACHINE_FAMILIES = 4 };
static struct range_point point[CASES];

static double draw_normal(struct rng *r)
{
    double u = 1 - rng_unit(r), v = rng_unit(r);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1.0) * v);
}

/* The law: the standard deviation of the cycles' errors grows with one feature. */
static const double LAW_BASE = -2.5, LAW_WEIGHT = 2;
static const enum range_feature LAW_FEATURE = RANGE_L2_MIXED;

static struct range_point draw_case(struct rng *r)
{
    uint32_t cycles = metrics_key_index("cycles");
    struct range_point p = {.program_family = (uint32_t)rng_below(r, PROGRAM_FAMILIES),
                            .machine_family = (uint32_t)rng_below(r, MACHINE_FAMILIES)};
    for (uint32_t k = 0; k < RANGE_FEATURES; k++)
        p.feature[k] = rng_unit(r);
    p.has[cycles] = true;
    p.error[cycles] = exp(LAW_BASE + LAW_WEIGHT * p.feature[LAW_FEATURE]) * draw_normal(r);
    return p;
}

static int setup(void **state)
{
    struct rng r;
    (void)state;
    rng_seed(&r, 31, 0);
    for (uint32_t i = 0; i < CASES; i++)
        point[i] = draw_case(&r);
    return 0;
}

static struct range_table fit_points(const struct range_point *pts)
{
    struct range_table m = {.lo = {0}};
    struct error e = {0};
    if (!range_fit(&m, pts, CASES, &e)) fail_msg("%s", e.text);
    return m;
}

/* A weight of 1 for a standardised feature is believed as if RANGE_RIDGE cases had spoken against
 * it, so that weights are smaller than in the law. */
static void weights_are_those_of_the_law(void **state)
{
    const struct range_table m = fit_points(point);
    const struct range_scale *s = &m.metric[metrics_key_index("cycles")];
    (void)state;
    assert_int_equal(s->cases, CASES);
    for (uint32_t k = 0; k < RANGE_FEATURES; k++)
        if (k == LAW_FEATURE)
            assert_true(s->weight[k] > 0.6 * LAW_WEIGHT && s->weight[k] < 1.05 * LAW_WEIGHT);
        else
            assert_near(s->weight[k], 0, 0.12 * LAW_WEIGHT);
}

static void the_sign_is_learned(void **state)
{
    static struct range_point mirrored[CASES];
    (void)state;
    memcpy(mirrored, point, sizeof point);
    for (uint32_t i = 0; i < CASES; i++)
        mirrored[i].feature[LAW_FEATURE] = 1 - point[i].feature[LAW_FEATURE];
    uint32_t cycles = metrics_key_index("cycles");
    double was = fit_points(point).metric[cycles].weight[LAW_FEATURE],
           is = fit_points(mirrored).metric[cycles].weight[LAW_FEATURE];
    assert_near(is, -was, 0.05);
}

static double share_within(const struct range_table *m, double level, double from, double to)
{
    uint32_t cycles = metrics_key_index("cycles"), held = 0, n = 0;
    struct rng r;
    rng_seed(&r, 32, 0);
    while (n < FRESH) {
        struct range_point p = draw_case(&r);
        double x = p.feature[LAW_FEATURE];
        if (x < from || x > to) continue;
        n++;
        held += fabs(p.error[cycles]) <= range_quantile(m->metric[cycles].quantile, level) *
                                             range_scale_at(m, cycles, p.feature);
    }
    return (double)held / FRESH;
}

static void fresh_cases_lie_within(void **state)
{
    const struct range_table m = fit_points(point);
    (void)state;
    double most = share_within(&m, 0.95, 0, 1), half = share_within(&m, 0.5, 0, 1);
    assert_true(most >= 0.93 && most <= 0.985);
    assert_true(half >= 0.44 && half <= 0.58);
    /* Where errors are small, and where they are large: one range for all would hold some 100 %
     * and 75 %. */
    double low = share_within(&m, 0.95, 0, 0.2), high = share_within(&m, 0.95, 0.8, 1);
    assert_true(low >= 0.92 && low <= 0.995);
    assert_true(high >= 0.88 && high <= 0.98);
}

static void what_was_learned_is_noted(void **state)
{
    const struct range_table m = fit_points(point);
    (void)state;
    for (uint32_t k = 0; k < RANGE_FEATURES; k++) {
        double lo = 1, hi = 0;
        for (uint32_t i = 0; i < CASES; i++) {
            lo = fmin(lo, point[i].feature[k]);
            hi = fmax(hi, point[i].feature[k]);
        }
        assert_true(m.lo[k] == lo && m.hi[k] == hi);
    }
}

/* Nothing is known of a family of programs on a family of machines while its cases are judged:
 * those of one pair err a hundred times more, and their scaled errors say so until another family
 * has seen the like. */
static void families_are_judged_by_others(void **state)
{
    static struct range_point apart[CASES];
    uint32_t cycles = metrics_key_index("cycles");
    (void)state;
    memcpy(apart, point, sizeof point);
    for (uint32_t i = 0; i < CASES; i++) { /* a twelfth, told by a feature alone */
        bool far = i % 12 == 0;
        apart[i].program_family = far ? 99 : i % 5;
        apart[i].machine_family = far ? 99 : i % 4;
        apart[i].feature[RANGE_L1_KNEE] = far;
        if (far) apart[i].error[cycles] *= 100;
    }
    const struct range_table judged = fit_points(apart);
    for (uint32_t i = 0; i < CASES; i++)
        if (apart[i].program_family == 99) apart[i].program_family = apart[i].machine_family = 0;
    for (uint32_t i = 0; i < CASES; i += 24) { /* now another family has seen the like */
        apart[i].program_family = 1;
        apart[i].machine_family = 1;
    }
    const struct range_table seen = fit_points(apart);
    double alone = judged.metric[cycles].quantile[4], together = seen.metric[cycles].quantile[4];
    assert_true(alone > 5 * together);
}

/* Rounding has the same range everywhere, though one case in fifty is off. */
static void errors_of_nothing_are_nothing(void **state)
{
    static struct range_point exact[CASES];
    uint32_t reads = metrics_key_index("dram.reads");
    (void)state;
    memcpy(exact, point, sizeof point);
    for (uint32_t i = 0; i < CASES; i++) {
        exact[i].has[reads] = true;
        if (i % 50 == 0) exact[i].error[reads] = exact[i].feature[RANGE_BUSY] = 2;
    }
    const struct range_table m = fit_points(exact);
    const struct range_scale *s = &m.metric[reads];
    assert_int_equal(s->cases, CASES);
    assert_near(range_scale_at(&m, reads, point[7].feature), 1, 0);
    assert_near(range_scale_at(&m, reads, exact[0].feature), 1, 0);
    for (uint32_t i = 0; i < RANGE_LEVELS - 1; i++)
        assert_near(s->quantile[i], 0, RANGE_NOTHING);
    assert_true(s->quantile[RANGE_LEVELS - 1] >= 2); /* as many are off as 99 % leave */
}

static void metrics_need_cases(void **state)
{
    static struct range_point few[CASES];
    uint32_t enough = metrics_key_index("dram.reads"), lacking = metrics_key_index("time_us"),
             absent = metrics_key_index("l2.hit_rate");
    (void)state;
    memcpy(few, point, sizeof point);
    for (uint32_t i = 0; i < CASES; i++) {
        few[i].has[enough] = i < RANGE_CASES;
        few[i].has[lacking] = i < RANGE_CASES - 1;
    }
    const struct range_table m = fit_points(few);
    assert_int_equal(m.metric[enough].cases, RANGE_CASES);
    assert_int_equal(m.metric[lacking].cases, 0);
    assert_int_equal(m.metric[absent].cases, 0);
}

static void too_few_cases_are_refused(void **state)
{
    struct range_table m = {.lo = {0}};
    struct error e = {0};
    (void)state;
    assert_false(range_fit(&m, point, RANGE_CASES - 1, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_contains(e.text, "49 cases are too few for ranges; at least 50");
    assert_true(range_fit(&m, point, RANGE_CASES, &e));
}

/* A metric's own features stand in for those of the case. */
static void metrics_may_have_their_own_features(void **state)
{
    static struct range_point owning[CASES];
    static double own[CASES][METRICS_KEYS_MAX][2];
    const uint32_t cycles = metrics_key_index("cycles");
    (void)state;
    memcpy(owning, point, sizeof point);
    for (uint32_t i = 0; i < CASES; i++) { /* the law's feature moves to the metric's own */
        own[i][cycles][0] = point[i].feature[LAW_FEATURE];
        own[i][cycles][1] = point[i].feature[RANGE_CORRECTION];
        owning[i].own = (const double(*)[2])own[i];
        owning[i].feature[LAW_FEATURE] = point[i].feature[RANGE_DOUBT];
    }
    const struct range_table was = fit_points(point), is = fit_points(owning);
    assert_near(is.metric[cycles].weight[RANGE_DOUBT], was.metric[cycles].weight[LAW_FEATURE],
                0.02);
    assert_near(is.metric[cycles].weight[LAW_FEATURE], was.metric[cycles].weight[RANGE_DOUBT],
                0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_those_of_the_law),
        cmocka_unit_test(the_sign_is_learned),
        cmocka_unit_test(fresh_cases_lie_within),
        cmocka_unit_test(what_was_learned_is_noted),
        cmocka_unit_test(families_are_judged_by_others),
        cmocka_unit_test(errors_of_nothing_are_nothing),
        cmocka_unit_test(metrics_need_cases),
        cmocka_unit_test(too_few_cases_are_refused),
        cmocka_unit_test(metrics_may_have_their_own_features),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
