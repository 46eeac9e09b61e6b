/* inclusion.c - an inclusive L2: what leaves it leaves the L1s, whatever the protocol and
 * the miss management, and nothing else does.  That every line of an L1 is in the L2 at a launch's
 * end is asserted by every debug build (sim_check.c); here on machines on which much leaves. */
#include "tests/support/hand.h"
#include "tests/support/litmus.h"
#include "tests/support/random_program.h"

#include <stdio.h>

enum { FAR = 1 << 20 };

static const char *const protocols[] = {"none", "si", "nmoesi", "moesi"};
static const char *const managements[] = {"replace_at_once", "conventional"};

/* One SM over one slice of two sets of two lines; an L1 of 16 lines. */
static struct machine tiny(const char *protocol, const char *management, const char *inclusion,
                           const char *more)
{
    char a[64], b[64], c[64];
    snprintf(a, sizeof a, "coherence.protocol=%s", protocol);
    snprintf(b, sizeof b, "l2.miss_management=%s", management);
    snprintf(c, sizeof c, "l2.inclusion=%s", inclusion);
    const char *const sets[] = {"sm.count=1",
                                "l1.kb=1",
                                "l1.ways=16",
                                "l1.line_bytes=64",
                                "l1.sector_bytes=64",
                                "l2.banks=1",
                                "l2.bank_kb=1",
                                "l2.ways=8",
                                "l2.line_bytes=64",
                                "l2.sector_bytes=64",
                                "dram.channels=1",
                                a,
                                b,
                                c,
                                more};
    return run_machine("rx540", sets, 14 + (more != NULL));
}

#define LOAD(line)                                                                           \
    {                                                                                        \
        .cls = OP_LOAD, .space = SPACE_GLOBAL, .addr = FAR + (line)*UINT64_C(64), .after = 1 \
    }

/* Lines of one set of 8 (two sets: the even ones), then the first again: the ninth pushes it out of
 * the L2 and, if that is inclusive, out of the L1, in the time that the integer operations take. */
enum { LINES = 9, WAIT = 60, OPS = LINES + WAIT + 2 };

static struct metrics nine_and_back(const struct machine *m)
{
    struct hand_op op[OPS] = {[OPS - 1] = {.cls = OP_N}};
    for (uint32_t i = 0; i < OPS - 1; i++) {
        bool load = i < LINES || i == OPS - 2;
        uint64_t line = i < LINES ? 2 * i : 0;
        op[i] = load ? (struct hand_op)LOAD(line) : (struct hand_op){.cls = OP_INT, .after = true};
    }
    return run_whole(m, hand_program(op, 1, 1, 64));
}

static void a_line_that_leaves_takes_its_copies(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 2; k++) {
            struct machine m = tiny(protocols[i], managements[k], "inclusive", NULL);
            struct machine free = tiny(protocols[i], managements[k], "non_inclusive", NULL);
            struct metrics with = nine_and_back(&m);
            struct metrics without = nine_and_back(&free);
            assert_true(without.v[M_l1_hits] == 1 && without.v[M_l1_misses] == 9);
            assert_true(with.v[M_l1_hits] == 0 && with.v[M_l1_misses] == 10);
            assert_true(with.v[M_l2_misses] == 10 && without.v[M_l2_misses] == 9);
            /* lines 0 and 2 */
            assert_true(with.v[M_coherence_recalls] == 2);
            assert_false(without.has[M_coherence_recalls]);
            if (i) assert_true(with.v[M_coherence_invalidations] >= 2);
        }
}

/* The same where a line leaves by an FRC or to a victim cache. */
static void beside_the_lines(void **state)
{
    static const char *const beside[] = {"l2.frc.entries=8", "l2.vc.entries=1"};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 2; k++) {
            if (k && i) continue; /* no victim cache under a protocol */
            struct machine m = tiny(protocols[i], "conventional", "inclusive", beside[k]);
            struct metrics with = nine_and_back(&m);
            assert_true(with.v[M_l1_hits] == 0);
            assert_true(with.v[M_coherence_recalls] == 2);
        }
}

