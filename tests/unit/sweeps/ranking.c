/* Which point is named the best by an objective, where points tie in it. */
#include "sweeps/ranking/summary.h"
#include "tests/support/check.h"

#include <math.h>

static void points_that_tie_are_ranked_by_the_next_objective(void **state)
{
    const struct plan plan = {.n_objectives = 2,
                              .objective = {{.goal = GOAL_MIN}, {.goal = GOAL_MAX}}};
    double value[] = {NAN, NAN, 7, 1, 5, 1, 5, 2, 8, 2};
    bool front[5];
    struct summary s = {.points = 5, .value = value, .front = front};
    (void)state;
    assert_true(summary_rank(&s, &plan));
    assert_int_equal(s.best[0], 3); /* 2 and 3 tie, and 3 has more of the second */
    assert_int_equal(s.best[1], 3); /* 3 and 4 tie, and 3 has less of the first */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_that_tie_are_ranked_by_the_next_objective),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
