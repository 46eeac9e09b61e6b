/* sampler_convoy.c - does the estimator see that warps which read a flag and acquire behind it let
 * one another pass one by one, where they come back far enough apart at the start, and not where
 * they come back together? */
#include "tests/behaviour/ask.h"

static const char handoff[] =
    "generator = \"handoff\"; ctas = 16; warps_per_cta = 8; iterations = 32; unroll = 4;";

struct both {
    double simulated, estimated;
};

static struct both cycles(const char *latency, const char *channels)
{
    const char *const sets[] = {"sm.count=16", "sm.launch_cycles=0", "l1.adaptive=false", latency,
                                channels};
    struct machine m = run_machine("qv100", sets, 5);
    struct metrics s = ask_of(ENGINE_SIMULATE, &m, handoff),
                   e = ask_of(ENGINE_ESTIMATE, &m, handoff);
    return (struct both){run_value(&s, "cycles"), run_value(&e, "cycles")};
}

static void near(struct both b)
{
    double off = b.estimated / b.simulated;
    if (off > 1.2 || off < 1 / 1.2)
        fail_msg("simulated %.0f, estimated %.0f", b.simulated, b.estimated);
}

/* Eight channels take so long for the first loads that SMs fall out of step: eight ways a step. */
static void warps_apart_pass_one_by_one(void **state)
{
    (void)state;
    near(cycles("l2.extra_latency=80", "dram.channels=8"));
    near(cycles("l2.extra_latency=160", "dram.channels=8"));
}

/* With 32 they stay together, each step takes four ways, however long. */
static void warps_in_step_pass_together(void **state)
{
    (void)state;
    struct both in_step = cycles("l2.extra_latency=240", "dram.channels=32"),
                apart = cycles("l2.extra_latency=160", "dram.channels=8");
    near(in_step);
    assert_true(in_step.simulated < apart.simulated && in_step.estimated < apart.estimated);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_apart_pass_one_by_one),
        cmocka_unit_test(warps_in_step_pass_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
