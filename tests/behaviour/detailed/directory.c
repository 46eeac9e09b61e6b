/* directory.c - MOESI and NMOESI in the simulation: what a message needs to arrive, who
 * may store, and what is counted.  The litmus programs of every protocol: coherence.c. */
#include "tests/support/hand.h"
#include "tests/support/litmus.h"

#include <stdio.h>

enum { OFFSETS = 24, STEP = 6, WARM = 80 };

static struct machine machine_of(const char *protocol)
{
    char a[64];
    snprintf(a, sizeof a, "coherence.protocol=%s", protocol);
    const char *const sets[] = {a, "sm.count=2"};
    return run_machine("rx540", sets, 2);
}

static void run_at(const struct machine *m, struct litmus t, uint32_t warp, uint32_t op,
                   uint32_t offset, struct seen *s)
{
    t.warp[warp][op].times = offset;
    struct program *p = litmus_program(&t);
    assert_true(litmus_run(m, p, NULL, NULL, s));
    program_close(p);
}

/* The message is in X, and the flag says so; by `sync` the reader waits for the flag. */
static struct litmus message(enum op_class sync)
{
    return (struct litmus){{{LD(VAR_X), LD(VAR_FLAG), DELAY(WARM), ST(VAR_X), SYNC(OP_RELEASE),
                             ST_HINT(VAR_FLAG, GLC)},
                            {LD(VAR_X), DELAY(1), LD_HINT(VAR_FLAG, GLC), SYNC(sync), LD(VAR_X)}}};
}

static void count_messages(const char *protocol, enum op_class sync, uint32_t n[3])
{
    struct machine m = machine_of(protocol);
    struct seen s;
    for (uint32_t k = 0; k < OFFSETS; k++) {
        run_at(&m, message(sync), 1, 1, 1 + k * STEP, &s);
        uint32_t flag = litmus_version(&s, 1, VAR_FLAG, 0), x = litmus_version(&s, 1, VAR_X, 1);
        assert_true(flag != UINT32_MAX && x != UINT32_MAX);
        n[!flag ? 0 : x ? 1 : 2]++;
    }
}

/* Under MOESI the old copy has left; under NMOESI only an acquire makes it leave. */
static void who_needs_an_acquire(void **state)
{
    uint32_t moesi[3] = {0}, without[3] = {0}, with[3] = {0};
    (void)state;
    if (!SHADOW_ON) skip();
    count_messages("moesi", OP_FENCE, moesi);
    assert_true(moesi[0] > 2 && moesi[1] > 2);
    assert_int_equal(moesi[2], 0);
    count_messages("nmoesi", OP_FENCE, without);
    assert_true(without[2] > 2);
    count_messages("nmoesi", OP_ACQUIRE, with);
    assert_true(with[0] > 2 && with[1] > 2);
    assert_int_equal(with[2], 0);
}

/* Store buffering: with a fence between, one of the two sees the other's store. */
static void stores_are_seen_behind_fences(void **state)
{
    static const struct litmus t = {
        {{LD(VAR_X), LD(VAR_Y), DELAY(WARM), ST(VAR_X), SYNC(OP_FENCE), LD(VAR_Y)},
         {LD(VAR_X), LD(VAR_Y), DELAY(1), ST(VAR_Y), SYNC(OP_FENCE), LD(VAR_X)}}};
    struct machine m = machine_of("moesi");
    struct seen s;
    (void)state;
    if (!SHADOW_ON) skip();
    for (uint32_t k = 0; k < 2 * OFFSETS; k++) {
        run_at(&m, t, 1, 2, 1 + k * STEP, &s);
        assert_true(litmus_version(&s, 0, VAR_Y, 1) || litmus_version(&s, 1, VAR_X, 1));
    }
}

/* The same without fences: whoever's store waits for the loads before it, and loads for it, sees
 * the other's. */
static uint32_t both_see_nothing(const char *order)
{
    static const struct litmus t = {
        {{LD(VAR_X), LD(VAR_Y), DELAY(WARM), ST(VAR_X), LD(VAR_Y), DELAY(1)},
         {LD(VAR_X), LD(VAR_Y), DELAY(1), ST(VAR_Y), LD(VAR_X), DELAY(1)}}};
    char set[64];
    snprintf(set, sizeof set, "coherence.store_order=%s", order);
    const char *const sets[] = {"coherence.protocol=moesi", "sm.count=2", set};
    struct machine m = run_machine("rx540", sets, 3);
    uint32_t n = 0;
    for (uint32_t k = 0; k < 2 * OFFSETS; k++) {
        struct seen s;
        run_at(&m, t, 1, 2, 1 + k * STEP, &s);
        n += !litmus_version(&s, 0, VAR_Y, 1) && !litmus_version(&s, 1, VAR_X, 1);
    }
    return n;
}

