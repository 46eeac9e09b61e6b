/* litmus.c - litmus programs of more than two warps, and those that hold with every
 * protocol: independent reads of independent writes (IRIW), store buffering.  Each is also run
 * without what it needs to hold, and must then show what it must not. */
#include "tests/support/litmus.h"

#include <stdio.h>

enum { OFFSETS = 24, STEP = 5, WARM = 80 };

static struct machine machine_of(const char *protocol, const char *inclusion)
{
    char a[64], b[64];
    snprintf(a, sizeof a, "coherence.protocol=%s", protocol);
    snprintf(b, sizeof b, "l2.inclusion=%s", inclusion);
    const char *const sets[] = {a, b, "sm.count=4"};
    return run_machine("rx540", sets, 3);
}

/* Two write, two read both variables, each in its own order; all have them in their L1s.  `sync`
 * stands between the two loads of a reader. */
static struct litmus iriw(enum op_class sync, uint32_t first, uint32_t second)
{
    return (struct litmus){
        {{LD(VAR_X), LD(VAR_Y), DELAY(WARM), ST(VAR_X), SYNC(OP_RELEASE), DELAY(1)},
         {LD(VAR_X), LD(VAR_Y), DELAY(WARM), ST(VAR_Y), SYNC(OP_RELEASE), DELAY(1)},
         {LD(VAR_X), LD(VAR_Y), DELAY(first), LD_HINT(VAR_X, GLC), SYNC(sync), LD(VAR_Y)},
         {LD(VAR_X), LD(VAR_Y), DELAY(second), LD_HINT(VAR_Y, GLC), SYNC(sync), LD(VAR_X)}}};
}

/* How often both readers saw the first store and not the second, and how often both stores were
 * seen at once. */
struct outcomes {
    uint32_t against, both;
};

static struct outcomes run_iriw(const char *protocol, const char *inclusion, enum op_class sync)
{
    struct machine m = machine_of(protocol, inclusion);
    struct outcomes n = {0, 0};
    for (uint32_t i = 0; i < OFFSETS * 3; i++) {
        uint32_t first = 50 + i / 3 * STEP;
        struct litmus t = iriw(sync, first, first + i % 3 * STEP);
        struct program *p = litmus_program(&t);
        struct seen s;
        assert_true(litmus_run(&m, p, NULL, NULL, &s));
        program_close(p);
        bool x2 = litmus_version(&s, 2, VAR_X, 1), y2 = litmus_version(&s, 2, VAR_Y, 1);
        bool y3 = litmus_version(&s, 3, VAR_Y, 1), x3 = litmus_version(&s, 3, VAR_X, 1);
        n.against += x2 && !y2 && y3 && !x3;
        n.both += x2 && y2 && y3 && x3;
    }
    return n;
}

static void all_see_stores_in_one_order(void **state)
{
    static const char *const protocols[] = {"none", "si", "nmoesi", "moesi"};
    static const char *const inclusions[] = {"non_inclusive", "inclusive"};
    (void)state;
    if (!SHADOW_ON) skip();
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 2; k++) {
            struct outcomes n = run_iriw(protocols[i], inclusions[k], OP_ACQUIRE);
            assert_int_equal(n.against, 0);
            assert_true(n.both > 3);
        }
}

/* Without the acquire a reader's second load is served its old copy; MOESI leaves none. */
static void old_copies_show_another_order(void **state)
{
    (void)state;
    if (!SHADOW_ON) skip();
    assert_true(run_iriw("none", "non_inclusive", OP_FENCE).against > 3);
    assert_true(run_iriw("si", "non_inclusive", OP_FENCE).against > 3);
    assert_true(run_iriw("nmoesi", "non_inclusive", OP_FENCE).against > 3);
    assert_int_equal(run_iriw("moesi", "non_inclusive", OP_FENCE).against, 0);
}

/* Store buffering: how often neither of the two saw the other's store. */
static uint32_t run_buffering(const char *protocol, enum op_class sync)
{
    struct machine m = machine_of(protocol, "non_inclusive");
    uint32_t neither = 0;
    for (uint32_t k = 0; k < 2 * OFFSETS; k++) {
        struct litmus t = {
            {{LD(VAR_X), LD(VAR_Y), DELAY(WARM), ST(VAR_X), SYNC(OP_RELEASE), SYNC(sync),
              LD(VAR_Y)},
             {LD(VAR_X), LD(VAR_Y), DELAY(1), ST(VAR_Y), SYNC(OP_RELEASE), SYNC(sync), LD(VAR_X)}}};
        t.warp[1][2].times = 1 + k * STEP;
        struct program *p = litmus_program(&t);
        struct seen s;
        assert_true(litmus_run(&m, p, NULL, NULL, &s));
        program_close(p);
        neither += !litmus_version(&s, 0, VAR_Y, 1) && !litmus_version(&s, 1, VAR_X, 1);
    }
    return neither;
}

static void a_release_and_an_acquire_drain_stores(void **state)
{
    (void)state;
    if (!SHADOW_ON) skip();
    assert_int_equal(run_buffering("none", OP_ACQUIRE), 0);
    assert_int_equal(run_buffering("si", OP_ACQUIRE), 0);
    assert_int_equal(run_buffering("moesi", OP_ACQUIRE), 0);
    assert_true(run_buffering("none", OP_FENCE) > 3);
    assert_true(run_buffering("si", OP_FENCE) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_see_stores_in_one_order),
        cmocka_unit_test(old_copies_show_another_order),
        cmocka_unit_test(a_release_and_an_acquire_drain_stores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
