/* follows_sharing.c - does the estimator see SMs that store to the same lines, as the cycle model
 * does, with one writer at a time? */
#include "tests/support/ask.h"
#include "tests/support/hand.h"

#include <stdio.h>

struct both {
    double simulated, estimated;
};

/* Each SM loads from and, if asked to, stores to the same four lines. */
static struct both cycles(const char *protocol, uint32_t sms, bool stores)
{
    enum { OPS = 60 };
    char a[64], b[64];
    snprintf(a, sizeof a, "coherence.protocol=%s", protocol);
    snprintf(b, sizeof b, "sm.count=%u", sms);
    const char *const sets[] = {a, b, "sm.dispatch=interleaved"};
    struct hand_op op[OPS + 1] = {[OPS] = {.cls = OP_N}};
    for (uint32_t i = 0; i < OPS; i++)
        op[i] = (struct hand_op){.cls = i % 2 || !stores ? OP_LOAD : OP_STORE,
                                 .space = SPACE_GLOBAL,
                                 .addr = 0x100000 + i / 2 % 4 * 64,
                                 .after = i % 2};
    struct machine m = run_machine("rx540", sets, 3);
    struct program *p = hand_program(op, sms, 1, m.sm.warp_width);
    struct metrics s = ask(ENGINE_SIMULATE, &m, p), e = ask(ENGINE_ESTIMATE, &m, p);
    program_close(p);
    return (struct both){run_value(&s, "cycles"), run_value(&e, "cycles")};
}

static void one_writer_at_a_time_costs(void **state)
{
    (void)state;
    for (uint32_t sms = 2; sms <= 8; sms *= 2) {
        struct both one = cycles("moesi", sms, true), many = cycles("nmoesi", sms, true);
        double off = one.estimated / one.simulated;
        if (off > 1.32 || off < 1 / 1.32)
            fail_msg("%u SMs: simulated %.0f, estimated %.0f", sms, one.simulated, one.estimated);
        assert_true(one.estimated / many.estimated > 0.75 * one.simulated / many.simulated);
    }
}

/* Lines that all read and nobody stores to. */
static void readers_cost_nothing(void **state)
{
    (void)state;
    struct both one = cycles("moesi", 8, false), many = cycles("nmoesi", 8, false);
    assert_true(one.simulated < 1.2 * many.simulated);
    assert_true(one.estimated < 1.2 * many.estimated);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_writer_at_a_time_costs),
        cmocka_unit_test(readers_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
