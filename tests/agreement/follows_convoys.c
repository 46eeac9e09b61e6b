/* follows_convoys.c - does the estimator see that warps which read a flag and acquire behind it let
 * one another pass one by one on the slowest of many SMs, whatever the memory's bandwidth?  How far
 * it is off where many CTAs, each with its flag, share an SM: docs/notebook/estimator.md. */
#include "tests/support/ask.h"

static const char handoff[] =
    "generator = \"handoff\"; ctas = 80; warps_per_cta = 8; iterations = 32; unroll = 4;";

static void is_near(const char *sms, const char *channels, double factor)
{
    const char *const sets[] = {sms, channels};
    struct machine m = run_machine("qv100", sets, 2);
    struct metrics s = ask_of(ENGINE_SIMULATE, &m, handoff),
                   e = ask_of(ENGINE_ESTIMATE, &m, handoff);
    double simulated = run_value(&s, "cycles"), estimated = run_value(&e, "cycles");
    if (estimated > factor * simulated || simulated > factor * estimated)
        fail_msg("%s, %s: simulated %.0f, estimated %.0f", sms, channels, simulated, estimated);
}

static void warps_apart_pass_one_by_one(void **state)
{
    (void)state;
    is_near("sm.count=80", "dram.channels=32", 1.2);
    is_near("sm.count=80", "dram.channels=8", 1.2);
}

static void two_ctas_share_an_l1(void **state)
{
    (void)state;
    is_near("sm.count=40", "dram.channels=32", 1.4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_apart_pass_one_by_one),
        cmocka_unit_test(two_ctas_share_an_l1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
