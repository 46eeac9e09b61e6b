/* write.c - what stores do to an L1, policy by policy: sequences of single accesses whose
 * hits, misses and writes at the L2 are known. */
#include "tests/support/hand.h"

#define LOAD(at, ...)                                                                 \
    {                                                                                 \
        .cls = OP_LOAD, .space = SPACE_GLOBAL, .addr = at, .after = true, __VA_ARGS__ \
    }
#define STORE(at, ...)                                                  \
    {                                                                   \
        .cls = OP_STORE, .space = SPACE_GLOBAL, .addr = at, __VA_ARGS__ \
    }
#define FENCE           \
    {                   \
        .cls = OP_FENCE \
    }
/* Time for what was sent to arrive. */
#define PAUSE LOAD(1 << 24), LOAD(1 << 25)
#define END         \
    {               \
        .cls = OP_N \
    }
#define QV100 "l1.write_miss=no_allocate"

static void counts(const struct metrics *m, double hits, double misses, double writes)
{
    assert_near(run_value(m, "l1.hits"), hits, 0);
    assert_near(run_value(m, "l1.misses"), misses, 0);
    assert_near(run_value(m, "l2.writes"), writes, 0);
}

static void a_store_that_hits_evicts_or_updates(void **state)
{
    (void)state;
    const struct hand_op op[] = {LOAD(4096),  LOAD(4096), STORE(4100), LOAD(4096), LOAD(4128),
                                 STORE(8192), LOAD(8192), PAUSE,       END};
    /* the loads of 4128 and 8192 and the pause miss under either; the store to 8192 misses */
    struct metrics through = HAND("qv100", op, 1, QV100, "l1.write=through");
    struct metrics evict = HAND("qv100", op, 1, QV100, "l1.write=evict");
    counts(&through, 3, 1 + 1 + 2 + 2, 2);
    counts(&evict, 2, 2 + 1 + 2 + 2, 2);
}

/* A fill that a store overtakes brings old data: it must not stay, whatever the policy. */
static void an_overtaken_fill_is_not_kept(void **state)
{
    (void)state;
    const char *const policies[] = {"l1.write=through", "l1.write=evict", "l1.write=combine"};
    const struct hand_op op[] = {
        {.cls = OP_LOAD, .space = SPACE_GLOBAL, .addr = 4096}, STORE(4096), LOAD(4096), PAUSE, END};
    for (int i = 0; i < 3; i++) {
        struct metrics m = HAND("qv100", op, 1, QV100, policies[i]);
        counts(&m, 0, 5, 1);
    }
}

static void stores_to_one_line_go_down_together(void **state)
{
    (void)state;
    const struct hand_op op[] = {STORE(4096), STORE(4100), STORE(4104), STORE(4096),
                                 STORE(4128), FENCE,       PAUSE,       END};
    struct metrics through = HAND("qv100", op, 1, QV100, "l1.write=through");
    struct metrics combine = HAND("qv100", op, 1, QV100, "l1.write=combine");
    counts(&through, 0, 5 + 2, 5);
    counts(&combine, 0, 5 + 2, 2); /* two sectors */
    assert_near(run_value(&combine, "l1.combined_stores"), 4, 0);
}

static void the_line_stored_to_longest_ago_gives_way(void **state)
{
    (void)state;
    enum { A = 4096, B = 8192, C = 12288 };
    /* A and B fit; C pushes out B, because A was stored to after it */
    const struct hand_op op[] = {STORE(A), STORE(B), STORE(A + 4), STORE(C),
                                 PAUSE,    STORE(A), PAUSE,        END};
    struct metrics two = HAND("qv100", op, 1, QV100, "l1.write=combine", "l1.combine_lines=2");
    assert_near(run_value(&two, "l2.writes"), 1, 0);
    assert_near(run_value(&two, "l1.combined_stores"), 2, 0);
    struct metrics one = HAND("qv100", op, 1, QV100, "l1.write=combine", "l1.combine_lines=1");
    assert_near(run_value(&one, "l2.writes"), 4, 0);
    assert_near(run_value(&one, "l1.combined_stores"), 0, 0);
}

