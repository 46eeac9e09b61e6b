/* bypass.c - who goes round an L1: sequences of single loads worked out from the flow
 * chart of AGCB (section 4, figure 2), and what the predictor is for. */
#include "gpu/functional/warming/checkpoints.h"
#include "tests/support/hand.h"
#include "tests/support/warm_pass.h"

enum { FULL = 15, PC = 0x30, A = 4096, B = 8192 };

#define AGCB                                                                                \
    "l1.bypass=agcb", "l1.alloc=on_fill", "l1.write_miss=no_allocate", "l1.adaptive=false", \
        "l1.kb=4", "l1.ways=32", "l1.index=modulo"

static struct hand_op load(uint32_t pc, uint64_t addr)
{
    return (struct hand_op){
        .cls = OP_LOAD, .space = SPACE_GLOBAL, .pc = pc, .addr = addr, .after = true};
}

struct want {
    double bypasses, mispredictions, hits, misses;
};

static void holds(const struct metrics *m, struct want w)
{
    assert_near(run_value(m, "l1.bypasses"), w.bypasses, 0);
    assert_near(run_value(m, "l1.mispredictions"), w.mispredictions, 0);
    assert_near(run_value(m, "l1.hits"), w.hits, 0);
    assert_near(run_value(m, "l1.misses"), w.misses, 0);
}

/* `reuses` hits of A, then two loads of B by the same PC. */
static struct metrics reuse_then_new(uint32_t reuses, const char *set)
{
    struct hand_op op[64];
    uint32_t n = 0;
    op[n++] = load(PC, A); /* predicted, the L2 did not have it: round */
    op[n++] = load(PC, A); /* predicted, but it had gone round before: filled */
    for (uint32_t i = 0; i < reuses; i++)
        op[n++] = load(PC, A);
    op[n++] = load(PC, B);
    op[n++] = load(PC, B);
    op[n] = (struct hand_op){.cls = OP_N};
    return HAND("qv100", op, 1, AGCB, set);
}

static void hits_count_down_to_the_threshold(void **state)
{
    (void)state;
    struct metrics enough = reuse_then_new(8, "l1.agcb.initial=15"); /* 15 - 8 = 7 < 8 */
    holds(&enough, (struct want){2, 1, 8 + 1, 1});
    struct metrics short_of = reuse_then_new(7, "l1.agcb.initial=15"); /* B: round, then filled */
    holds(&short_of, (struct want){4, 2, 7, 0});
    struct metrics above = reuse_then_new(7, "l1.agcb.threshold=9"); /* 8 < 9 */
    holds(&above, (struct want){2, 1, 7 + 1, 1});
    struct metrics never = reuse_then_new(3, "l1.agcb.threshold=16"); /* nothing is predicted */
    holds(&never, (struct want){0, 0, 1 + 3 + 1, 2});
    struct metrics bits = reuse_then_new(9, "l1.agcb.counter_bits=8"); /* starts at 15 there, too */
    holds(&bits, (struct want){2, 1, 9 + 1, 1});
}

/* 40 lines in an L1 of 32: the 33rd pushes the first out unused, and from then on the PC's loads go
 * round. */
static void evictions_count_up(void **state)
{
    (void)state;
    enum { LINES = 40, ROOM = 32 };
    struct hand_op op[LINES + 1];
    for (uint32_t i = 0; i < LINES; i++)
        op[i] = load(PC, A + 128 * i);
    op[LINES] = (struct hand_op){.cls = OP_N};
    struct metrics m = HAND("qv100", op, 1, AGCB, "l1.agcb.initial=0", "l1.agcb.threshold=1");
    holds(&m, (struct want){LINES - ROOM - 1, 0, 0, ROOM + 1});
    m = HAND("qv100", op, 1, AGCB, "l1.agcb.initial=0", "l1.agcb.threshold=3");
    holds(&m, (struct want){LINES - ROOM - 3, 0, 0, ROOM + 3});
}

