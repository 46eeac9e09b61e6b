/* ratio.c - is the range of a ratio of two estimates the narrower of what is known of it? */
#include "calibration/calibrate.h"
#include "engine/engine.h"
#include "tests/support/check.h"

#include <math.h>

static const double ONE_SIDE = 0.3, OTHER_SIDE = 0.4; /* logarithms */

/* An estimate whose cycles may be off by a factor exp(range). */
static void set_answer(struct answer *a, double time, double range)
{
    *a = (struct answer){.engine = ENGINE_ESTIMATE,
                         .has_confidence = true,
                         .level = 0.95,
                         .half_width = sinh(range)};
    a->m.v[M_time_us] = time;
    a->m.has[M_time_us] = true;
    a->machine_digest = (struct digest){.lo = (uint64_t)time};
}

static struct answer first, second;

static int setup(void **state)
{
    (void)state;
    set_answer(&first, 1000, ONE_SIDE);
    set_answer(&second, 1500, OTHER_SIDE);
    return 0;
}

/* Ratios are off by so many times their change, at 95 %. */
static struct calibration with_ratios(struct range_model *r, double still, double change)
{
    *r = (struct range_model){
        .ratio_still = still, .ratio_change = change, .ratio_quantile = {0.5, 0.8, 1, 1.5, 2, 3}};
    return calibration_bare(r);
}

static void check_ratio(double range)
{
    assert_true(second.ratio.known);
    assert_near(second.ratio.value, 1.5, 1e-12);
    assert_near(second.ratio.low, 1.5 * exp(-range), 1e-9);
    assert_near(second.ratio.high, 1.5 * exp(range), 1e-9);
}

static void unlike_machines_err_apart(void **state)
{
    struct range_model r;
    const struct calibration sharp = with_ratios(&r, 0.01, 0.1);
    (void)state;
    engine_ratio(&sharp, &first, false, &second);
    check_ratio(0.5); /* of 0.3 and 0.4 */
}

static void like_machines_err_alike(void **state)
{
    struct range_model r;
    const struct calibration sharp = with_ratios(&r, 0.01, 0.1);
    (void)state;
    engine_ratio(&sharp, &first, true, &second);
    check_ratio(2 * (0.01 + 0.1 * log(1.5)));
    second.level = 0.5;
    engine_ratio(&sharp, &first, true, &second);
    check_ratio(0.5 * (0.01 + 0.1 * log(1.5)));
}

/* ... and never more than machines that have nothing in common. */
static void a_ratio_is_no_worse_than_its_sides(void **state)
{
    struct range_model r;
    const struct calibration blunt = with_ratios(&r, 0.2, 3), none = calibration_bare(NULL);
    (void)state;
    engine_ratio(&blunt, &first, true, &second);
    check_ratio(0.5);
    engine_ratio(&none, &first, true, &second);
    check_ratio(0.5);
}

static void equal_machines_take_as_long(void **state)
{
    struct range_model r;
    const struct calibration sharp = with_ratios(&r, 0.01, 0.1);
    struct answer again = first;
    (void)state;
    engine_ratio(&sharp, &first, true, &again);
    assert_true(again.ratio.known && again.ratio.low == 1 && again.ratio.high == 1);
}

static void both_sides_need_a_range(void **state)
{
    struct range_model r;
    const struct calibration sharp = with_ratios(&r, 0.01, 0.1);
    (void)state;
    second.ratio.known = true;
    first.has_confidence = false;
    engine_ratio(&sharp, &first, true, &second);
    assert_false(second.ratio.known);
    setup(NULL);
    second.has_confidence = false;
    engine_ratio(&sharp, &first, true, &second);
    assert_false(second.ratio.known);
}

static void both_sides_are_estimates(void **state)
{
    struct range_model r;
    const struct calibration sharp = with_ratios(&r, 0.01, 0.1);
    (void)state;
    first.engine = ENGINE_SAMPLE;
    engine_ratio(&sharp, &first, true, &second);
    assert_false(second.ratio.known);
    setup(NULL);
    second.engine = ENGINE_SIMULATE;
    engine_ratio(&sharp, &first, true, &second);
    assert_false(second.ratio.known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(unlike_machines_err_apart, setup),
        cmocka_unit_test_setup(like_machines_err_alike, setup),
        cmocka_unit_test_setup(a_ratio_is_no_worse_than_its_sides, setup),
        cmocka_unit_test_setup(equal_machines_take_as_long, setup),
        cmocka_unit_test_setup(both_sides_need_a_range, setup),
        cmocka_unit_test_setup(both_sides_are_estimates, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