static void stores_in_order_need_no_fences(void **state)
{
    (void)state;
    if (!SHADOW_ON) skip();
    assert_true(both_see_nothing("free") > 0);
    assert_int_equal(both_see_nothing("in_order"), 0);
}

/* Stores of one warp that does not wait for them, each to a line of its own. */
static double stores_take(const char *protocol, const char *order, uint32_t stores)
{
    char a[64], b[64];
    struct hand_op op[64] = {[0] = {.cls = OP_INT}};
    snprintf(a, sizeof a, "coherence.protocol=%s", protocol);
    snprintf(b, sizeof b, "coherence.store_order=%s", order);
    const char *const sets[] = {a,
                                b,
                                "sm.count=1",
                                "sm.nonblocking_stores=true",
                                "sm.memory_wait=scoreboard",
                                "l1.mshr.entries=64"};
    for (uint32_t i = 0; i < stores; i++)
        op[i] = (struct hand_op){
            .cls = OP_STORE, .space = SPACE_GLOBAL, .addr = 0x100000 + i * UINT64_C(64)};
    op[stores] = (struct hand_op){.cls = OP_N};
    struct machine m = run_machine("hd7770-pdp16", sets, 6);
    return run_whole(&m, hand_program(op, 1, 1, m.sm.warp_width)).v[M_cycles];
}

/* In order each one adds a way to the memory and back; else it adds next to nothing, as n-stores
 * do. */
static void stores_in_order_are_one_after_the_other(void **state)
{
    (void)state;
    double one = stores_take("moesi", "in_order", 1), two = stores_take("moesi", "in_order", 2);
    double way = two - one;
    assert_true(way > 100); /* the memory's latency, and the networks' */
    for (uint32_t n = 3; n <= 24; n += 3)
        assert_near(stores_take("moesi", "in_order", n), one + (n - 1) * way, 4.0);
    assert_true(stores_take("moesi", "free", 24) < one + way);
    assert_true(stores_take("nmoesi", "in_order", 24) < one + way);
}

/* Loads, one after the other, of lines of one set of an L1 of 16 lines. */
static double loads_take(const char *victim, uint32_t loads)
{
    char a[64];
    struct hand_op op[64] = {[0] = {.cls = OP_INT}};
    snprintf(a, sizeof a, "coherence.l1_victim=%s", victim);
    const char *const sets[] = {"coherence.protocol=nmoesi", "sm.count=1", "l1.kb=1", "l1.ways=16",
                                a};
    for (uint32_t i = 0; i < loads; i++)
        op[i] = (struct hand_op){.cls = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .addr = 0x100000 + i * UINT64_C(64),
                                 .after = i > 0};
    op[loads] = (struct hand_op){.cls = OP_N};
    struct machine m = run_machine("hd7770-pdp16", sets, 5);
    return run_whole(&m, hand_program(op, 1, 1, m.sm.warp_width)).v[M_cycles];
}

/* Once the L1 is full, each fetch begins a way to the home and back later. */
static void a_fetch_may_wait_for_what_it_pushes_out(void **state)
{
    (void)state;
    assert_true(loads_take("first", 16) == loads_take("beside", 16));
    double way = loads_take("first", 17) - loads_take("beside", 17);
    assert_true(way > 10); /* two networks and a look-up in the L2 */
    for (uint32_t n = 18; n <= 30; n += 3)
        assert_near(loads_take("first", n) - loads_take("beside", n), (n - 16) * way, n - 16);
}

/* Each atomic finds another value: that of the one before it, whoever's it was. */
static void atomics_are_one_after_the_other(void **state)
{
    static const struct litmus t = {
        {{LD(VAR_Y), DELAY(WARM), ATOMIC(VAR_X), ATOMIC(VAR_X), ATOMIC(VAR_X)},
         {LD(VAR_Y), DELAY(1), ATOMIC(VAR_X), ATOMIC(VAR_X), ATOMIC(VAR_X)}}};
    (void)state;
    if (!SHADOW_ON) skip();
    for (uint32_t k = 0; k < 2 * OFFSETS; k++) {
        struct machine m = machine_of(k % 2 ? "moesi" : "nmoesi");
        struct seen s;
        uint32_t found = 0;
        run_at(&m, t, 1, 1, 1 + k * STEP, &s);
        for (uint32_t i = 0; i < 6; i++) {
            uint32_t version = litmus_version(&s, i / 3, VAR_X, i % 3);
            assert_true(version < 6 && !(found >> version & 1));
            found |= 1u << version;
        }
    }
}