/* The miss behind it waits for the answer: network both ways, and the L1. */
static void a_victim_waits_for_its_copies(void **state)
{
    (void)state;
    struct machine m = tiny("none", "conventional", "inclusive", NULL);
    struct machine free = tiny("none", "conventional", "non_inclusive", NULL);
    struct metrics with = nine_and_back(&m);
    struct metrics without = nine_and_back(&free);
    assert_true(without.v[M_l2_miss_invalidation_sum] == 0);
    assert_true(with.v[M_l2_miss_invalidation_sum] > 2.0 * m.l2.latency);
}

/* Room for everything: nothing leaves, and nothing differs. */
static void room_for_all_is_as_without(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 16; i++) {
        const struct recipe c = {WILD, {6, 2, 20, 2}, i};
        struct metrics both[2];
        for (size_t k = 0; k < 2; k++) {
            char set[64];
            snprintf(set, sizeof set, "coherence.protocol=%s", protocols[i % 4]);
            const char *const sets[] = {
                set, "sm.count=3", i & 4 ? "l2.miss_management=conventional" : "l2.mshr.entries=0",
                k ? "l2.inclusion=inclusive" : "l2.ports=2"};
            struct machine m = run_machine("rx540", sets, 4);
            both[k] = run_whole(&m, build_program(&c, m.sm.warp_width));
        }
        assert_true(both[1].v[M_coherence_recalls] == 0);
        for (uint32_t id = 0; id < METRIC_N; id++)
            if (id != M_coherence_recalls) assert_true(both[0].v[id] == both[1].v[id]);
    }
}

/* Two SMs over a direct-mapped slice in which the variables share a set, with or without an FRC
 * whose swaps take long. */
static struct machine one_way(const char *protocol, bool frc)
{
    char a[64];
    snprintf(a, sizeof a, "coherence.protocol=%s", protocol);
    const char *const sets[] = {"sm.count=2",
                                "l2.banks=1",
                                "l2.bank_kb=1",
                                "l2.ways=1",
                                "dram.channels=1",
                                "l2.miss_management=conventional",
                                "l2.inclusion=inclusive",
                                "l2.eviction_end=written",
                                "l2.victim_hit=loads",
                                a,
                                "l2.frc.entries=2",
                                "l2.frc.swap_cycles=40"};
    return run_machine("rx540", sets, frc ? 12 : 10);
}

static struct metrics run_litmus(const struct machine *m, const struct litmus *t)
{
    return run_whole(m, litmus_program(t));
}

/* A load that passes both caches drops the L2's line. */
static void what_is_passed_leaves(void **state)
{
    static const struct litmus t = {
        {{LD(VAR_X), DELAY(1)}, {DELAY(200), LD_HINT(VAR_X, SLC), DELAY(1)}}};
    (void)state;
    struct machine m = one_way("si", false);
    assert_true(run_litmus(&m, &t).v[M_coherence_recalls] == 1);
}

/* Another SM loads x around the time at which y pushes what its owner had of it out of the L2. */
static void loads_what_leaves(bool frc)
{
    static const char *const owners[] = {"moesi", "nmoesi"};
    for (uint32_t k = 0; k < 2 * 60; k++) {
        struct litmus t = {
            {{ST(VAR_X), DELAY(80), LD(VAR_Y), DELAY(80)}, {DELAY(1), LD(VAR_X), DELAY(1)}}};
        t.warp[1][0].times = 60 + k / 2 * (frc ? 5 : 1);
        struct machine m = one_way(owners[k % 2], frc);
        assert_true(run_litmus(&m, &t).v[M_coherence_recalls] >= 1);
    }
}

/* While that is written to memory, nobody gets a copy of it: else a debug build's check at the end
 * finds one that the L2 has not. */
static void nobody_gets_a_copy_of_what_leaves(void **state)
{
    (void)state;
    loads_what_leaves(false);
}

/* Nor while an FRC swaps it with y, which comes later. */
static void nor_while_it_is_swapped(void **state)
{
    (void)state;
    loads_what_leaves(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_that_leaves_takes_its_copies),
        cmocka_unit_test(beside_the_lines),
        cmocka_unit_test(a_victim_waits_for_its_copies),
        cmocka_unit_test(room_for_all_is_as_without),
        cmocka_unit_test(what_is_passed_leaves),
        cmocka_unit_test(nobody_gets_a_copy_of_what_leaves),
        cmocka_unit_test(nor_while_it_is_swapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
