/* partitions.c - partitions of the L2: what a near hit, a far hit and a far miss take, which
 * footprints copies hold, what stores do to them, and the same for L2s of their own over a
 * memory-side cache; the functional pass leaves the same lines. */
#include "tests/support/few_line_runs.h"
#include "tests/support/hand.h"
#include "tests/support/run.h"
#include "tests/support/warm_pass.h"

/* Two slices of 16 lines, one in each partition, which take lines in turn; no L1, a memory of a
 * time and no bandwidth. The SMs ask slices of their own half. */
enum { LINE = 64, NEAR_LINES = 16, OPS = 3 * 64, LINK = 30, LATENCY = 10 };
#define BED                                                                                  \
    "l1.enabled=false", "l2.miss_management=replace_at_once", "l2.banks=2", "l2.bank_kb=1",  \
        "l2.ways=16", "l2.line_bytes=64", "l2.sector_bytes=64", "l2.interleave_bytes=64",    \
        "l2.slice_hash=modulo", "l2.latency=10", "dram.channels=1", "dram.model=fixed",      \
        "dram.fixed_latency=100", "sm.count=2", "l2.mshr.entries=64", "clock.core_mhz=1000", \
        "clock.noc_mhz=1000", "clock.l2_mhz=1000", "dram.clock_mhz=1000"
#define PARTED "l2.partitions=2", "l2.link_latency=30"

/* One warp reads `rounds` times `lines` lines, each after the one before it, `step` lines apart. */
static struct metrics chase(uint32_t first, uint32_t step, uint32_t lines, uint32_t rounds,
                            const char *const *sets)
{
    struct hand_op op[OPS + 1] = {{0}};
    size_t n = 0;
    while (sets[n])
        n++;
    assert_true(lines * rounds <= OPS);
    for (uint32_t i = 0; i < lines * rounds; i++)
        op[i] = (struct hand_op){.cls = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .pc = 16 * i,
                                 .addr = (1u << 20) + (first + i % lines * step) * LINE,
                                 .after = true};
    op[lines * rounds].cls = OP_N;
    return hand_run("rx540", sets, n, op, 1);
}
#define CHASE(first, step, lines, rounds, ...) \
    chase(first, step, lines, rounds, (const char *const[]){BED, __VA_ARGS__, NULL})

/* SM 0 is in the half whose slice has the even lines: these take the same time as ever. A far miss
 * takes the link twice and the home's look-up more; a hit of a copy is a near hit. */
static void a_copy_is_as_near_as_a_line(void **state)
{
    struct metrics one = CHASE(0, 2, 16, 1, "l2.partitions=1"), near = CHASE(0, 2, 16, 1, PARTED),
                   far = CHASE(1, 2, 16, 1, PARTED), near_twice = CHASE(0, 2, 16, 2, PARTED),
                   far_twice = CHASE(1, 2, 16, 2, PARTED);
    (void)state;
    assert_near(near.v[M_cycles], one.v[M_cycles], 0);
    assert_near(far.v[M_cycles] - near.v[M_cycles], 16 * (2 * LINK + LATENCY), 0);
    assert_near(far_twice.v[M_cycles] - far.v[M_cycles], near_twice.v[M_cycles] - near.v[M_cycles],
                1);
    assert_near(run_value(&far_twice, "l2.copy_hits"), 16, 0);
    assert_near(run_value(&far_twice, "l2.copy_fetches"), 16, 0);
    assert_near(run_value(&far_twice, "l2.reads"), 32, 0);
    assert_near(run_value(&far_twice, "l2.read_hits"), 16, 0);
    assert_near(run_value(&near_twice, "l2.copy_hits"), 0, 0);
}

/* A link of few bytes per cycle: a header there, a header and a sector back, each in whole cycles.
 */
static void a_link_carries_so_many_bytes(void **state)
{
    struct machine m = run_machine("rx540", NULL, 0);
    uint32_t header = m.noc.header_bytes, there = (header + 3) / 4, back = (header + LINE + 3) / 4;
    struct metrics wide = CHASE(1, 2, 16, 1, PARTED),
                   narrow = CHASE(1, 2, 16, 1, PARTED, "l2.link_bytes=4");
    (void)state;
    assert_near(narrow.v[M_cycles] - wide.v[M_cycles], 16 * (there + back), 0);
    assert_near(run_value(&wide, "l2.link_bytes"), 16 * (2 * header + LINE), 0);
}

