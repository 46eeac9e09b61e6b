/* load_store.c - coalescing against merging, the vector memory buffer and loads that wait
 * aside: closed forms from the parameters (Candel 3.5, 4.5.3). */
#include "base/memory/rng.h"
#include "tests/support/hand.h"

#include <stdio.h>

/* One warp copies 64 elements: in rows of 64 bytes from a block's beginning. */
#define COPY(bytes)                                                                           \
    "generator = \"stream\"; kernel = \"copy\"; ctas = 1; warps_per_cta = 1; iterations = 1;" \
    "element_bytes = " #bytes ";"

/* Nothing but loads of a fresh block of 64 bytes each, 16 warps, many at once. */
#define LOADS(iterations)                                                                  \
    "generator = \"stride\"; stride = 32; element_bytes = 1; ctas = 4; warps_per_cta = 4;" \
    "unroll = 8; arithmetic = 0; iterations = " #iterations ";"

static void whole_rows_make_the_same_accesses_either_way(void **state)
{
    (void)state;
    for (int loads = 0; loads < 2; loads++)
        for (int merge = 0; merge < 2; merge++) {
            const char *c = loads ? "true" : "false", *j = merge ? "true" : "false";
            char set[4][48];
            snprintf(set[0], sizeof set[0], "sm.coalesce_loads=%s", c);
            snprintf(set[1], sizeof set[1], "sm.coalesce_stores=%s", c);
            snprintf(set[2], sizeof set[2], "l1.merge_loads=%s", j);
            snprintf(set[3], sizeof set[3], "l1.merge_stores=%s", j);
            struct metrics m = RUN("rx540", COPY(4), set[0], set[1], set[2], set[3]);
            assert_int_equal(run_value(&m, "l1.reads"), 4); /* 256 bytes */
            assert_int_equal(run_value(&m, "l1.writes"), 4);
            assert_int_equal(run_value(&m, "lane_requests"), 128);
        }
}

/* A block per instruction, asked for by four phases: once if they coalesce, else by each of them.
 */
static void bytes_make_one_access_or_one_per_phase(void **state)
{
    (void)state;
    struct metrics whole = RUN("rx540", COPY(1), "l1.ports=2");
    struct metrics phases =
        RUN("rx540", COPY(1), "sm.coalesce_loads=false", "sm.coalesce_stores=false");
    struct metrics wide = RUN("rx540", COPY(1), "sm.coalesce_loads=false", "sm.phase_lanes=32");
    assert_int_equal(run_value(&whole, "l1.accesses"), 2);
    assert_int_equal(run_value(&phases, "l1.reads"), 4);
    assert_int_equal(run_value(&phases, "l1.writes"), 4);
    assert_int_equal(run_value(&wide, "l1.reads"), 2);
    assert_int_equal(run_value(&wide, "l1.writes"), 1);
}

/* An access stays in the queue for the look-up's time, a phase comes each cycle: those that come
 * meanwhile join it, and one that comes when it leaves does not. */
static void phases_join_while_the_first_is_queued(void **state)
{
    (void)state;
    for (int latency = 1; latency <= 5; latency++) {
        char look_up[32];
        snprintf(look_up, sizeof look_up, "l1.latency=%d", latency);
        int want = (4 + latency - 1) / latency;
        struct metrics m =
            RUN("rx540", COPY(1), look_up, "sm.coalesce_loads=false", "sm.coalesce_stores=false",
                "l1.merge_loads=true", "l1.merge_stores=true");
        struct metrics stores = RUN("rx540", COPY(1), look_up, "sm.coalesce_loads=false",
                                    "sm.coalesce_stores=false", "l1.merge_stores=true");
        assert_int_equal(run_value(&m, "l1.reads"), want);
        assert_int_equal(run_value(&m, "l1.writes"), want);
        assert_int_equal(run_value(&m, "l1.joined"), 2 * (4 - want));
        assert_int_equal(run_value(&stores, "l1.reads"), 4);
        assert_int_equal(run_value(&stores, "l1.writes"), want);
    }
}

