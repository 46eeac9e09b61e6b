/* Is the best point named as soon as all its programs are in, and only then? */
#include "base/memory/alloc.h"
#include "sweeps/run/best_so_far.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct record *cycles(double v)
{
    static struct record r;
    r = (struct record){.failed = v < 0};
    r.has[0] = true; /* key 0 is "cycles" */
    r.value[0] = v;
    return &r;
}

static void the_best_is_a_whole_point(void **state)
{
    struct plan p = {.n_workloads = 2, .n_points = 3, .n_objectives = 2};
    struct best b;
    struct error e;
    char text[96];
    (void)state;
    p.objective[0] = (struct objective){.name = "l2.bank_kb", .parameter = true};
    p.objective[1] = (struct objective){.name = "cycles", .goal = GOAL_MIN};
    assert_true(best_init(&b, &p, &e));
    assert_false(best_add(&b, 2, cycles(10)));
    assert_false(best_add(&b, 1, cycles(400)));
    assert_true(best_add(&b, 2, cycles(1000))); /* the first whole point: sqrt(10 x 1000) */
    best_text(&b, text);
    assert_string_equal(text, "best cycles 100 at point 2");
    assert_false(best_add(&b, 1, cycles(100))); /* 200 is worse */
    assert_false(best_add(&b, 0, cycles(-1)));  /* failed */
    assert_false(best_add(&b, 0, cycles(9)));
    best_fini(&b);
}

static void without_a_metric_there_is_no_best(void **state)
{
    struct plan p = {.n_workloads = 1, .n_points = 1, .n_objectives = 1};
    struct best b;
    struct error e;
    (void)state;
    p.objective[0] = (struct objective){.name = "l1.kb", .parameter = true};
    assert_true(best_init(&b, &p, &e));
    assert_false(best_add(&b, 0, cycles(5)));
    best_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_is_a_whole_point),
        cmocka_unit_test(without_a_metric_there_is_no_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
