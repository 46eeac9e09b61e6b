/* Do the edges of all clock domains fall on whole ticks? */
#include "gpu/machine/params/clock.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void periods_are_exact(void **state)
{
    static const uint32_t cases[][CLOCK_N] = {
        {1200000, 1200000, 1200000, 1500000, 800000}, {1132000, 1132000, 1132000, 850000, 850000},
        {700000, 1400000, 700000, 924000, 800000},    {1000000, 1000000, 1000000, 1499250, 1},
        {1132000, 1132000, 1132000, 934579, 1000},    {1, 1, 1, 1, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct clocks c;
        assert_true(clocks_init(&c, cases[i]));
        uint64_t ticks = c.period[0] * cases[i][0]; /* per millisecond, whichever domain counts */
        for (uint32_t d = 0; d < CLOCK_N; d++) {
            assert_true(c.period[d] > 0);
            assert_int_equal(c.period[d] * cases[i][d], ticks);
        }
        assert_true(fabs(c.tick_us * (double)ticks - 1000.0) < 1e-9);
    }
}

/* The least multiple, not any: worked by hand. */
static void the_multiple_is_the_least(void **state)
{
    struct clocks c;
    (void)state;
    assert_true(clocks_init(&c, (const uint32_t[CLOCK_N]){1200000, 600000, 400000, 1500000}));
    assert_int_equal(c.period[CLOCK_CORE], 5);
    assert_int_equal(c.period[CLOCK_NOC], 10);
    assert_int_equal(c.period[CLOCK_L2], 15);
    assert_int_equal(c.period[CLOCK_DRAM], 4);
    assert_int_equal(c.period[CLOCK_SECOND_DRAM], 4); /* without one, as the first's */
    assert_true(clocks_init(&c, (const uint32_t[CLOCK_N]){7, 7, 7, 7}));
    assert_int_equal(c.period[CLOCK_DRAM], 1);
}

static void what_does_not_fit_is_refused(void **state)
{
    struct clocks c;
    (void)state;
    assert_false(clocks_init(&c, (const uint32_t[CLOCK_N]){0, 1, 1, 1}));
    assert_false(clocks_init(&c, (const uint32_t[CLOCK_N]){1, 1, 1, 0}));
    /* Primes: the product of three is above 2^50, of two below. */
    assert_false(clocks_init(&c, (const uint32_t[CLOCK_N]){999983, 999979, 999961, 1}));
    assert_true(clocks_init(&c, (const uint32_t[CLOCK_N]){999983, 999979, 999983, 1}));
    assert_false(clocks_init(
        &c, (const uint32_t[CLOCK_N]){4294967291u, 4294967279u, 4294967231u, 4294967197u}));
    /* The bound itself: 2^25 * 5^0 against 2^25 has lcm 2^25; 2^30 x 3^13 (1594323) exceeds 2^50.
     */
    assert_true(clocks_init(&c, (const uint32_t[CLOCK_N]){1u << 30, 1u << 25, 1, 1048575}));
    assert_false(clocks_init(&c, (const uint32_t[CLOCK_N]){1u << 30, 1u << 25, 1, 1594323}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(periods_are_exact),
        cmocka_unit_test(the_multiple_is_the_least),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
