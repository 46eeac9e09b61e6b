/* translation.c - TLBs and page walks against closed forms: what a chain of loads over so many
 * pages costs, who joins whom, what few walkers let through. */
#include "gpu/functional/warming/checkpoints.h"
#include "tests/support/hand.h"
#include "tests/support/warm_pass.h"

#include <math.h>

/* Core, network and L2 in step; an SM holds one warp, so that CTA i is SM i's. */
#define PLAIN                                                                                   \
    "clock.core_mhz=1000.0", "clock.noc_mhz=1000.0", "clock.l2_mhz=1000.0", "dram.model=fixed", \
        "dram.clock_mhz=1000.0", "sm.memory_wait=scoreboard", "sm.max_warps=4", "sm.max_ctas=1"
/* Room for everything in the L1, whatever its sets. */
#define WIDE "l1.kb=64", "l1.ways=1024"

enum { PAGE = 4096, OPS_MAX = 1200, BASE = 1 << 28 };
enum { LATENCY = 40, LEVELS = 4, LOOK_UP = 6 };
#define TLB                                                                       \
    "tlb.l1_entries=8", "tlb.l2_entries=16", "tlb.l2_latency=40", "tlb.levels=4", \
        "tlb.walk_cache_latency=6"

static struct metrics run(const struct hand_op *op, uint32_t ctas, const char *const *sets,
                          size_t n)
{
    struct machine m = run_machine("rx540", sets, n);
    return run_whole(&m, hand_program(op, ctas, 1, m.sm.warp_width));
}
#define SETS(...) \
    (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)

/* Dependent loads of one line in each of so many pages, round after round. */
static const struct hand_op *chain(uint32_t pages, uint32_t rounds, uint64_t stride)
{
    static struct hand_op op[OPS_MAX];
    assert_true(pages * rounds < OPS_MAX);
    for (uint32_t i = 0; i < pages * rounds; i++)
        op[i] = (struct hand_op){.cls = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .pc = 16,
                                 .addr = BASE + stride * (i % pages),
                                 .after = true};
    op[pages * rounds] = (struct hand_op){.cls = OP_N};
    return op;
}

/* What translation adds to a round of the chain, from its second round on, per load. */
static double cost_of_a_load(uint32_t pages)
{
    double extra[2];
    for (uint32_t k = 0; k < 2; k++) {
        const struct hand_op *op = chain(pages, 2 + 3 * k, PAGE);
        struct metrics on = run(op, 1, SETS(PLAIN, WIDE, "sm.count=1", TLB));
        struct metrics off = run(op, 1, SETS(PLAIN, WIDE, "sm.count=1"));
        double v;
        assert_false(metrics_value(&off, "tlb.l1_lookups", &v));
        assert_int_equal(run_value(&on, "tlb.l1_lookups"), pages * (2 + 3 * k));
        extra[k] = run_value(&on, "cycles") - run_value(&off, "cycles");
    }
    return (extra[1] - extra[0]) / (3 * pages);
}

static void the_reach_of_the_tlbs_is_their_entries(void **state)
{
    (void)state;
    assert_near(cost_of_a_load(4), 0, 1e-9);
    assert_near(cost_of_a_load(8), 0, 1e-9);
    assert_near(cost_of_a_load(9), LATENCY, 1e-9);
    assert_near(cost_of_a_load(16), LATENCY, 1e-9);
    /* every walk finds its entries in the walk cache: the pages are neighbours */
    assert_near(cost_of_a_load(17), LATENCY + LEVELS * LOOK_UP, 1e-9);
    assert_near(cost_of_a_load(40), LATENCY + LEVELS * LOOK_UP, 1e-9);
}

static void a_page_is_as_large_as_it_is_said_to_be(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        const struct hand_op *op = chain(16, 3, PAGE);
        struct metrics m =
            run(op, 1, SETS(PLAIN, WIDE, "sm.count=1", TLB, k ? "pages.kb=8" : "pages.kb=4"));
        assert_int_equal(run_value(&m, "tlb.l2_lookups"), k ? 8 : 48);
        assert_int_equal(run_value(&m, "tlb.walks"), k ? 8 : 16);
    }
}