/* A machine on which nothing leaves the queue before all has come. */
#define HELD                                                                              \
    "sm.count=1", "sm.memory_wait=scoreboard", "sm.vmb_entries=0", "l1.latency=10000",    \
        "l1.access_queue=65536", "sm.nonblocking_stores=true", "sm.coalesce_loads=false", \
        "l1.merge_loads=true", "l1.merge_stores=true"

/* A transpose from place to place by groups of 16 x 16: each phase stores down a column of 16
 * blocks, the next phase beside it.  Coalesced that is 16 accesses; in the queue the phases join
 * where they find their block's store, and cannot where only the last access counts (Candel 3.6.2:
 * three of four accesses). */
static void stores_down_a_column_join_their_block_but_not_the_last_access(void **state)
{
    static const struct hand_op column[] = {{.cls = OP_STORE,
                                             .space = SPACE_GLOBAL,
                                             .pc = 16,
                                             .addr = 1 << 20,
                                             .stride = 4096,
                                             .lanes = 64,
                                             .column = 16},
                                            {.cls = OP_N}};
    static const struct hand_op row[] = {{.cls = OP_STORE,
                                          .space = SPACE_GLOBAL,
                                          .pc = 16,
                                          .addr = 1 << 20,
                                          .stride = 1,
                                          .lanes = 64},
                                         {.cls = OP_N}};
    (void)state;
    struct metrics whole = HAND("rx540", column, 1, HELD);
    struct metrics block = HAND("rx540", column, 1, HELD, "sm.coalesce_stores=false");
    struct metrics last =
        HAND("rx540", column, 1, HELD, "sm.coalesce_stores=false", "l1.merge_stores_with=last");
    struct metrics in_row =
        HAND("rx540", row, 1, HELD, "sm.coalesce_stores=false", "l1.merge_stores_with=last");
    assert_int_equal(run_value(&whole, "l1.writes"), 16);
    assert_int_equal(run_value(&block, "l1.writes"), 16);
    assert_int_equal(run_value(&block, "l1.joined"), 48);
    assert_int_equal(run_value(&last, "l1.writes"), 64);
    assert_int_equal(run_value(&last, "l1.joined"), 0);
    assert_int_equal(run_value(&in_row, "l1.joined"), 3);
    assert_int_equal(run_value(&in_row, "l1.writes"), 2); /* 64 bytes and 3 more */
}

/* The queue as a list, searched from its end. */
struct listed {
    uint64_t block[4096];
    bool store[4096];
    uint32_t n;
};

/* Whether the list takes the access in; else it grows. */
static bool listed_joins(struct listed *l, uint64_t block, bool store, bool last)
{
    for (uint32_t i = l->n; i-- > 0;) {
        bool same = l->block[i] == block;
        if (same && l->store[i] == store) return true;
        if (same || (store && last)) break;
    }
    l->block[l->n] = block;
    l->store[l->n++] = store;
    return false;
}

/* Lanes of a phase that access one block go together, blocks in the order of their first lanes. */
static uint32_t joins_of_phase(struct listed *l, const struct hand_op *o, uint32_t first, bool last)
{
    uint64_t block[16];
    uint32_t n = 0, joined = 0;
    for (uint32_t lane = first; lane < first + 16 && lane < o->lanes; lane++) {
        uint64_t b = hand_addr(o, lane) / 64;
        bool seen = false;
        for (uint32_t i = 0; i < n; i++)
            seen |= block[i] == b;
        if (!seen) block[n++] = b;
    }
    for (uint32_t i = 0; i < n; i++)
        joined += listed_joins(l, block[i], o->cls == OP_STORE, last);
    return joined;
}

static struct hand_op random_op(struct rng *r)
{
    return (struct hand_op){.cls = rng_below(r, 3) ? OP_STORE : OP_LOAD,
                            .space = SPACE_GLOBAL,
                            .pc = 16,
                            .addr = (1 << 20) + 64 * rng_below(r, 4),
                            .stride = 64 * rng_below(r, 3),
                            .lanes = 1 + (uint32_t)rng_below(r, 64),
                            .column = (uint32_t)(2 << rng_below(r, 4))};
}