/* Consecutive lines, over and over. Up to a near slice's lines, all hit near. Beyond, none does:
 * the near ones come from memory, the far ones from their home slice; beyond both slices, all come
 * from memory. */
static void near_slices_hold_near_and_far_lines(void **state)
{
    enum { FITS = NEAR_LINES, HALF = 3 * NEAR_LINES / 2, BEYOND = 3 * NEAR_LINES };
    struct metrics fits = CHASE(0, 1, FITS, 4, PARTED), half = CHASE(0, 1, HALF, 4, PARTED),
                   beyond = CHASE(0, 1, BEYOND, 4, PARTED);
    (void)state;
    assert_near(run_value(&fits, "l2.fetches"), FITS, 0);
    assert_near(run_value(&fits, "l2.copy_hits"), 3 * FITS / 2, 0);
    assert_near(run_value(&half, "l2.copy_hits"), 0, 0);
    assert_near(run_value(&half, "l2.copy_fetches"), 4 * HALF / 2, 0);
    assert_near(run_value(&half, "l2.read_hits"), 3 * HALF / 2, 0);
    assert_near(run_value(&half, "l2.fetches"), HALF + 3 * HALF / 2, 0);
    assert_near(run_value(&beyond, "l2.read_hits"), 0, 0);
    assert_near(run_value(&beyond, "l2.fetches"), 4 * BEYOND, 0);
}

/* The same as times: a round of lines of which the near ones miss and the far ones hit at home. */
static void a_far_hit_takes_two_links_and_a_look_up(void **state)
{
    enum { N = 3 * NEAR_LINES / 2 };
    struct metrics near = CHASE(0, 2, 16, 1, PARTED), fewer = CHASE(0, 2, 15, 1, PARTED),
                   again = CHASE(0, 2, 16, 2, PARTED), three = CHASE(0, 1, N, 3, PARTED),
                   four = CHASE(0, 1, N, 4, PARTED);
    double miss = near.v[M_cycles] - fewer.v[M_cycles],
           hit = (again.v[M_cycles] - near.v[M_cycles]) / 16;
    (void)state;
    assert_near(four.v[M_cycles] - three.v[M_cycles], N / 2 * (miss + hit + 2 * LINK + LATENCY), 0);
}

#define LOAD(line)                                                                         \
    {                                                                                      \
        .cls = OP_LOAD, .space = SPACE_GLOBAL, .pc = 16, .addr = (1u << 20) + (line)*LINE, \
        .after = 1                                                                         \
    }
#define STORE(line)                                                                         \
    {                                                                                       \
        .cls = OP_STORE, .space = SPACE_GLOBAL, .pc = 32, .addr = (1u << 20) + (line)*LINE, \
        .after = 1                                                                          \
    }

/* A store to a far line goes over the link and removes the writer's copy; the read behind it gets
 * the stored data from the home (the shadow memory sees to that). */
static void a_store_is_performed_at_home(void **state)
{
    const struct hand_op op[] = {LOAD(1),  STORE(1), LOAD(1),      LOAD(1),
                                 STORE(0), LOAD(0),  {.cls = OP_N}};
    const char *const sets[] = {BED, PARTED};
    struct metrics m = hand_run("rx540", sets, sizeof sets / sizeof *sets, op, 1);
    (void)state;
    assert_near(run_value(&m, "l2.link_writes"), 1, 0);
    assert_near(run_value(&m, "l2.writes"), 2, 0);
    assert_near(run_value(&m, "l2.copy_fetches"), 2, 0);
    assert_near(run_value(&m, "l2.copy_drops"), 1, 0);
    assert_near(run_value(&m, "l2.copy_hits"), 1, 0);
}

/* L2s of their own: all lines are near, a round of an L2 behind a launch begins empty, and atomics
 * go past it to the memory side. */