static void sets_bound_the_reach(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        /* four pages of one set of two, or of four */
        const struct hand_op *op = chain(4, 5, 4 * PAGE);
        struct metrics m =
            run(op, 1, SETS(PLAIN, WIDE, "sm.count=1", TLB, k ? "tlb.l1_ways=2" : "tlb.l1_ways=4"));
        assert_int_equal(run_value(&m, "tlb.l1_hits"), k ? 0 : 16);
    }
}

/* The cycles from the L1's decision to the data, for a load that the L2, or the memory, serves. */
static double trip(bool memory)
{
    const struct hand_op *op = chain(1, 1, PAGE);
    struct hand_op again[3] = {op[0], op[0], {.cls = OP_N}};
    again[0].hint = again[1].hint = HINT_BYPASS_L1;
    struct machine m = run_machine("rx540", NULL, 0);
    struct metrics one = run(again + 1, 1, SETS(PLAIN, "sm.count=1"));
    struct metrics two = run(again, 1, SETS(PLAIN, "sm.count=1"));
    double first = run_value(&one, "latency.load_mean");
    double second = 2 * run_value(&two, "latency.load_mean") - first;
    return (memory ? first : second) - m.sm.memory_latency - m.l1.latency;
}

/* Each level of a first walk is read from memory, one after the other; the replies take a cycle
 * more to the walker. */
static void a_cold_walk_reads_every_level_from_memory(void **state)
{
    const struct hand_op *op = chain(1, 1, PAGE);
    (void)state;
    struct metrics on = run(op, 1, SETS(PLAIN, "sm.count=1", TLB));
    struct metrics off = run(op, 1, SETS(PLAIN, "sm.count=1"));
    double walk = LEVELS * (LOOK_UP + trip(true) + 1);
    assert_int_equal(run_value(&on, "tlb.walk_reads"), LEVELS);
    assert_int_equal(run_value(&on, "l2.reads"), run_value(&off, "l2.reads") + LEVELS);
    assert_near(run_value(&on, "tlb.walk_latency"), walk, 1e-9);
    assert_near(run_value(&on, "cycles") - run_value(&off, "cycles"), LATENCY + walk, 1e-9);
    assert_near(run_value(&on, "tlb.wait_cycles"), LATENCY + walk, 1e-9);
    assert_near(run_value(&on, "tlb.walk_free"), 0, 1e-9);
}

/* Pages whose last entries lie in lines of their own, more of them than a small walk cache holds:
 * from the second round on a walk reads its last entry from the L2. */
static void a_walk_reads_from_the_l2_what_its_cache_has_lost(void **state)
{
    double reads[2], cycles[2], walks[2];
    const uint32_t pages = 64;
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        const struct hand_op *op = chain(pages, 2 + k, 16 * PAGE);
        struct metrics m = run(op, 1, SETS(PLAIN, WIDE, "sm.count=1", TLB, "tlb.walk_cache_kb=1"));
        reads[k] = run_value(&m, "tlb.walk_reads");
        walks[k] = run_value(&m, "tlb.walks");
        cycles[k] = run_value(&m, "tlb.walk_cycles");
    }
    assert_int_equal(walks[1] - walks[0], pages);
    double more = reads[1] - reads[0];
    assert_in_range((uint64_t)more, pages, 2 * pages);
    assert_near(cycles[1] - cycles[0], LEVELS * LOOK_UP * pages + more * (trip(false) + 1), 1e-6);
}

/* Lanes of one load in four pages, eight lines in each. */
static void accesses_to_a_page_wait_together(void **state)
{
    struct hand_op op[] = {{.cls = OP_LOAD,
                            .space = SPACE_GLOBAL,
                            .pc = 16,
                            .addr = BASE,
                            .stride = PAGE / 8,
                            .lanes = 32},
                           {.cls = OP_N}};
    (void)state;
    struct metrics m = run(op, 1, SETS(PLAIN, "sm.count=1", TLB));
    assert_int_equal(run_value(&m, "tlb.l1_lookups"), 32);
    assert_int_equal(run_value(&m, "tlb.l1_misses"), 4);
    assert_int_equal(run_value(&m, "tlb.l1_joins"), 28);
    assert_int_equal(run_value(&m, "tlb.walks"), 4);
    assert_int_equal(run_value(&m, "l1.accesses"), 32);
}