static void random_accesses_join_as_in_a_list(void **state)
{
    struct rng r;
    (void)state;
    rng_seed(&r, 5, 0);
    for (uint32_t nth = 0; nth < 40; nth++) {
        struct hand_op op[13] = {{0}};
        uint32_t joined[2] = {0, 0};
        for (uint32_t i = 0; i < 12; i++)
            op[i] = random_op(&r);
        op[12].cls = OP_N;
        for (int last = 0; last < 2; last++) {
            struct listed list = {.n = 0};
            for (uint32_t i = 0; i < 12; i++)
                for (uint32_t first = 0; first < op[i].lanes; first += 16)
                    joined[last] += joins_of_phase(&list, &op[i], first, last);
            struct metrics m =
                HAND("rx540", op, 1, HELD, "sm.coalesce_stores=false",
                     last ? "l1.merge_stores_with=last" : "l1.merge_stores_with=block");
            assert_int_equal(run_value(&m, "l1.joined"), joined[last]);
            assert_int_equal(run_value(&m, "l1.accesses"), list.n);
        }
        assert_true(joined[1] <= joined[0]);
    }
}

/* What lets one load instruction after another through: everything else is wide. */
#define WIDE                                                                                       \
    "sm.count=1", "sm.memory_wait=scoreboard", "clock.core_mhz=1000.0", "clock.noc_mhz=1000.0",    \
        "clock.l2_mhz=1000.0", "dram.model=fixed", "dram.clock_mhz=1000.0", "dram.fixed_gbps=0.0", \
        "l1.mshr.entries=0", "l2.mshr.entries=0", "l1.miss_queue=64", "l1.fill_ports=4",           \
        "l2.ports=4", "noc.flit_bytes=128"

static double cycles_per_load(const char *const *more, size_t n, struct metrics *out)
{
    const char *sets[24] = {WIDE};
    size_t wide = 0;
    while (sets[wide])
        wide++;
    for (size_t i = 0; i < n; i++)
        sets[wide + i] = more[i];
    struct metrics a = run_sets("rx540", LOADS(4), sets), b = run_sets("rx540", LOADS(20), sets);
    *out = b;
    return (run_value(&b, "cycles") - run_value(&a, "cycles")) /
           (run_value(&b, "l1.reads") - run_value(&a, "l1.reads"));
}

/* Cycles from the issue of a load to its data, nothing in its way. */
static double alone(void)
{
    const char *const sets[] = {WIDE};
    struct machine m = run_machine("rx540", sets, sizeof sets / sizeof *sets);
    return m.sm.memory_latency + m.l1.latency + 2.0 * m.noc.latency + m.l2.extra_latency +
           m.l2.latency + 1 + m.dram.fixed_latency;
}

static void a_buffer_lets_through_its_entries_per_latency(void **state)
{
    static const char *const order[] = {"sm.vmb_release=out_of_order", "sm.vmb_release=in_order",
                                        "sm.vmb_release=in_order_warp"};
    (void)state;
    for (int entries = 2; entries <= 8; entries *= 2)
        for (int k = 0; k < 3; k++) {
            char set[32];
            struct metrics m;
            snprintf(set, sizeof set, "sm.vmb_entries=%d", entries);
            const char *sets[] = {set, "sm.vmb_scope=sm", order[k]};
            double each = cycles_per_load(sets, 3, &m);
            assert_near(each / (alone() / entries), 1, 0.02);
            assert_true(run_value(&m, "vmb.blocked") > 0.9);
        }
}

/* As many per warp slot as the whole SM had: 16 warps have 16 times as many. */
static void buffers_of_warps_add_up(void **state)
{
    (void)state;
    struct metrics m;
    double each = cycles_per_load((const char *[]){"sm.vmb_entries=1", "sm.vmb_scope=warp"}, 2, &m);
    assert_near(each / (alone() / 16), 1, 0.02);
    assert_true(run_value(&m, "vmb.blocked") > 0.95);
}

static void without_a_buffer_nothing_is_said_of_it(void **state)
{
    (void)state;
    struct metrics m;
    double v, each = cycles_per_load((const char *[]){"sm.vmb_entries=0"}, 1, &m);
    assert_true(each < alone() / 32);
    assert_false(metrics_value(&m, "vmb.blocked", &v));
}

