/* ratio.c - is the range of a ratio of two estimates the narrower of what is known of it? */
#include "calibration/calibrate.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"
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
static struct machine rx540, slower;

static int setup(void **state)
{
    (void)state;
    set_answer(&first, 1000, ONE_SIDE);
    set_answer(&second, 1500, OTHER_SIDE);
    return 0;
}

static int setup_machines(void **state)
{
    const char *set = "l2.latency=300";
    struct errors all = {0};
    (void)state;
    return machine_load(&rx540, "rx540", NULL, 0, &all) &&
                   machine_load(&slower, "rx540", &set, 1, &all)
               ? 0
               : -1;
}

/* Ratios are off by exp(base), and more where runs leave more doubt, times 2 at 95 %. */
static struct calibration with_ratios(struct range_model *r, double base)
{
    *r = (struct range_model){.kernel = error_kernel_usual()};
    for (uint32_t k = 0; k < RANGE_FEATURES; k++) {
        r->ratio.lo[k] = -100;
        r->ratio.hi[k] = 100;
    }
    r->ratio.metric[metrics_key_index("cycles")] =
        (struct range_scale){base, {[RANGE_DOUBT] = 1}, {0.5, 0.8, 1, 1.5, 2, 3}, 500};
    return calibration_bare(r);
}

/* The standard deviation of the difference of two errors of one program, on the two machines, of
 * which nothing is known but the kernel. */
static double deviation(const struct error_kernel *k)
{
    struct place a = {.estimate = first.place.log_cycles},
                 b = {.estimate = second.place.log_cycles};
    double distance[PLACE_GROUPS];
    place_of_machine(&a, &rx540);
    place_of_machine(&b, &slower);
    place_distance(&a, &b, distance);
    return sqrt(2 * (error_kernel_variance(k) - error_kernel_covariance(k, distance)));
}

static void ask(const struct calibration *c)
{
    engine_ratio(c, &rx540, &first, &slower, &second);
}

static void check_ratio(double range)
{
    assert_true(second.ratio.known);
    assert_near(second.ratio.value, 1.5, 1e-12);
    assert_near(second.ratio.low, 1.5 * exp(-range), 1e-9);
    assert_near(second.ratio.high, 1.5 * exp(range), 1e-9);
}

static void like_machines_err_alike(void **state)
{
    struct range_model r;
    const struct calibration sharp = with_ratios(&r, log(0.5));
    const double once = 0.5 * deviation(&r.kernel);
    (void)state;
    assert_true(2 * once < 0.5);
    ask(&sharp);
    check_ratio(2 * once);
    second.level = 0.5;
    ask(&sharp);
    check_ratio(0.5 * once);
}

/* ... and never more than machines that have nothing in common. */
static void a_ratio_is_no_worse_than_its_sides(void **state)
{
    struct range_model r;
    const struct calibration blunt = with_ratios(&r, 10), none = calibration_bare(NULL);
    (void)state;
    ask(&blunt);
    check_ratio(0.5); /* of 0.3 and 0.4 */
    ask(&none);
    check_ratio(0.5);
}

static void equal_machines_take_as_long(void **state)
{
    struct range_model r;
    const struct calibration sharp = with_ratios(&r, log(0.5));
    struct answer again = first;
    (void)state;
    engine_ratio(&sharp, &rx540, &first, &rx540, &again);
    assert_true(again.ratio.known && again.ratio.low == 1 && again.ratio.high == 1);
}

/* A generator chooses other tiles for another card: that is another program. */
static void errors_of_two_programs_do_not_cancel(void **state)
{
    struct range_model r;
    const struct calibration sharp = with_ratios(&r, log(0.5));
    struct answer again = first;
    (void)state;
    second.program_digest = (struct digest){.lo = 1};
    ask(&sharp);
    check_ratio(0.5); /* of 0.3 and 0.4 */
    again.program_digest = second.program_digest;
    engine_ratio(&sharp, &rx540, &first, &rx540, &again);
    assert_near(again.ratio.high, exp(hypot(ONE_SIDE, ONE_SIDE)), 1e-9);
    const struct ratio_side a = {first.program_digest, &rx540, &first.place},
                            b = {second.program_digest, &slower, &second.place};
    assert_true(isinf(engine_ratio_range(&sharp, &a, &b, 0.95)));
    assert_true(isfinite(engine_ratio_range(&sharp, &a, &a, 0.95)));
}

static void both_sides_need_a_range(void **state)
{
    struct range_model r;
    const struct calibration sharp = with_ratios(&r, log(0.5));
    (void)state;
    second.ratio.known = true;
    first.has_confidence = false;
    ask(&sharp);
    assert_false(second.ratio.known);
    setup(NULL);
    second.has_confidence = false;
    ask(&sharp);
    assert_false(second.ratio.known);
}

static void both_sides_are_estimates(void **state)
{
    struct range_model r;
    const struct calibration sharp = with_ratios(&r, log(0.5));
    (void)state;
    first.engine = ENGINE_SAMPLE;
    ask(&sharp);
    assert_false(second.ratio.known);
    setup(NULL);
    second.engine = ENGINE_SIMULATE;
    ask(&sharp);
    assert_false(second.ratio.known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(like_machines_err_alike, setup),
        cmocka_unit_test_setup(a_ratio_is_no_worse_than_its_sides, setup),
        cmocka_unit_test_setup(equal_machines_take_as_long, setup),
        cmocka_unit_test_setup(errors_of_two_programs_do_not_cancel, setup),
        cmocka_unit_test_setup(both_sides_need_a_range, setup),
        cmocka_unit_test_setup(both_sides_are_estimates, setup),
    };
    return cmocka_run_group_tests(tests, setup_machines, NULL);
}