static void sms_that_want_a_page_share_its_walk(void **state)
{
    const struct hand_op *op = chain(1, 1, PAGE);
    (void)state;
    struct metrics m = run(op, 6, SETS(PLAIN, "sm.count=6", TLB));
    assert_int_equal(run_value(&m, "tlb.l2_lookups"), 6);
    assert_int_equal(run_value(&m, "tlb.l2_joins"), 5);
    assert_int_equal(run_value(&m, "tlb.walks"), 1);
    assert_int_equal(run_value(&m, "tlb.walk_reads"), LEVELS);
}

/* 64 pages at once; a walk takes four long look-ups. */
static void walkers_bound_the_throughput(void **state)
{
    struct hand_op op[] = {
        {.cls = OP_LOAD, .space = SPACE_GLOBAL, .pc = 16, .addr = BASE, .after = true},
        {.cls = OP_LOAD,
         .space = SPACE_GLOBAL,
         .pc = 16,
         .addr = BASE,
         .stride = PAGE,
         .lanes = 64,
         .after = true},
        {.cls = OP_N}};
    static const char *const walkers[] = {"tlb.walkers=1", "tlb.walkers=4", "tlb.walkers=16"};
    static const double side_by_side[] = {1, 4, 16};
    const double walk = LEVELS * 1000;
    (void)state;
    struct metrics alone = run(op + 2, 1, SETS(PLAIN, "sm.count=1"));
    (void)alone;
    for (uint32_t k = 0; k < 3; k++) {
        struct metrics m = run(op, 1,
                               SETS(PLAIN, "sm.count=1", "tlb.l1_entries=64", "tlb.l1_misses=64",
                                    "tlb.walk_cache_latency=1000", walkers[k]));
        /* the first page is walked for alone */
        double rounds = 1 + ceil(63 / side_by_side[k]);
        assert_int_equal(run_value(&m, "tlb.walks"), 64);
        assert_near(run_value(&m, "cycles") / (rounds * walk), 1, 0.1);
    }
}

static void the_ports_of_the_shared_tlb_take_turns(void **state)
{
    struct hand_op op[] = {{.cls = OP_LOAD,
                            .space = SPACE_GLOBAL,
                            .pc = 16,
                            .addr = BASE,
                            .stride = PAGE,
                            .lanes = 32,
                            .after = true},
                           {.cls = OP_LOAD,
                            .space = SPACE_GLOBAL,
                            .pc = 16,
                            .addr = BASE,
                            .stride = PAGE,
                            .lanes = 32,
                            .after = true},
                           {.cls = OP_N}};
    double wait[2];
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        struct metrics one =
            run(op + 1, 1,
                SETS(PLAIN, WIDE, "sm.count=1", TLB, "tlb.l2_entries=64", "tlb.l1_misses=32",
                     k ? "tlb.l2_ports=32" : "tlb.l2_ports=1"));
        struct metrics two =
            run(op, 1,
                SETS(PLAIN, WIDE, "sm.count=1", TLB, "tlb.l2_entries=64", "tlb.l1_misses=32",
                     k ? "tlb.l2_ports=32" : "tlb.l2_ports=1"));
        /* eight are still in the SM's own TLB */
        assert_int_equal(run_value(&two, "tlb.l2_hits"), 24);
        wait[k] = run_value(&two, "tlb.wait_cycles") - run_value(&one, "tlb.wait_cycles");
    }
    /* they arrive together, and one is served a cycle */
    assert_near(wait[1], 24 * LATENCY, 1e-9);
    assert_near(wait[0] - wait[1], 24 * 23 / 2, 1e-9);
}