#define COPIES(iterations)                                                                       \
    "generator = \"stream\"; kernel = \"copy\"; ctas = 4; warps_per_cta = 4; element_bytes = 1;" \
    "footprint = \"8KB\"; iterations = " #iterations ";"

/* With one entry everything is in turn: a load that hits has it for its look-up, a store that
 * blocks for the way to the L2 and back as well, one that does not leaves at the end of its
 * look-up. */
static void a_store_that_blocks_holds_its_entry_for_the_round_trip(void **state)
{
    (void)state;
    double each[2];
    for (int k = 0; k < 2; k++) {
        const char *const sets[] = {"sm.count=1",
                                    "sm.vmb_scope=sm",
                                    "sm.vmb_entries=1",
                                    "noc.flit_bytes=128",
                                    k ? "sm.nonblocking_stores=true"
                                      : "sm.nonblocking_stores=false",
                                    NULL};
        struct metrics a = run_sets("rx540", COPIES(32), sets);
        struct metrics b = run_sets("rx540", COPIES(64), sets);
        each[k] = (run_value(&b, "cycles") - run_value(&a, "cycles")) /
                  (run_value(&b, "l1.writes") - run_value(&a, "l1.writes"));
    }
    struct machine m = run_machine("rx540", NULL, 0);
    double look_up = m.sm.memory_latency + m.l1.latency;
    double trip = 2.0 * m.noc.latency + m.l2.extra_latency + m.l2.latency;
    assert_near(each[0] / (2 * look_up + trip), 1, 0.01);
    assert_true(each[1] >= 2 * look_up && each[1] < 2 * look_up + trip / 4);
}

static void files_let_through_their_entries_per_latency_aside_too(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        static const char *const aside[] = {"l1.mshr.wait_aside=false", "l1.mshr.wait_aside=true",
                                            "l1.mshr.wait_entries=3"};
        struct metrics m;
        double each = cycles_per_load(
            (const char *[]){"sm.vmb_entries=0", "l1.mshr.entries=8", aside[k > 0], aside[k]}, 4,
            &m);
        double held = alone() - 1; /* an entry is taken at the end of the look-up */
        assert_near(each / (held / 8), 1, 0.03);
        if (k == 1) assert_true(run_value(&m, "l1.fails_per_kilocycle.mshr") == 0);
        if (k == 1) assert_true(run_value(&m, "l1.mshr_waits") > 0.9 * run_value(&m, "l1.reads"));
        if (k != 1) assert_true(run_value(&m, "l1.fails_per_kilocycle.mshr") > 900);
    }
}

/* Hits behind a miss without an entry: they stand still with it, or go by. */
static void hits_go_by_loads_that_wait_aside(void **state)
{
    static const char program[] = "generator = \"gather\"; distribution = \"zipf\"; exponent = 1.2;"
                                  "ctas = 8; warps_per_cta = 4; iterations = 20; unroll = 2;"
                                  "footprint = \"256KB\";";
    (void)state;
    struct metrics head = RUN("rx540", program, "l1.mshr.entries=4");
    struct metrics aside = RUN("rx540", program, "l1.mshr.entries=4", "l1.mshr.wait_aside=true");
    assert_int_equal(run_value(&head, "l1.accesses"), run_value(&aside, "l1.accesses"));
    assert_true(run_value(&aside, "cycles") < 0.95 * run_value(&head, "cycles"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_rows_make_the_same_accesses_either_way),
        cmocka_unit_test(bytes_make_one_access_or_one_per_phase),
        cmocka_unit_test(phases_join_while_the_first_is_queued),
        cmocka_unit_test(stores_down_a_column_join_their_block_but_not_the_last_access),
        cmocka_unit_test(random_accesses_join_as_in_a_list),
        cmocka_unit_test(a_buffer_lets_through_its_entries_per_latency),
        cmocka_unit_test(buffers_of_warps_add_up),
        cmocka_unit_test(without_a_buffer_nothing_is_said_of_it),
        cmocka_unit_test(a_store_that_blocks_holds_its_entry_for_the_round_trip),
        cmocka_unit_test(files_let_through_their_entries_per_latency_aside_too),
        cmocka_unit_test(hits_go_by_loads_that_wait_aside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
