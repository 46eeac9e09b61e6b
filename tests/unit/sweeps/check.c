/* Are the errors and Kendall's tau of a check honest, and its draw fair? */
#include "calibration/rank_correlation.h"
#include "sweeps/analyse/accuracy_check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double tau(const double *truth, const double *guess, uint32_t n)
{
    struct rank_correlation r = {0};
    rank_add(&r, truth, guess, n);
    return rank_tau(&r);
}

static void tau_of_known_orders(void **state)
{
    const double truth[] = {1, 2, 3, 4}, same[] = {10, 20, 30, 40}, turned[] = {4, 3, 2, 1};
    const double one_swap[] = {2, 1, 3, 4}, flat[] = {5, 5, 5, 5};
    (void)state;
    assert_float_equal(tau(truth, same, 4), 1, 1e-12);
    assert_float_equal(tau(truth, turned, 4), -1, 1e-12);
    assert_float_equal(tau(truth, one_swap, 4), 4.0 / 6, 1e-12); /* 5 right, 1 wrong of 6 */
    assert_float_equal(tau(truth, flat, 4), 0, 1e-12);
}

static void near_pairs_are_not_asked_about(void **state)
{
    const double truth[] = {100, 101, 200}, guess[] = {2, 1, 3};
    struct rank_correlation r = {0};
    (void)state;
    rank_add(&r, truth, guess, 3);
    assert_int_equal(r.concordant, 2);
    assert_int_equal(r.discordant, 0);
    assert_true(isnan(tau(truth, guess, 2)));
}

static void summary_of_known_errors(void **state)
{
    double e[] = {0.4, 0.1, 0.2, 0.3, 0.5}, none = 0;
    struct error_summary s = error_summarise(e, 5);
    (void)state;
    assert_float_equal(s.mean, 0.3, 1e-12);
    assert_float_equal(s.median, 0.3, 1e-12);
    assert_float_equal(s.p90, 0.46, 1e-12); /* 3.6 of the way along 0..4 */
    assert_float_equal(s.worst, 0.5, 1e-12);
    assert_true(isnan(error_summarise(&none, 0).mean));
}

static void check_counts_failures_and_keeps_programs_apart(void **state)
{
    /* Program 1 takes ten times as long: across programs the order would look perfect. */
    struct accuracy_check_row row[] = {
        {0, 0, 110, 100, NAN, NAN},   {1, 0, 100, 120, NAN, NAN},   {2, 0, NAN, 130, NAN, NAN},
        {0, 1, 1000, 1000, NAN, NAN}, {1, 1, 1200, 1100, NAN, NAN},
    };
    struct accuracy_check c = {.row = row, .n = 5, .n_points = 3, .failed = 1};
    struct rank_correlation r = accuracy_check_rank(&c, UINT32_MAX);
    (void)state;
    assert_int_equal(r.concordant, 1);
    assert_int_equal(r.discordant, 1);
    struct error_summary first = accuracy_check_errors(&c, 0);
    assert_float_equal(first.worst, 20.0 / 120, 1e-12);
    assert_float_equal(first.mean, (0.1 + 20.0 / 120) / 2, 1e-12);
    r = accuracy_check_rank(&c, 1);
    assert_int_equal(r.concordant + r.discordant, 1);
}

static void coverage_counts_what_states_a_range(void **state)
{
    struct accuracy_check_row row[] = {
        {0, 0, 100, 121, 82.2, 121.65}, {1, 0, 100, 122, 82.2, 121.65},
        {2, 0, 100, 83, 82.2, 121.65},  {3, 0, 100, 82, 82.2, 121.65},
        {4, 0, 100, 100, NAN, NAN},     {5, 0, 100, NAN, 82.2, 121.65},
    };
    struct accuracy_check c = {.row = row, .n = 6, .n_points = 6, .failed = 1};
    (void)state;
    assert_float_equal(accuracy_check_coverage(&c), 2.0 / 4, 0);
    c.row = &row[4];
    c.n = 2;
    assert_true(isnan(accuracy_check_coverage(&c)));
}

enum { GRID = 50, DRAWN = 20, DRAWS = 4000 };

static void draws_are_sets_and_repeat_by_seed(void **state)
{
    uint32_t a[DRAWN], b[DRAWN], all[GRID];
    (void)state;
    accuracy_check_draw(GRID, DRAWN, 7, a);
    accuracy_check_draw(GRID, DRAWN, 7, b);
    assert_memory_equal(a, b, sizeof a);
    for (uint32_t i = 0; i < DRAWN; i++)
        assert_true(a[i] < GRID && (i == 0 || a[i] > a[i - 1]));
    accuracy_check_draw(GRID, DRAWN, 8, b);
    assert_memory_not_equal(a, b, sizeof a);
    accuracy_check_draw(GRID, GRID, 1, all);
    for (uint32_t i = 0; i < GRID; i++)
        assert_int_equal(all[i], i);
}

/* Each point is drawn with probability 20/50; 4000 draws: mean 1600, standard deviation 31. */
static void every_point_is_as_likely(void **state)
{
    uint32_t hits[GRID] = {0}, out[DRAWN];
    (void)state;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        accuracy_check_draw(GRID, DRAWN, seed, out);
        for (uint32_t i = 0; i < DRAWN; i++)
            hits[out[i]]++;
    }
    for (uint32_t i = 0; i < GRID; i++)
        assert_in_range(hits[i], 1600 - 5 * 31, 1600 + 5 * 31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tau_of_known_orders),
        cmocka_unit_test(near_pairs_are_not_asked_about),
        cmocka_unit_test(summary_of_known_errors),
        cmocka_unit_test(check_counts_failures_and_keeps_programs_apart),
        cmocka_unit_test(coverage_counts_what_states_a_range),
        cmocka_unit_test(draws_are_sets_and_repeat_by_seed),
        cmocka_unit_test(every_point_is_as_likely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