/* While a page is walked for, a chain of loads of another page goes on. */
static void a_hit_goes_on_under_a_miss(void **state)
{
    enum { HITS = 600 };
    static struct hand_op op[HITS + 4];
    double cycles[3];
    (void)state;
    for (uint32_t i = 0; i < HITS + 3; i++)
        op[i] = chain(1, 1, PAGE)[0];
    op[1] = (struct hand_op){.cls = OP_FENCE, .pc = 32};
    op[2] = (struct hand_op){
        .cls = OP_LOAD, .space = SPACE_GLOBAL, .pc = 48, .addr = BASE + UINT64_C(64) * PAGE};
    for (uint32_t k = 0; k < 3; k++) {
        struct hand_op at = op[3];
        if (k == 1) op[2].addr = BASE; /* no page is walked for */
        if (k == 2) op[3].cls = OP_N;  /* no chain */
        op[HITS + 3] = (struct hand_op){.cls = OP_N};
        struct metrics m =
            run(op, 1, SETS(PLAIN, "sm.count=1", TLB, "tlb.walk_cache_latency=2000"));
        cycles[k] = run_value(&m, "cycles");
        op[3] = at;
        op[2].addr = BASE + UINT64_C(64) * PAGE;
    }
    assert_near(cycles[0], cycles[2], 4);
    assert_true(cycles[0] - cycles[1] > LEVELS * 1000);
    assert_true(cycles[1] > HITS);
}

static void pages_that_wait_stop_the_unit_when_they_are_too_many(void **state)
{
    struct hand_op op[17];
    double cycles[3];
    static const char *const misses[] = {"tlb.l1_misses=16", "tlb.l1_misses=2", "tlb.l1_misses=1"};
    (void)state;
    for (uint32_t i = 0; i < 16; i++)
        op[i] = (struct hand_op){
            .cls = OP_LOAD, .space = SPACE_GLOBAL, .pc = 16, .addr = BASE + PAGE * (uint64_t)i};
    op[16] = (struct hand_op){.cls = OP_N};
    for (uint32_t k = 0; k < 3; k++) {
        struct metrics m =
            run(op, 1, SETS(PLAIN, "sm.count=1", TLB, "tlb.walk_cache_latency=1000", misses[k]));
        cycles[k] = run_value(&m, "cycles");
        assert_true(k == 0 || run_value(&m, "tlb.stall_cycles") > 1000);
        assert_true(k > 0 || run_value(&m, "tlb.stall_cycles") == 0);
    }
    assert_near((cycles[2] - cycles[0]) / (15 * LEVELS * 1000), 1, 0.02);
    assert_near((cycles[1] - cycles[0]) / (7 * LEVELS * 1000), 1, 0.02);
}

/* The middle of a launch finds in the TLBs what its beginning has left there. */
static void a_window_finds_the_pages_that_were_used_before_it(void **state)
{
    const char *const sets[] = {PLAIN, WIDE, "sm.count=4", TLB};
    struct machine m = run_machine("rx540", sets, sizeof sets / sizeof *sets);
    struct snapshot at;
    struct error e = {0};
    struct metrics warm, cold;
    (void)state;
    for (uint32_t pages = 8; pages <= 12; pages += 4) {
        uint64_t middle = pages * 20;
        struct program *p = hand_program(chain(pages, 10, PAGE), 4, 1, m.sm.warp_width);
        struct sim *s = sim_new(&m, p, &e);
        assert_true(s && checkpoints_take_snapshots(&m, p, &middle, 1, true, &at, &e));
        assert_int_equal(sim_interval(s, &at.interval, at.warm, &warm, &e), SIM_DONE);
        assert_int_equal(sim_interval(s, &at.interval, NULL, &cold, &e), SIM_DONE);
        assert_int_equal(run_value(&cold, "tlb.walks"), pages);
        if (pages == 8) assert_int_equal(run_value(&warm, "tlb.l1_misses"), 0);
        snapshot_fini(&at);
        sim_free(s);
        program_close(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reach_of_the_tlbs_is_their_entries),
        cmocka_unit_test(a_page_is_as_large_as_it_is_said_to_be),
        cmocka_unit_test(sets_bound_the_reach),
        cmocka_unit_test(a_cold_walk_reads_every_level_from_memory),
        cmocka_unit_test(a_walk_reads_from_the_l2_what_its_cache_has_lost),
        cmocka_unit_test(accesses_to_a_page_wait_together),
        cmocka_unit_test(sms_that_want_a_page_share_its_walk),
        cmocka_unit_test(walkers_bound_the_throughput),
        cmocka_unit_test(the_ports_of_the_shared_tlb_take_turns),
        cmocka_unit_test(a_hit_goes_on_under_a_miss),
        cmocka_unit_test(pages_that_wait_stop_the_unit_when_they_are_too_many),
        cmocka_unit_test(a_window_finds_the_pages_that_were_used_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
