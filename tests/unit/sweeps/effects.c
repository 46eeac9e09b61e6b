/* Do the shares of the variance come out where a formula knows them? */
#include "base/memory/rng.h"
#include "sweeps/analyse/main_effects.h"
#include "tests/support/check.h"

#include <math.h>
#include <string.h>

enum { AXES = 3, MOST = 1000 };

static struct results r;
static struct result_axis axis[AXES];
static struct result_machine machine[MOST];
static uint32_t level[MOST][AXES];
static double value[MOST];

static void start(uint32_t axes, uint32_t points)
{
    r = (struct results){.axis = axis, .machine = machine, .n_axes = axes, .n_machines = points};
    for (uint32_t m = 0; m < points; m++)
        machine[m].level = level[m];
}

/* A full grid of `levels` values on each axis. */
static void grid(uint32_t axes, uint32_t levels)
{
    uint32_t points = 1;
    for (uint32_t a = 0; a < axes; a++)
        points *= levels;
    start(axes, points);
    for (uint32_t m = 0; m < points; m++)
        for (uint32_t a = 0, rest = m; a < axes; a++, rest /= levels)
            level[m][a] = rest % levels;
}

static double share(const struct effects *x, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (x->effect[i].axis == a && x->effect[i].other == b) return x->effect[i].share;
    return NAN;
}

/* log value = -0.3 i - 0.1 j: variances as 9 to 1, nothing between the axes. */
static void main_effects_of_a_grid_are_exact(void **state)
{
    (void)state;
    struct effects x;
    grid(3, 10);
    for (uint32_t m = 0; m < 1000; m++)
        value[m] = 1e6 * exp(-0.3 * level[m][0] - 0.1 * level[m][1]);
    assert_true(effects_find(&x, &r, value));
    assert_true(x.even);
    assert_int_equal(x.n, 6);
    assert_int_equal(x.points, 1000);
    assert_near(share(&x, 0, RESULTS_NONE), 0.9, 1e-9);
    assert_near(share(&x, 1, RESULTS_NONE), 0.1, 1e-9);
    assert_near(share(&x, 2, RESULTS_NONE), 0, 1e-9);
    assert_near(share(&x, 0, 1), 0, 1e-9);
    assert_int_equal(x.effect[0].axis, 0);
    assert_near(x.effect[0].swing, exp(2.7), 1e-9);
    effects_fini(&x);
}

/* Alone neither axis says anything; together they say all. */
static void an_interaction_is_seen(void **state)
{
    (void)state;
    struct effects x;
    grid(2, 2);
    for (uint32_t m = 0; m < 4; m++)
        value[m] = level[m][0] == level[m][1] ? 2 : 1;
    assert_true(effects_find(&x, &r, value));
    assert_near(share(&x, 0, 1), 1, 1e-12);
    assert_near(share(&x, 0, RESULTS_NONE), 0, 1e-12);
    effects_fini(&x);
}

/* Points drawn at random, one axis of 500 values, some not known: the axis that does all is found,
 * and chance on the others is taken off. */
static void drawn_points_are_binned_and_chance_is_taken_off(void **state)
{
    (void)state;
    struct effects x;
    struct rng g;
    rng_seed(&g, 7, 0);
    start(3, 500);
    for (uint32_t m = 0; m < 500; m++) {
        level[m][0] = m;
        level[m][1] = rng_below(&g, 5) == 0 ? RESULTS_NONE : (uint32_t)rng_below(&g, 4);
        level[m][2] = (uint32_t)rng_below(&g, 3);
        value[m] = m % 50 == 0 ? NAN : exp(0.01 * m);
    }
    assert_true(effects_find(&x, &r, value));
    assert_false(x.even);
    assert_int_equal(x.points, 490);
    /* six equal parts of a straight line keep 1 - 1/36 of its variance */
    assert_near(share(&x, 0, RESULTS_NONE), 1 - 1 / 36.0, 2e-3);
    assert_true(share(&x, 1, RESULTS_NONE) < 0.03);
    assert_true(share(&x, 2, RESULTS_NONE) < 0.03);
    assert_true(share(&x, 1, 2) < 0.05);
    effects_fini(&x);
}

/* 18 values in six bins beside 3 values: each pair of a bin and a value once, and yet no grid. */
static void bins_make_no_grid(void **state)
{
    (void)state;
    struct effects x;
    start(2, 18);
    for (uint32_t m = 0; m < 18; m++) {
        level[m][0] = m;
        level[m][1] = m % 3;
        value[m] = exp(0.1 * m);
    }
    assert_true(effects_find(&x, &r, value));
    assert_false(x.even);
    effects_fini(&x);
}

static void what_does_not_vary_has_no_effects(void **state)
{
    (void)state;
    struct effects x;
    grid(2, 2);
    for (uint32_t m = 0; m < 4; m++)
        value[m] = 3;
    assert_true(effects_find(&x, &r, value));
    assert_int_equal(x.n, 0);
    effects_fini(&x);
    start(0, 0);
    assert_true(effects_find(&x, &r, value));
    assert_int_equal(x.n, 0);
    effects_fini(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(main_effects_of_a_grid_are_exact),
        cmocka_unit_test(an_interaction_is_seen),
        cmocka_unit_test(drawn_points_are_binned_and_chance_is_taken_off),
        cmocka_unit_test(bins_make_no_grid),
        cmocka_unit_test(what_does_not_vary_has_no_effects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