static void an_l2_of_its_own_asks_the_memory_side(void **state)
{
    const char *const several[] = {
        BED,         "l2.partitions=2", "l2.partition_home=memory", "l3.kb=16",
        "l3.ways=4", "l3.latency=20",   "l3.link_latency=7"};
    const size_t n = sizeof several / sizeof *several;
    const struct hand_op atomic[] = {
        LOAD(1),
        {.cls = OP_ATOMIC, .space = SPACE_GLOBAL, .pc = 64, .addr = (1u << 20) + LINE},
        LOAD(1),
        {.cls = OP_N}};
    (void)state;
    struct metrics m = CHASE(0, 1, NEAR_LINES, 4, "l2.partitions=2", "l2.partition_home=memory",
                             "l3.kb=16", "l3.ways=4");
    assert_near(run_value(&m, "l2.fetches"), NEAR_LINES, 0);
    assert_near(run_value(&m, "l2.read_hits"), 3 * NEAR_LINES, 0);
    m = CHASE(0, 1, 2 * NEAR_LINES, 4, "l2.partitions=2", "l2.partition_home=memory", "l3.kb=16",
              "l3.ways=4");
    assert_near(run_value(&m, "l2.read_hits"), 0, 0);
    assert_near(run_value(&m, "l3.read_hits"), 3 * 2 * NEAR_LINES, 0);
    m = hand_run("rx540", several, n, atomic, 1);
    assert_near(run_value(&m, "l2.fetches"), 2, 0);
    assert_near(run_value(&m, "l3.reads"), 3, 0);
    assert_near(run_value(&m, "l3.writes"), 1, 0);
}

/* Two CTAs read one line on two of four SMs: the first two SMs share an L2, or each has its own. */
static void sms_belong_to_l2s_in_turn(void **state)
{
    static const char *const order[] = {"l2.partition_sms=in_a_row", "l2.partition_sms=in_turn"};
    const struct hand_op op[] = {LOAD(1), {.cls = OP_N}};
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        const char *const sets[] = {BED, "sm.count=4", "l2.partitions=2",
                                    "l2.partition_home=memory", order[i]};
        struct machine m = run_machine("rx540", sets, sizeof sets / sizeof *sets);
        struct metrics got = run_whole(&m, hand_program(op, 2, 1, m.sm.warp_width));
        assert_near(run_value(&got, "l2.fetches"), 1 + i, 0);
    }
}

/* Cycles that each of 8 more accesses takes, of which none waits for another, if a slice may have
 * so many under way and the L3 acknowledges writes so much later. */
static double cycles_with(enum op_class cls, const char *requests, const char *writes)
{
    enum { FEW = 8, MANY = 16 };
    const char *const sets[] = {BED,
                                "l2.partitions=2",
                                "l2.partition_home=memory",
                                "l2.write=through",
                                "l2.write_miss=no_allocate",
                                "l3.kb=16",
                                "l3.ways=4",
                                "l3.tag_latency=4",
                                "l3.link_latency=7",
                                requests,
                                writes};
    struct hand_op op[MANY + 1] = {{0}};
    double cycles[2];
    for (uint32_t i = 0; i < MANY; i++)
        op[i] = (struct hand_op){.cls = (uint8_t)cls,
                                 .space = SPACE_GLOBAL,
                                 .pc = 16 * i,
                                 .addr = (1u << 20) + i * LINE};
    op[MANY].cls = OP_N;
    cycles[1] = hand_run("rx540", sets, sizeof sets / sizeof *sets, op, 1).v[M_cycles];
    op[FEW].cls = OP_N;
    cycles[0] = hand_run("rx540", sets, sizeof sets / sizeof *sets, op, 1).v[M_cycles];
    return (cycles[1] - cycles[0]) / (MANY - FEW);
}

static double cycles_each(enum op_class cls, const char *requests)
{
    return cycles_with(cls, requests, "l3.write_latency=0");
}

/* One at a time: a read has the link there and back, the L3's look-up and the memory's 100 cycles
 * to itself, and goes at the edge behind; a write all but the memory, and its acknowledgement's
 * way. Two at a time take half. */
static void a_slice_has_so_many_requests_under_way(void **state)
{
    enum { WAY = 2 * 7 + 4, EDGES = 4 };
    double read = cycles_each(OP_LOAD, "l2.link_requests=1"),
           write = cycles_each(OP_STORE, "l2.link_requests=1");
    (void)state;
    assert_near(read, WAY + 100, EDGES);
    assert_near(cycles_each(OP_LOAD, "l2.link_requests=2"), read / 2, 1);
    assert_true(cycles_each(OP_LOAD, "l2.link_requests=0") < read / 4);
    assert_near(write, WAY, EDGES);
    assert_near(cycles_each(OP_STORE, "l2.link_requests=2"), write / 2, 1);
    assert_true(cycles_each(OP_STORE, "l2.link_requests=0") < write / 4);
    assert_near(cycles_with(OP_STORE, "l2.link_requests=1", "l3.write_latency=83"), WAY + 83,
                EDGES);
    assert_near(cycles_with(OP_LOAD, "l2.link_requests=1", "l3.write_latency=83"), read, 0);
}