/* With lines taken at the miss the victim leaves then, even if the new data are not kept: the count
 * rises as before, and each load that goes round costs a line. */
static void lines_taken_at_the_miss_leave_in_vain(void **state)
{
    (void)state;
    enum { LINES = 40, ROOM = 32 };
    struct hand_op op[LINES + 2];
    for (uint32_t i = 0; i < LINES; i++)
        op[i] = load(PC, A + 128 * i);
    op[LINES] = load(PC, A + 128 * (ROOM - 10)); /* would still be there */
    op[LINES + 1] = (struct hand_op){.cls = OP_N};
    struct metrics fill = HAND("qv100", op, 1, AGCB, "l1.agcb.initial=0", "l1.agcb.threshold=1");
    holds(&fill, (struct want){LINES - ROOM - 1, 0, 1, ROOM + 1});
    struct metrics miss =
        HAND("qv100", op, 1, AGCB, "l1.agcb.initial=0", "l1.agcb.threshold=1", "l1.alloc=on_miss");
    /* the 33rd load's own miss pushes a line out before it asks: one fewer is filled */
    holds(&miss, (struct want){LINES - ROOM, 0, 1, ROOM});
}

/* The load that used a line before learns from the next one's hit, whoever that is. */
static void the_last_user_learns(void **state)
{
    (void)state;
    struct hand_op op[32];
    uint32_t n = 0;
    op[n++] = load(PC, A);
    op[n++] = load(PC, A);           /* filled: the line is PC's */
    op[n++] = load(PC + 1, A);       /* PC counts down, the line is PC + 1's */
    for (uint32_t i = 0; i < 8; i++) /* PC + 1 counts down eight times */
        op[n++] = load(PC + 1, A);
    op[n++] = load(PC, B);             /* PC stands at 14: round */
    op[n++] = load(PC + 1, B + 4096);  /* PC + 1 at 7: filled */
    op[n++] = load(PC + 257, B + 128); /* 256 counters: the same one */
    op[n] = (struct hand_op){.cls = OP_N};
    struct metrics m = HAND("qv100", op, 1, AGCB, "l1.agcb.entries=256");
    holds(&m, (struct want){3, 1, 9, 2});
    m = HAND("qv100", op, 1, AGCB, "l1.agcb.entries=512");
    holds(&m, (struct want){4, 1, 9, 1});
    m = HAND("qv100", op, 1, AGCB, "l1.agcb.entries=256", "l1.agcb.pc_shift=4");
    holds(&m, (struct want){3, 1, 9, 2}); /* PC and PC + 1 are one, 16 bytes further another */
}

/* The report's order: no load ever looks, so none hits and no counter falls; what comes back from
 * the L2 fills the L1 in vain.  That explains why its figures did not move. */
static void asking_the_table_first_bypasses_everything(void **state)
{
    (void)state;
    enum { TIMES = 20 };
    struct hand_op op[TIMES + 1];
    for (uint32_t i = 0; i < TIMES; i++)
        op[i] = load(PC, A);
    op[TIMES] = (struct hand_op){.cls = OP_N};
    struct metrics chart = HAND("qv100", op, 1, AGCB);
    holds(&chart, (struct want){2, 1, TIMES - 2, 0});
    struct metrics report = HAND("qv100", op, 1, AGCB, "l1.agcb.lookup_first=true");
    holds(&report, (struct want){TIMES, 1, 0, 0});
}

/* A stream that never comes back, and a table of `table` lines read round and round through an L1
 * of 32: the stream pushes the table out, unless it goes round. */
static void a_stream_beside_a_table(struct hand_op *op, uint32_t steps, uint32_t table)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < steps; i++) {
        op[n] = load(0x10, (1 << 20) + 256 * i), op[n].lanes = 32, op[n++].stride = 4;
        op[n] = load(0x20, (1 << 20) + 256 * i + 128), op[n].lanes = 32, op[n++].stride = 4;
        op[n] = load(0x30, A + 128 * (i % table)), op[n].lanes = 32, op[n++].stride = 4;
    }
    op[n] = (struct hand_op){.cls = OP_N};
}

