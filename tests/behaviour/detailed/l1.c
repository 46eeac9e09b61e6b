/* l1.c - what an L1 has beside its tags: banks, a table of tags that is larger than the
 * data, waking in turn.  Closed forms from the parameters. */
#include "tests/support/hand.h"

enum { MANY = 128 };

/* `n` times the same load of 32 lanes, one sector each, `stride` bytes apart. */
static void same_loads(struct hand_op *op, uint32_t n, uint64_t stride)
{
    for (uint32_t i = 0; i < n; i++)
        op[i] = (struct hand_op){.cls = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .pc = 16 * i,
                                 .addr = 1 << 20,
                                 .stride = stride,
                                 .lanes = 32};
    op[n] = (struct hand_op){.cls = OP_N};
}

/* Cycles that one more load of 32 hits takes when nothing but the L1 limits. */
static double cycles_per_load(uint64_t stride, const char *a, const char *b, const char *c)
{
    struct hand_op op[MANY + 1];
    double cycles[2];
    for (uint32_t k = 0; k < 2; k++) {
        same_loads(op, k ? MANY : MANY / 2, stride);
        struct metrics m = HAND("qv100", op, 4, "l1.latency=8", a, b, c);
        cycles[k] = run_value(&m, "cycles");
    }
    return (cycles[1] - cycles[0]) / (4.0 * MANY / 2);
}