/* Random programs under few lines and short queues: no read sees old data, counts add up, and
 * nothing waits for ever. */
static void nothing_waits_for_ever_between_partitions(void **state)
{
    static const char *const presets[] = {"rx540", "hd7770-fgcs18"};
    static const char *const base[][2] = {{"sm.count", "5"},
                                          {"coherence.protocol", "none"},
                                          {"l2.inclusion", "non_inclusive"},
                                          {"l2.miss_management", "replace_at_once"},
                                          {"l2.banks", "4"},
                                          {"l2.partitions", "2"}};
    static const char *const drawn[][DRAWN_MAX] = {
        {"l2.partitions", "2", "4", "2", "2"},
        {"l2.partition_home", "partition", "partition", "partition", "memory"},
        {"l2.partition_sms", "in_a_row", "in_turn", "in_a_row", "in_turn"},
        {"l2.link_latency", "1", "3", "50", "1"},
        {"l2.link_bytes", "0", "1", "32", "7"},
        {"l2.link_requests", "0", "2", "7", "1"},
        {"l2.bank_kb", "1", "2", "4", "2"},
        {"l2.ways", "1", "2", "8", "4"},
        {"l2.ports", "1", "1", "2", "4"},
        {"l2.write", "back", "through", "back", "back"},
        {"l2.write_miss", "fetch", "validate", "no_allocate", "lazy_fetch"},
        {"l2.alloc", "on_miss", "on_fill", "on_miss", "on_miss"},
        {"l2.mshr.entries", "1", "2", "64", "0"},
        {"l2.mshr.max_merge", "1", "2", "0", "4"},
        {"l2.input_queue", "1", "2", "16", "1"},
        {"l2.miss_queue", "1", "1", "16", "2"},
        {"l2.reply_queue", "1", "2", "16", "1"},
        {"l2.data_banks", "0", "0", "1", "2"},
        {"l2.prefetch", "none", "none", "next_line", "open_row"},
        {"l3.kb", "0", "0", "4", "16"},
        {"l3.write", "around", "back", "back", "around"},
        {"l3.write_miss", "around", "allocate", "allocate", "around"},
        {"l3.queue", "1", "2", "16", "1"},
        {"l3.write_latency", "0", "1", "9", "200"},
        {"l1.write", "through", "back", "evict", "through"}};
    const struct setting s = {
        presets, 2, base, sizeof base / sizeof *base, drawn, sizeof drawn / sizeof *drawn};
    (void)state;
    drawn_cases(&s, 100, 17, "partitions");
}

/* After two rounds of a chase, both machines have the same lines in the same slices. */
static void a_functional_pass_keeps_the_same_copies(void **state)
{
    struct hand_op op[] = {LOAD(1), LOAD(2), LOAD(3), LOAD(1),      STORE(3),
                           LOAD(5), LOAD(5), LOAD(5), {.cls = OP_N}};
    const char *const sets[] = {BED, PARTED};
    struct machine m = run_machine("rx540", sets, sizeof sets / sizeof *sets);
    struct program *p = hand_program(op, 1, 1, m.sm.warp_width);
    uint64_t moment = 7;
    struct snapshot pass;
    struct error e = {0};
    (void)state;
    if (!checkpoints_take_snapshots(&m, p, &moment, 1, true, &pass, &e)) fail_msg("%s", e.text);
    /* near: 2 of its own, copies of 1 and 5 (that of 3 is gone); home of the odd ones: 1, 3, 5 */
    assert_int_equal(pass.warm->slice[0].n, 3);
    assert_int_equal(pass.warm->slice[1].n, 3);
    for (uint32_t k = 0; k < 3; k++)
        assert_true(pass.warm->slice[0].line[k].dirty == 0);
    snapshot_fini(&pass);
    program_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_is_as_near_as_a_line),
        cmocka_unit_test(a_link_carries_so_many_bytes),
        cmocka_unit_test(near_slices_hold_near_and_far_lines),
        cmocka_unit_test(a_far_hit_takes_two_links_and_a_look_up),
        cmocka_unit_test(a_store_is_performed_at_home),
        cmocka_unit_test(an_l2_of_its_own_asks_the_memory_side),
        cmocka_unit_test(sms_belong_to_l2s_in_turn),
        cmocka_unit_test(a_slice_has_so_many_requests_under_way),
        cmocka_unit_test(a_functional_pass_keeps_the_same_copies),
        cmocka_unit_test(nothing_waits_for_ever_between_partitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
