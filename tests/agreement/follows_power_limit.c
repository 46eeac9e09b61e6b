/* follows_power_limit.c - do a simulation, a sample and an estimate hold a product of matrix units
 * to the rate that the power limit leaves them, and leave other launches alone? */
#include "tests/support/ask.h"
#include "tests/support/follows.h"

#include <stdio.h>

enum { M = 512, N = 512, K = 256, SMS = 4, SUBCORES = 4, CORE_MHZ = 1200, INTERVAL = 4 };
static const double MACS = 16 * 8 * 16; /* of a warp's matrix instruction */
static const char product[] =
    "generator = \"gemm\"; M = 512; N = 512; K = 256; type = \"fp16\"; stages = 3;";
static const char copy[] = "generator = \"stream\"; ctas = 64; warps_per_cta = 8; iterations = 8;";

static struct metrics held(enum engine engine, const char *program, double mhz)
{
    char limit[64];
    snprintf(limit, sizeof limit, "clock.sustained_mhz=%g", mhz);
    const char *const sets[] = {"sm.count=4", "clock.core_mhz=1200", "sm.units.tensor.interval=4",
                                limit};
    struct machine m = run_machine("qv100", sets, 4);
    return ask_of(engine, &m, program);
}

/* Core cycles of the product's matrix instructions at a clock, by arithmetic. */
static double least(double mhz)
{
    return (double)M * N * K / MACS * INTERVAL / SMS / SUBCORES * CORE_MHZ / mhz;
}

static const enum engine engines[] = {ENGINE_SIMULATE, ENGINE_SAMPLE, ENGINE_ESTIMATE};

static void a_product_takes_what_the_limit_leaves(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        struct metrics free = held(engines[i], product, 0), low = held(engines[i], product, 100);
        double all = run_value(&low, "cycles");
        assert_true(run_value(&free, "cycles") < least(100));
        assert_near(all / least(100), 1, engines[i] == ENGINE_SAMPLE ? 0.02 : 1e-6);
        assert_near(run_value(&low, "clock.held_cycles"), all - run_value(&free, "cycles"),
                    0.02 * all);
        assert_near(run_value(&low, "time_us"), all / CORE_MHZ, 1e-6 * all);
    }
}

static void a_launch_that_computes_less_is_not_held(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        struct metrics free = held(engines[i], product, 0), high = held(engines[i], product, 1200);
        struct metrics stream = held(engines[i], copy, 0), low = held(engines[i], copy, 100);
        assert_near(run_value(&high, "cycles"), run_value(&free, "cycles"), 0);
        assert_near(run_value(&high, "clock.held"), 0, 0);
        assert_near(run_value(&low, "cycles"), run_value(&stream, "cycles"), 0);
        assert_false(free.has[M_clock_held]); /* machines without a limit have no such metric */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_product_takes_what_the_limit_leaves),
        cmocka_unit_test(a_launch_that_computes_less_is_not_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
