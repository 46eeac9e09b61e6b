/* Is the Pareto front what the definition says? - against every pair, and by hand. */
#include "sweeps/ranking/pareto.h"
#include "base/memory/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { POINTS_TESTED = 300 };

static bool at_least_as_good(double a, double b, enum goal g)
{
    return g == GOAL_MIN ? a <= b : a >= b;
}

/* The definition, pair by pair. */
static bool beaten(const double *v, uint32_t n, const enum goal *goal, uint32_t k, uint32_t point)
{
    for (uint32_t o = 0; o < n; o++) {
        bool all = true, better = false, known = true;
        for (uint32_t i = 0; i < k; i++) {
            double a = v[o * k + i], b = v[point * k + i];
            known &= !isnan(a);
            all &= at_least_as_good(a, b, goal[i]);
            better |= at_least_as_good(a, b, goal[i]) && a != b;
        }
        if (known && all && better) return true;
    }
    return false;
}

static bool known(const double *v, uint32_t k, uint32_t point)
{
    for (uint32_t i = 0; i < k; i++)
        if (isnan(v[point * k + i])) return false;
    return true;
}

/* Coarse values, so that ties and equal points occur; some are missing. */
static void compare_with_pairs(uint64_t seed, uint32_t k, uint32_t levels)
{
    static double v[POINTS_TESTED * 4];
    static bool front[POINTS_TESTED];
    const enum goal goal[4] = {GOAL_MIN, GOAL_MAX, GOAL_MIN, GOAL_MAX};
    struct rng r;
    rng_seed(&r, seed, 0);
    for (uint32_t i = 0; i < POINTS_TESTED * k; i++)
        v[i] = rng_below(&r, 40) == 0 ? NAN : (double)rng_below(&r, levels) - 3;
    assert_true(pareto_front(v, POINTS_TESTED, goal, k, front));
    for (uint32_t i = 0; i < POINTS_TESTED; i++)
        assert_int_equal(front[i], known(v, k, i) && !beaten(v, POINTS_TESTED, goal, k, i));
}

static void front_is_what_no_pair_beats(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        for (uint32_t k = 1; k <= 4; k++) {
            compare_with_pairs(seed, k, 4);
            compare_with_pairs(seed, k, 1000);
        }
    }
}

static void equal_points_are_both_kept(void **state)
{
    const double v[] = {1, 2, 1, 2, 2, 1, 3, 3};
    const enum goal goal[] = {GOAL_MIN, GOAL_MIN};
    bool front[4];
    (void)state;
    assert_true(pareto_front(v, 4, goal, 2, front));
    assert_true(front[0] && front[1] && front[2]);
    assert_false(front[3]);
}

static void goals_turn_the_order(void **state)
{
    const double v[] = {1, 2, 3};
    const enum goal least = GOAL_MIN, most = GOAL_MAX;
    bool front[3];
    (void)state;
    assert_true(pareto_front(v, 3, &least, 1, front));
    assert_true(front[0] && !front[1] && !front[2]);
    assert_true(pareto_front(v, 3, &most, 1, front));
    assert_true(!front[0] && !front[1] && front[2]);
}

static void nothing_has_an_empty_front(void **state)
{
    const double v[] = {NAN, NAN};
    const enum goal goal = GOAL_MIN;
    bool front[2] = {true, true};
    (void)state;
    assert_true(pareto_front(v, 0, &goal, 1, front));
    assert_true(pareto_front(v, 2, &goal, 1, front));
    assert_false(front[0] || front[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(front_is_what_no_pair_beats),
        cmocka_unit_test(equal_points_are_both_kept),
        cmocka_unit_test(goals_turn_the_order),
        cmocka_unit_test(nothing_has_an_empty_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