static void accesses_to_one_bank_take_turns(void **state)
{
    (void)state;
    static const struct {
        uint64_t stride;
        const char *banks, *bytes;
        double want;
    } cases[] = {
        {128, "l1.banks=1", "l1.bank_bytes=32", 8},  /* ports alone: 4 a cycle */
        {128, "l1.banks=4", "l1.bank_bytes=32", 32}, /* all in bank 0 */
        {32, "l1.banks=4", "l1.bank_bytes=32", 8},   /* 4 neighbours in 4 banks */
        {64, "l1.banks=4", "l1.bank_bytes=32", 16},  /* banks 0 and 2 only */
        {32, "l1.banks=4", "l1.bank_bytes=64", 16},  /* two neighbours share a bank */
        {32, "l1.banks=4", "l1.bank_bytes=16", 16},  /* a sector takes two banks */
        {128, "l1.banks=8", "l1.bank_bytes=32", 16}, /* banks 0 and 4 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_near(cycles_per_load(cases[i].stride, "l1.ports=4", cases[i].banks, cases[i].bytes),
                    cases[i].want, 0.02 * cases[i].want);
}

/* The way into the L1 takes so much of an instruction in a cycle, with ports for all that comes. */
static void instructions_take_turns_inside(void **state)
{
    (void)state;
    static const struct {
        uint64_t stride;
        const char *limit;
        double want;
    } cases[] = {
        {4, "l1.lookups=4", 1},          {128, "l1.lookups=4", 8},
        {512, "l1.lookups=4", 32},       {4, "l1.word_banks=32", 1},
        {8, "l1.word_banks=32", 2},      {36, "l1.word_banks=32", 1},
        {64, "l1.word_banks=32", 16},    {128, "l1.word_banks=32", 32},
        {4, "l1.bytes_per_cycle=64", 2}, {4, "l1.scattered_lanes=2", 1},
        {8, "l1.scattered_lanes=2", 16}, {16, "l1.scattered_lanes=2", 32},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_near(cycles_per_load(cases[i].stride, cases[i].limit, "l1.ports=32", "l1.banks=1"),
                    cases[i].want, 0.02 * cases[i].want);
}

/* One load of 32 hits takes as much longer as its instruction has turns. */
static void the_last_lane_waits_for_the_others(void **state)
{
    (void)state;
    enum { LOADS = 5 };
    struct hand_op op[LOADS + 1];
    for (uint32_t i = 0; i < LOADS; i++)
        op[i] = (struct hand_op){.cls = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .addr = 1 << 20,
                                 .stride = 128,
                                 .lanes = 32,
                                 .after = true};
    op[LOADS] = (struct hand_op){.cls = OP_N};
    struct metrics at_once = HAND("qv100", op, 1, "l1.ports=32", "l1.banks=1"),
                   turns = HAND("qv100", op, 1, "l1.ports=32", "l1.banks=1", "l1.word_banks=32");
    double more = run_value(&turns, "cycles") - run_value(&at_once, "cycles"), v;
    assert_true(more >= 31 * (LOADS - 1) && more <= 31 * LOADS); /* the first one misses */
    assert_int_equal(run_value(&turns, "l1.instruction_cycles"), 32 * LOADS);
    assert_false(metrics_value(&at_once, "l1.instruction_cycles", &v));
}

/* W warps ask for one sector at once: the k-th is woken k cycles after the first. */
static void waiting_warps_are_woken_one_per_cycle(void **state)
{
    (void)state;
    enum { WARPS = 16 };
    const struct hand_op op[] = {{.cls = OP_LOAD, .space = SPACE_GLOBAL, .addr = 4096},
                                 {.cls = OP_N}};
    struct metrics at_once = HAND("qv100", op, WARPS, "l1.mshr.max_merge=0", "l1.wake=together");
    struct metrics in_turn = HAND("qv100", op, WARPS, "l1.mshr.max_merge=0", "l1.wake=in_turn");
    assert_int_equal(run_value(&at_once, "l1.merges"), WARPS - 1);
    assert_int_equal(run_value(&in_turn, "l1.merges"), WARPS - 1);
    double more =
        run_value(&in_turn, "latency.load_mean") - run_value(&at_once, "latency.load_mean");
    assert_near(more, (WARPS - 1) / 2.0, 1e-9);
}

/* `n` loads of 32 lines each, all different. */
static void far_loads(struct hand_op *op, uint32_t n)
{
    same_loads(op, n, 128);
    for (uint32_t i = 0; i < n; i++)
        op[i].addr += (uint64_t)i * 4096;
}

/* Lines in flight are bounded by the tags, whatever the data array holds: one set, so that every
 * line that is there may give its tag. */
static void throughput_is_tags_over_latency(void **state)
{
    (void)state;
    const char *const tags[] = {"l1.tags=32", "l1.tags=128"};
    struct hand_op few[MANY / 2 + 1], many[MANY + 1];
    far_loads(few, MANY / 2);
    far_loads(many, MANY);
    for (int i = 0; i < 2; i++) {
        const char *const sets[] = {"sm.count=1",        "dram.clock_mhz=1132",
                                    "dram.model=fixed",  "l1.adaptive=false",
                                    "l1.mshr.entries=0", "l1.mshr.max_merge=0",
                                    "l1.miss_queue=64",  "l1.fill_ports=4",
                                    "l2.ports=4",        "l1.kb=4",
                                    "l1.ways=32",        "l1.index=modulo",
                                    "l1.alloc=on_fill",  tags[i]};
        size_t n = sizeof sets / sizeof *sets;
        struct machine m = run_machine("qv100", sets, n);
        struct metrics a = hand_run("qv100", sets, n, few, 1),
                       b = hand_run("qv100", sets, n, many, 1);
        double held =
            2.0 * m.noc.latency + m.l2.extra_latency + m.l2.latency + 1 + m.dram.fixed_latency;
        double fetches = run_value(&b, "l1.misses") - run_value(&a, "l1.misses");
        assert_near(fetches, MANY / 2 * 32, 0);
        double each = (run_value(&b, "cycles") - run_value(&a, "cycles")) / fetches;
        assert_near(each / (held / m.l1.cache.tags), 1, 0.02);
    }
}

/* One set whose lines are taken at the miss: as many fetches are under way as it has ways, and one
 * more for each entry of an FRC, which is held for its swap, too. */
static void throughput_is_lines_and_frc_entries_over_latency(void **state)
{
    (void)state;
    static const struct {
        const char *entries, *swap;
        double more, held;
    } cases[] = {{"l1.frc.entries=0", NULL, 0, 0},
                 {"l1.frc.entries=16", "l1.frc.swap_cycles=0", 16, 0},
                 {"l1.frc.entries=64", "l1.frc.swap_cycles=0", 64, 0},
                 {"l1.frc.entries=64", "l1.frc.swap_cycles=300", 64, 300}};
    struct hand_op few[MANY / 2 + 1], many[MANY + 1];
    far_loads(few, MANY / 2);
    far_loads(many, MANY);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const sets[] = {
            "sm.count=1",       "dram.clock_mhz=1200", "dram.model=fixed", "dram.fixed_latency=400",
            "l1.miss_queue=64", "l1.fill_ports=4",     "l2.ports=4",       "l1.kb=2",
            "l1.ways=32",       cases[i].entries,      "l1.frc.ways=64",   cases[i].swap};
        size_t n = cases[i].swap ? 12 : 10;
        struct machine m = run_machine("rx540", sets, n);
        struct metrics a = hand_run("rx540", sets, n, few, 1),
                       b = hand_run("rx540", sets, n, many, 1);
        double way = 2.0 * m.noc.latency + m.l2.extra_latency + m.l2.latency + 1 + 400;
        double fetches = run_value(&b, "l1.misses") - run_value(&a, "l1.misses");
        double each = (run_value(&b, "cycles") - run_value(&a, "cycles")) / fetches;
        double rate = 32 / way + cases[i].more / (way + cases[i].held);
        print_message("%s %s: %.3f cycles, %.3f\n", cases[i].entries,
                      cases[i].swap ? cases[i].swap : "", each, 1 / rate);
        assert_near(each * rate, 1, 0.03);
    }
}

/* Nothing is pushed out of an L1 that holds all: any FRC is none.  Where it is, no access is lost.
 */
static void an_frc_takes_what_pushes_out(void **state)
{
    (void)state;
    static const char loop[] =
        "generator = \"stream\"; kernel = \"copy\"; ctas = 16; warps_per_cta ="
        " 4; iterations = 8; unroll = 2; footprint = 65536;";
    struct metrics none = RUN("rx540", loop, "l1.kb=512"),
                   any = RUN("rx540", loop, "l1.kb=512", "l1.frc.entries=64"),
                   small = RUN("rx540", loop, "l1.kb=1"),
                   frc = RUN("rx540", loop, "l1.kb=1", "l1.frc.entries=64", "l1.frc.ways=16"),
                   few = RUN("rx540", loop, "l1.kb=1", "l1.frc.entries=64", "l1.frc.ways=16",
                             "l1.mshr.entries=64"); /* a table of MSHRs with an end */
    assert_near(run_value(&any, "l1.frc_fetches"), 0, 0);
    assert_near(run_value(&any, "cycles"), run_value(&none, "cycles"), 0);
    assert_true(run_value(&frc, "l1.frc_fetches") > 0);
    assert_true(run_value(&frc, "l1.frc_fetches") <= run_value(&frc, "l1.misses"));
    assert_near(run_value(&frc, "l1.accesses"), run_value(&small, "l1.accesses"), 0);
    assert_near(run_value(&few, "l1.accesses"), run_value(&small, "l1.accesses"), 0);
    assert_true(run_value(&few, "l1.frc_fetches") > 0);
    /* in its place heads wait for the network, which is as full as before */
    double line = run_value(&frc, "l1.fails_per_kilocycle.line");
    assert_true(line < 0.5 * run_value(&small, "l1.fails_per_kilocycle.line"));
}

#define GATHER(iterations)                                                               \
    "generator = \"gather\"; ctas = 8; warps_per_cta = 8; iterations = " #iterations ";" \
    "unroll = 4; footprint = \"256MB\"; arithmetic = 0;"

/* Misses in flight regardless of lines: the old organisation fails to reserve, the new one does
 * not. */
static void a_streaming_l1_never_waits_for_a_line(void **state)
{
    (void)state;
    struct metrics old = RUN("qv100", GATHER(6), "l1.adaptive=false", "l1.kb=8", "l1.ways=8",
                             "l1.index=modulo", "l1.miss_queue=4096");
    struct metrics now =
        RUN("qv100", GATHER(6), "l1.adaptive=false", "l1.kb=8", "l1.ways=8", "l1.index=modulo",
            "l1.miss_queue=4096", "l1.alloc=on_fill", "l1.mshr.entries=0", "l1.mshr.max_merge=0");
    assert_true(run_value(&old, "l1.stall_cycles") > 0);
    assert_true(run_value(&now, "l1.stall_cycles") == 0);
    assert_true(run_value(&now, "cycles") < run_value(&old, "cycles"));
}

/* Lines of four sectors, each stored to once: the first makes the line, three find it. */
static void stores_under_a_protocol_find_their_lines(void **state)
{
    (void)state;
    static const char *const sets[] = {"coherence.protocol=si", "l1.sector_bytes=16", NULL};
    struct metrics m = run_sets("rx540",
                                "generator = \"stream\"; kernel = \"copy\"; ctas = 8;"
                                "warps_per_cta = 4; iterations = 4;",
                                sets);
    assert_near(run_value(&m, "l1.tag_hits"), run_value(&m, "l1.accesses") * 3 / 4, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_to_one_bank_take_turns),
        cmocka_unit_test(instructions_take_turns_inside),
        cmocka_unit_test(the_last_lane_waits_for_the_others),
        cmocka_unit_test(waiting_warps_are_woken_one_per_cycle),
        cmocka_unit_test(throughput_is_tags_over_latency),
        cmocka_unit_test(throughput_is_lines_and_frc_entries_over_latency),
        cmocka_unit_test(an_frc_takes_what_pushes_out),
        cmocka_unit_test(a_streaming_l1_never_waits_for_a_line),
        cmocka_unit_test(stores_under_a_protocol_find_their_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
