/* Are runs shared out as the best sharing out, and machines put in the order of greedy medians? */
#include "calibration/active_choice.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

#include <math.h>

/* --- machines --- */

static double sum_of_nearest(const double *x, uint32_t n, uint32_t width, const uint32_t *order,
                             uint32_t taken)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        double least = INFINITY;
        for (uint32_t j = 0; j < taken; j++) {
            double square = 0;
            for (uint32_t k = 0; k < width; k++)
                square += pow(x[i * width + k] - x[order[j] * width + k], 2);
            least = fmin(least, sqrt(square));
        }
        sum += least;
    }
    return sum;
}

/* On a line the first is the median, wherever the far ones lie. */
static void the_first_is_the_median(void **state)
{
    (void)state;
    const double x[] = {7, 0, 1, 100, 2};
    uint32_t order[5];
    struct error e = {0};
    assert_true(active_choice_order(x, 5, 1, UINT32_MAX, 5, order, &e));
    assert_int_equal(order[0], 4); /* 0 1 [2] 7 100 */
    assert_int_equal(order[1], 3);
    assert_true(active_choice_order(x, 5, 1, 0, 2, order, &e));
    assert_int_equal(order[0], 0);
    assert_int_equal(order[1], 3);
}

/* Alike in cycles, one held up elsewhere: a tenth of the share apart. */
static void places_by_hand(void **state)
{
    (void)state;
    struct residual_point a = {.estimate = 7}, b = a;
    double x[2][ACTIVE_CHOICE_COLUMNS], square = 0;
    b.feature[RESIDUAL_FEATURES - 1] = 0.6;
    active_choice_features(&a, x[0]);
    active_choice_features(&b, x[1]);
    for (uint32_t k = 0; k < ACTIVE_CHOICE_COLUMNS; k++)
        square += pow(x[0][k] - x[1][k], 2);
    assert_near(sqrt(square), 0.06, 1e-12);
    b = (struct residual_point){.estimate = 7.5};
    active_choice_features(&b, x[1]);
    assert_near(fabs(x[1][ACTIVE_CHOICE_COLUMNS - 1] - x[0][ACTIVE_CHOICE_COLUMNS - 1]), 0.5,
                1e-12);
}

/* Each against every other that might have stood there, the sums made anew. */
static void each_step_is_the_best(void **state)
{
    (void)state;
    enum { N = 23, WIDTH = 3 };
    double x[N * WIDTH];
    uint32_t order[N], other[N];
    struct error e = {0};
    struct rng r;
    rng_seed(&r, 5, 0);
    for (uint32_t i = 0; i < N * WIDTH; i++)
        x[i] = rng_unit(&r);
    assert_true(active_choice_order(x, N, WIDTH, UINT32_MAX, N, order, &e));
    for (uint32_t i = 0; i < N; i++) {
        double sum = sum_of_nearest(x, N, WIDTH, order, i + 1);
        for (uint32_t j = 0; j < i; j++) {
            assert_true(order[j] != order[i]);
            other[j] = order[j];
        }
        for (other[i] = 0; other[i] < N; other[i]++)
            assert_true(sum <= sum_of_nearest(x, N, WIDTH, other, i + 1) + 1e-9);
    }
}

/* --- programs --- */

static double left_of(const struct active_program *p, uint32_t a, uint32_t b, uint32_t c)
{
    return pow(p[0].spread, 2) / a + pow(p[1].spread, 2) / b + pow(p[2].spread, 2) / c;
}

/* Of all ways to share out 30 runs none leaves less. */
static void shares_leave_least(void **state)
{
    (void)state;
    enum { RUNS = 30 };
    struct active_program p[3] = {{.runs = 1, .room = RUNS, .spread = 0.30},
                                  {.runs = 1, .room = RUNS, .spread = 0.02},
                                  {.runs = 1, .room = RUNS, .spread = 0.08}};
    for (uint32_t n = 3; n < RUNS; n++)
        p[active_program_next(p, 3)].runs++;
    assert_int_equal(p[0].runs + p[1].runs + p[2].runs, RUNS);
    double mine = left_of(p, p[0].runs, p[1].runs, p[2].runs);
    for (uint32_t a = 1; a < RUNS; a++)
        for (uint32_t b = 1; a + b < RUNS; b++)
            assert_true(mine <= left_of(p, a, b, RUNS - a - b) + 1e-12);
    assert_true(p[0].runs > p[2].runs && p[2].runs > p[1].runs && p[1].runs > 1);
}

static void room_ends(void **state)
{
    (void)state;
    struct active_program p[2] = {{.runs = 2, .room = 3, .spread = 1},
                                  {.runs = 2, .room = 3, .spread = 0.001}};
    assert_int_equal(active_program_next(p, 2), 0);
    p[0].runs++;
    assert_int_equal(active_program_next(p, 2), 1);
    p[1].runs++;
    assert_int_equal(active_program_next(p, 2), UINT32_MAX);
    struct active_program none[2] = {{.runs = 2, .room = 9}, {.runs = 1, .room = 9}};
    assert_int_equal(active_program_next(none, 2), 1);
}

/* 1, 2, 3: squares 2; 5, 5: none.  Together 2 of 3 degrees of freedom. */
static void spreads_by_hand(void **state)
{
    (void)state;
    struct active_program p[3] = {{.runs = 3}, {.runs = 2}, {.runs = 2}};
    for (int i = 1; i <= 3; i++)
        active_program_note(&p[0], i);
    active_program_note(&p[1], 5);
    active_program_note(&p[1], 5);
    active_program_find_spreads(p, 3);
    assert_near(p[0].spread, sqrt((2 + 2.0 / 3) / 3), 1e-12);
    assert_near(p[1].spread, sqrt((0 + 2.0 / 3) / 2), 1e-12);
    assert_true(p[2].spread == 0); /* its runs failed */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_is_the_median),
        cmocka_unit_test(places_by_hand),
        cmocka_unit_test(each_step_is_the_best),
        cmocka_unit_test(shares_leave_least),
        cmocka_unit_test(room_ends),
        cmocka_unit_test(spreads_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