static void messages_are_counted(void **state)
{
    static const struct litmus t = {
        {{ST(VAR_X), ST(VAR_X), ST(VAR_X), DELAY(1)}, {ST(VAR_X), ST(VAR_X), ST(VAR_X), DELAY(1)}}};
    static const char *const protocols[] = {"si", "nmoesi", "moesi"};
    struct metrics m[3];
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        struct machine machine = machine_of(protocols[i]);
        m[i] = run_whole(&machine, litmus_program(&t));
        assert_int_equal(m[i].has[M_coherence_messages], i > 0);
    }
    /* two reads for n-stores and nothing else; two reads to own, one question and its answer;
     * and what came in vain */
    assert_true(m[1].v[M_coherence_messages] - m[1].v[M_coherence_nacks] == 2);
    assert_true(m[2].v[M_coherence_messages] - m[2].v[M_coherence_nacks] == 4);
    assert_true(m[2].v[M_coherence_invalidations] == 1 && m[1].v[M_coherence_invalidations] == 0);
    assert_true(m[2].v[M_coherence_nacks] > 0);
}

/* Both have a copy and store at once: the home lets one upgrade, the other's copy leaves while its
 * own upgrade is under way; then that one takes the block. */
static void copies_that_wait_for_an_upgrade_are_counted(void **state)
{
    static const struct litmus t = {{{LD(VAR_X), DELAY(WARM), ST(VAR_X), DELAY(1)},
                                     {LD(VAR_X), DELAY(WARM), ST(VAR_X), DELAY(1)}}};
    struct machine machine = machine_of("moesi");
    (void)state;
    struct metrics m = run_whole(&machine, litmus_program(&t));
    assert_true(m.v[M_coherence_nacks] > 0); /* the upgrades met */
    assert_true(m.v[M_coherence_invalidations] == 2);
}

/* SMs that store to bytes of their own in the same lines, over and over: with one writer at a time
 * each store takes the block from the last one; n-stores take it once. */
static struct metrics share_lines(const char *protocol, uint32_t sms)
{
    enum { STORES = 60 };
    char a[64], b[64];
    snprintf(a, sizeof a, "coherence.protocol=%s", protocol);
    snprintf(b, sizeof b, "sm.count=%u", sms);
    const char *const sets[] = {a, b, "sm.dispatch=interleaved"};
    struct hand_op op[STORES + 1] = {[STORES] = {.cls = OP_N}};
    for (uint32_t i = 0; i < STORES; i++)
        op[i] = (struct hand_op){.cls = i % 2 ? OP_LOAD : OP_STORE,
                                 .space = SPACE_GLOBAL,
                                 .addr = 0x100000 + i / 2 % 4 * 64,
                                 .after = i % 2};
    struct machine m = run_machine("rx540", sets, 3);
    return run_whole(&m, hand_program(op, sms, 1, m.sm.warp_width));
}

static void false_sharing_costs_one_writer_at_a_time(void **state)
{
    (void)state;
    for (uint32_t sms = 2; sms <= 8; sms *= 2) {
        struct metrics one = share_lines("moesi", sms), many = share_lines("nmoesi", sms);
        assert_true(one.v[M_cycles] > 3 * many.v[M_cycles]);
        assert_true(one.v[M_coherence_invalidations] > 10 * sms);
        assert_true(many.v[M_coherence_invalidations] <= 4 * sms);
    }
    struct metrics alone = share_lines("moesi", 1), n_alone = share_lines("nmoesi", 1);
    assert_true(alone.v[M_cycles] == n_alone.v[M_cycles]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_needs_an_acquire),
        cmocka_unit_test(stores_are_seen_behind_fences),
        cmocka_unit_test(stores_in_order_need_no_fences),
        cmocka_unit_test(stores_in_order_are_one_after_the_other),
        cmocka_unit_test(a_fetch_may_wait_for_what_it_pushes_out),
        cmocka_unit_test(atomics_are_one_after_the_other),
        cmocka_unit_test(messages_are_counted),
        cmocka_unit_test(copies_that_wait_for_an_upgrade_are_counted),
        cmocka_unit_test(false_sharing_costs_one_writer_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
