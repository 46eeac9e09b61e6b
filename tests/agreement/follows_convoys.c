/* follows_convoys.c - does the estimator see that warps which read a flag and acquire behind it let
 * one another pass one by one on the slowest of many SMs, whatever the memory's bandwidth?  How far
 * it is off where few SMs all stay in step: docs/notebook/estimator.md, section 4. */
#include "tests/support/ask.h"

static const char handoff[] =
    "generator = \"handoff\"; ctas = 80; warps_per_cta = 8; iterations = 32; unroll = 4;";

static void is_near(const char *channels)
{
    const char *const sets[] = {"sm.count=80", channels};
    struct machine m = run_machine("qv100", sets, 2);
    struct metrics s = ask_of(ENGINE_SIMULATE, &m, handoff),
                   e = ask_of(ENGINE_ESTIMATE, &m, handoff);
    double simulated = run_value(&s, "cycles"), estimated = run_value(&e, "cycles");
    if (estimated > 1.2 * simulated || simulated > 1.2 * estimated)
        fail_msg("simulated %.0f, estimated %.0f", simulated, estimated);
}

static void warps_apart_pass_one_by_one(void **state)
{
    (void)state;
    is_near("dram.channels=32");
    is_near("dram.channels=8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_apart_pass_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