static void prediction_beats_both_extremes(void **state)
{
    (void)state;
    enum { STEPS = 600 };
    static struct hand_op op[3 * STEPS + 1];
    a_stream_beside_a_table(op, STEPS, 24);
    struct metrics none = HAND("qv100", op, 1, AGCB, "l1.bypass=none");
    struct metrics all = HAND("qv100", op, 1, AGCB, "l1.bypass=all");
    struct metrics agcb = HAND("qv100", op, 1, AGCB);
    double hits = 4.0 * (STEPS - 2 * 24); /* at most: the first two rounds fill */
    assert_near(run_value(&none, "l1.hits"), 0, 0);
    assert_near(run_value(&all, "l1.bypasses"), 4.0 * 3 * STEPS, 0);
    assert_true(run_value(&agcb, "l1.hits") > 0.9 * hits);
    assert_true(run_value(&agcb, "cycles") < 0.9 * run_value(&none, "cycles"));
    assert_true(run_value(&agcb, "cycles") < 0.9 * run_value(&all, "cycles"));
}

/* The last third of the steps reads another table, which fits beside the first: a predictor that
 * has learnt fills it at the first round, one that starts anew would let it go round once more. */
static void an_interval_finds_what_was_learnt(void **state)
{
    (void)state;
    enum { STEPS = 600, LAST = 204, TABLE = 12 };
    static struct hand_op op[3 * STEPS + 1];
    a_stream_beside_a_table(op, STEPS, TABLE);
    for (uint32_t i = STEPS - LAST; i < STEPS; i++)
        op[3 * i + 2].addr += 1 << 16;
    const char *const sets[] = {AGCB};
    struct machine m = run_machine("qv100", sets, sizeof sets / sizeof *sets);
    struct program *p = hand_program(op, 1, 1, m.sm.warp_width);
    struct error e = {0};
    struct sim *s = sim_new(&m, p, &e);
    struct snapshot at;
    struct metrics window, cold;
    uint64_t moment = 3 * (STEPS - LAST);
    assert_non_null(s);
    assert_true(checkpoints_take_snapshots(&m, p, &moment, 1, true, &at, &e));
    assert_int_equal(sim_interval(s, &at.interval, at.warm, &window, &e), SIM_DONE);
    assert_int_equal(sim_interval(s, &at.interval, NULL, &cold, &e), SIM_DONE);
    assert_near(run_value(&window, "l1.hits"), 4.0 * (LAST - TABLE), 0);
    assert_near(run_value(&cold, "l1.hits"), 4.0 * (LAST - 2 * TABLE), 0);
    snapshot_fini(&at);
    sim_free(s);
    program_close(p);
}

static void hints_are_heeded_or_not(void **state)
{
    (void)state;
    struct hand_op op[] = {load(PC, A), load(PC, A), load(PC, A), {.cls = OP_N}};
    for (int i = 0; i < 3; i++)
        op[i].hint = HINT_BYPASS_L1;
    struct metrics m = HAND("qv100", op, 1, "l1.bypass=hinted");
    assert_near(run_value(&m, "l1.bypasses"), 3, 0);
    m = HAND("qv100", op, 1, "l1.bypass=none");
    assert_near(run_value(&m, "l1.bypasses"), 0, 0);
    assert_near(run_value(&m, "l1.hits"), 2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_count_down_to_the_threshold),
        cmocka_unit_test(evictions_count_up),
        cmocka_unit_test(lines_taken_at_the_miss_leave_in_vain),
        cmocka_unit_test(the_last_user_learns),
        cmocka_unit_test(asking_the_table_first_bypasses_everything),
        cmocka_unit_test(prediction_beats_both_extremes),
        cmocka_unit_test(an_interval_finds_what_was_learnt),
        cmocka_unit_test(hints_are_heeded_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