/* A load that misses, an atomic and a load that goes round find gathered bytes below. */
static void who_reads_below_reads_what_was_stored(void **state)
{
    (void)state;
    const struct hand_op reads[] = {
        LOAD(4096),
        {.cls = OP_ATOMIC, .space = SPACE_GLOBAL, .addr = 4096},
        LOAD(4096, .hint = HINT_BYPASS_L1),
    };
    for (int i = 0; i < 3; i++) {
        const struct hand_op op[] = {STORE(4096), STORE(4100), reads[i], PAUSE, END};
        struct metrics m = HAND("qv100", op, 1, QV100, "l1.write=combine");
        bool atomic = reads[i].cls == OP_ATOMIC;
        assert_near(run_value(&m, "l2.writes"), 1 + atomic, 0);
    }
    const struct hand_op other[] = {STORE(4096), LOAD(8192), PAUSE, END};
    struct metrics m = HAND("qv100", other, 1, QV100, "l1.write=combine");
    assert_near(run_value(&m, "l2.writes"), 0, 0);
}

/* Private stores stay until their line leaves; others go down at once. */
static void private_stores_stay(void **state)
{
    (void)state;
    const struct hand_op op[] = {
        {.cls = OP_STORE, .space = SPACE_LOCAL, .addr = 4096, .stride = 4, .lanes = 32},
        {.cls = OP_LOAD,
         .space = SPACE_LOCAL,
         .addr = 4096,
         .stride = 4,
         .lanes = 32,
         .after = true},
        STORE(8192),
        PAUSE,
        END};
    struct metrics same = HAND("qv100", op, 1, QV100, "l1.write_local=same");
    struct metrics back = HAND("qv100", op, 1, QV100, "l1.write_local=back");
    counts(&same, 0, 4 + 4 + 1 + 2, 5);
    counts(&back, 4, 4 + 1 + 2, 1);
}

static void private_lines_go_down_when_they_leave(void **state)
{
    (void)state;
    enum { LINES = 48, ROOM = 32 };
    struct hand_op op[LINES + 3] = {0};
    for (uint32_t i = 0; i < LINES; i++)
        op[i] = (struct hand_op){
            .cls = OP_STORE, .space = SPACE_LOCAL, .addr = 4096 + 128 * i, .stride = 4, .lanes = 8};
    const struct hand_op tail[] = {PAUSE, END};
    memcpy(op + LINES, tail, sizeof tail);
    struct metrics m = HAND("qv100", op, 1, QV100, "l1.write_local=back", "l1.adaptive=false",
                            "l1.kb=4", "l1.ways=32", "l1.index=modulo");
    assert_near(run_value(&m, "l2.writes"), LINES + 2 - ROOM, 0);
}

/* Lanes of an atomic to one address are one access, or go apart: as many accesses as lanes, which
 * the network's port and the slice serve one a cycle. */
static void lanes_of_an_atomic_join_or_go_apart(void **state)
{
    (void)state;
    double cycles[2][3];
    for (int apart = 0; apart < 2; apart++) {
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t lanes[] = {1, 8, 32};
            const struct hand_op op[] = {
                {.cls = OP_ATOMIC, .space = SPACE_GLOBAL, .addr = 4096, .lanes = lanes[k]}, END};
            struct metrics m = HAND("qv100", op, 1, "l2.ports=4",
                                    apart ? "sm.combine_atomics=false" : "sm.combine_atomics=true");
            cycles[apart][k] = run_value(&m, "cycles");
            assert_near(run_value(&m, "l1.accesses"), apart ? lanes[k] : 1, 0);
            assert_near(run_value(&m, "l2.writes"), apart ? lanes[k] : 1, 0);
            assert_near(run_value(&m, "dram.reads"), 1, 0);
            assert_near(cycles[apart][k] - cycles[apart][0], apart ? lanes[k] - 1 : 0, 0);
        }
    }
}

/* Others than those to one address are not concerned: 32 words of a line are its four sectors. */
static void atomics_of_other_addresses_join(void **state)
{
    (void)state;
    const struct hand_op op[] = {
        {.cls = OP_ATOMIC, .space = SPACE_GLOBAL, .addr = 4096, .stride = 4, .lanes = 32}, END};
    const char *const sets[] = {"sm.combine_atomics=false", "sm.combine_atomics=true"};
    for (int i = 0; i < 2; i++) {
        struct metrics m = HAND("qv100", op, 1, sets[i]);
        assert_near(run_value(&m, "l1.accesses"), 4, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_of_an_atomic_join_or_go_apart),
        cmocka_unit_test(atomics_of_other_addresses_join),
        cmocka_unit_test(a_store_that_hits_evicts_or_updates),
        cmocka_unit_test(an_overtaken_fill_is_not_kept),
        cmocka_unit_test(stores_to_one_line_go_down_together),
        cmocka_unit_test(the_line_stored_to_longest_ago_gives_way),
        cmocka_unit_test(who_reads_below_reads_what_was_stored),
        cmocka_unit_test(private_stores_stay),
        cmocka_unit_test(private_lines_go_down_when_they_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
