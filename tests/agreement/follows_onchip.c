/* follows_onchip.c - do estimates see what the cycle model does between SM and slices: packets that
 * find room, warps that begin together, sub-cores that come first?  Each case takes one thing to
 * both ends and compares both models there. */
#include "tests/support/ask.h"

#include <math.h>
#include <string.h>

#define STREAM                                                                                 \
    "generator = \"stream\"; kernel = \"copy\"; ctas = 64; warps_per_cta = 8; iterations = 8;" \
    "footprint = \"128KB\";"
#define ONCE "generator = \"stride\"; stride = 4; ctas = 80; warps_per_cta = 16; iterations = 1;"
#define FILLED                                                                                  \
    "generator = \"partial\"; kernel = \"filled\"; stride = 16; ctas = 160; warps_per_cta = 8;" \
    "iterations = 8; unroll = 1; element_bytes = 4; footprint = 0;"

#define TILES                                                                                \
    "generator = \"transpose\"; kernel = \"tiled\"; n = 1024; ctas = 64; warps_per_cta = 8;" \
    "iterations = 4; element_bytes = 4;"

#define SHARED                                                                        \
    "generator = \"matmul\"; n = 256; ctas = 32; warps_per_cta = 8; iterations = 16;" \
    "unroll = 1;"

#define PRODUCT                                                                        \
    "generator = \"matmul\"; n = 256; ctas = 128; warps_per_cta = 8; iterations = 16;" \
    "unroll = 4;"

#define REREAD                                                                        \
    "generator = \"matmul\"; n = 128; ctas = 32; warps_per_cta = 4; iterations = 16;" \
    "unroll = 1;"

#define WORK                                                                                    \
    "generator = \"stream\"; kernel = \"triad\"; ctas = 32; warps_per_cta = 4; iterations = 1;" \
    "unroll = 4; arithmetic = 64; footprint = \"4MB\";"

struct both {
    double simulated, estimated;
};

static struct both look(const char *preset, const char *const *sets, size_t n, const char *program,
                        const char *value)
{
    struct machine m = run_machine(preset, sets, n);
    struct metrics s = ask_of(ENGINE_SIMULATE, &m, program);
    struct metrics e = ask_of(ENGINE_ESTIMATE, &m, program);
    struct both b = {run_value(&s, value), run_value(&e, value)};
    print_message("%-40s %s: simulated %.4g, estimated %.4g\n", n ? sets[n - 1] : "", value,
                  b.simulated, b.estimated);
    return b;
}

static void assert_close(struct both b, double within)
{
    assert_true(b.estimated < b.simulated * within && b.estimated * within > b.simulated);
}

/* Few places behind a long link: both fall by the same factor. */
static void packets_wait_for_room(void **state)
{
    (void)state;
    const char *wide[] = {"noc.latency=32", "noc.output_queue=64"};
    const char *narrow[] = {"noc.latency=32", "noc.output_queue=6"};
    struct both a = look("rx540", wide, 2, STREAM, "cycles"),
                b = look("rx540", narrow, 2, STREAM, "cycles");
    assert_true(b.simulated > 1.8 * a.simulated);
    assert_close(a, 1.25);
    assert_close(b, 1.4);
}

/* The same where slices are far away. */
static void far_packets_wait_for_room(void **state)
{
    (void)state;
    const char *wide[] = {"noc.slice_spread=48", "noc.output_queue=64"};
    const char *narrow[] = {"noc.slice_spread=48", "noc.output_queue=6"};
    struct both a = look("rx540", wide, 2, STREAM, "cycles"),
                b = look("rx540", narrow, 2, STREAM, "cycles");
    assert_true(b.simulated > 1.8 * a.simulated);
    assert_close(a, 1.3);
    assert_close(b, 1.4);
}

/* In an L1 of few lines nearly all are being fetched.  None of them leaves before it is there, and
 * the warp that waited for it reads it again before the next one takes its place. */
static void lines_stay_until_they_are_there(void **state)
{
    (void)state;
    const char *few[] = {"l1.ways=1", "l1.kb=4"};
    struct both hits = look("rx540", few, 2, REREAD, "l1.hit_rate");
    assert_true(hits.simulated > 0.45);
    assert_near(hits.estimated, hits.simulated, 0.12);
}

/* All warps load once, at the beginning: with few MSHRs the last one waits for all others. */
static void warps_begin_together(void **state)
{
    (void)state;
    const char *many[] = {"sm.launch_cycles=0", "l1.mshr.entries=512"};
    const char *few[] = {"sm.launch_cycles=0", "l1.mshr.entries=16"};
    struct both a = look("qv100", many, 2, ONCE, "cycles"),
                b = look("qv100", few, 2, ONCE, "cycles");
    assert_true(b.simulated > 1.5 * a.simulated);
    assert_close(a, 1.45);
    assert_close(b, 1.2);
}

/* Stores fill their sectors little by little.  Sub-cores take turns at the memory port, so that no
 * warps get ahead of the others: an L2 that cannot hold the sectors of all of them holds none until
 * it is complete. */
static void sub_cores_take_turns(void **state)
{
    (void)state;
    const char *sets[] = {"sm.scheduler=lrr", "l2.bank_kb=64"};
    struct both hits = look("rx540", sets, 2, FILLED, "l2.write_hits");
    struct both all = look("rx540", sets, 2, FILLED, "l2.writes");
    assert_true(hits.simulated < 0.05 * all.simulated);
    assert_true(hits.estimated < 0.05 * all.simulated);
}

/* Warps that lead find in the L2 what others have fetched and get away from those that follow: the
 * L1 is too small for all of them.  Were each miss a way to memory, they would stay together. */
static void leaders_leave_small_l1s(void **state)
{
    (void)state;
    const char *large[] = {"l1.kb=128", "l1.ways=16"};
    struct both small = look("rx540", NULL, 0, PRODUCT, "l2.reads"),
                wide = look("rx540", large, 2, PRODUCT, "l2.reads");
    assert_true(small.simulated > 2 * wide.simulated);
    assert_true(small.estimated > 2 * wide.estimated);
    assert_close(small, 1.85); /* 2.1 where hits take no turn at the L1's ports */
}

/* Between barriers round robin has all warps at one unit, where others lag behind the oldest and
 * take the next one. */
static void round_robin_keeps_step(void **state)
{
    (void)state;
    const char *lrr[] = {"sm.scheduler=lrr"}, *gto[] = {"sm.scheduler=gto"};
    const char *program = "configs/workloads/quick/binomial.plt";
    struct both a = look("rx540", lrr, 1, program, "cycles"),
                b = look("rx540", gto, 1, program, "cycles");
    assert_true(a.simulated > 1.25 * b.simulated);
    assert_close((struct both){a.simulated / b.simulated, a.estimated / b.estimated}, 1.15);
    assert_close(a, 1.15);
    assert_close(b, 1.2);
}

/* The longest warp of a search goes on when the others have ended, and joins nobody's fetches. */
static void a_warp_alone_joins_no_fetches(void **state)
{
    (void)state;
    assert_close(look("qv100", NULL, 0, "configs/workloads/quick/bfs.plt", "cycles"), 1.15);
    assert_close(look("hd7770-fgcs18", NULL, 0, "configs/workloads/quick/bfs.plt", "cycles"), 1.2);
}

/* Who waits for a bank stands in the channel's queue, where the scheduler sees open rows: two
 * channels serve this without much ado. */
static void waits_for_banks_fill_the_queue(void **state)
{
    (void)state;
    const char *sets[] = {"clock.core_mhz=800", "noc.latency=32",    "noc.flit_bytes=32",
                          "l1.mshr.entries=16", "l2.bank_kb=64",     "dram.queue=64",
                          "dram.channels=2",    "sm.vmb_entries=64", "l2.write_miss=validate"};
    assert_close(look("rx540", sets, sizeof sets / sizeof *sets,
                      "configs/workloads/quick/histogram.plt", "cycles"),
                 1.3);
}

/* The rows of a tile are a matrix row apart, in a few sets of the L1: where lines are reserved at
 * the miss, fetches wait for the ways of those sets. */
static void full_sets_hold_back(void **state)
{
    (void)state;
    const char *four[] = {"l1.adaptive=false", "l1.kb=16", "l1.ways=4", "dram.queue=32"};
    const char *many[] = {"l1.adaptive=false", "l1.kb=16", "l1.ways=64", "dram.queue=32"};
    struct both a = look("qv100", four, 4, TILES, "cycles"),
                b = look("qv100", many, 4, TILES, "cycles");
    assert_true(a.simulated > 1.5 * b.simulated);
    assert_close((struct both){a.simulated / b.simulated, a.estimated / b.estimated}, 1.25);
}

/* The warps of a CTA want the same lines: where a fetch may have few waiters, the next one holds
 * the head of the L1 until the data are back. */
static void few_waiters_hold_the_head(void **state)
{
    (void)state;
    const char *any[] = {"sm.launch_cycles=0", "sm.count=2", "l1.mshr.max_merge=0"};
    const char *one[] = {"sm.launch_cycles=0", "sm.count=2", "l1.mshr.max_merge=1"};
    const char *all[] = {"sm.launch_cycles=0", "sm.count=2", "l1.mshr.max_merge=8"};
    struct both a = look("qv100", any, 3, SHARED, "cycles"),
                b = look("qv100", one, 3, SHARED, "cycles"),
                c = look("qv100", all, 3, SHARED, "cycles");
    assert_true(b.simulated > 2 * a.simulated && c.simulated < 1.05 * a.simulated);
    assert_close(b, 2.0); /* docs/notebook/estimator.md, section 4 */
    assert_close(c, 1.2);
}

/* Warps that all have the same to do stay as long as each other, whoever had the first turn. */
static void late_turns_are_no_imbalance(void **state)
{
    (void)state;
    const char *sets[] = {"sm.launch_cycles=0", "l1.adaptive=false"};
    assert_close(look("qv100", sets, 2, "configs/workloads/quick/mersenne.plt", "cycles"), 1.12);
}

/* Stores bring their blocks and put them back: the L2's reads, the messages, the time. */
static void directories_see_stores(void **state)
{
    static const char *const counts[] = {"l2.reads", "coherence.directory_messages"};
    static const char *const programs[] = {"configs/workloads/quick/blackscholes.plt",
                                           "configs/workloads/quick/kmeans.plt"};
    static const char *const protocols[] = {"coherence.protocol=moesi",
                                            "coherence.protocol=nmoesi"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const char *none[] = {"coherence.protocol=none"};
        struct both reads = look("rx540", none, 1, programs[i], "l2.reads"),
                    alone = look("rx540", none, 1, programs[i], "cycles");
        for (size_t k = 0; k < 2; k++) {
            for (size_t n = 0; n < 2; n++)
                assert_close(look("rx540", &protocols[k], 1, programs[i], counts[n]), 1.15);
            struct both more = look("rx540", &protocols[k], 1, programs[i], "l2.reads"),
                        time = look("rx540", &protocols[k], 1, programs[i], "cycles");
            assert_true(more.simulated > 1.1 * reads.simulated);
            assert_true(more.estimated > 1.1 * reads.estimated);
            assert_close(
                (struct both){time.simulated / alone.simulated, time.estimated / alone.estimated},
                1.25);
        }
    }
}

/* One round per warp, as much work as loads: none of it lies under a sub-core's first load. */
static void work_follows_the_first_loads(void **state)
{
    (void)state;
    const char *few[] = {"l2.bank_kb=512", "l2.write_miss=validate", "dram.channels=2"};
    const char *many[] = {"l2.bank_kb=512", "l2.write_miss=validate", "dram.channels=8"};
    assert_close(look("rx540", few, 3, WORK, "cycles"), 1.25);
    assert_close(look("rx540", many, 3, WORK, "cycles"), 1.25);
}

/* A launch that finds all in the L2 and writes through it has writes and no fetches: the few reads
 * of its memory wait for no more writes than a controller's queue holds. */
static void writes_without_fetches(void **state)
{
    (void)state;
    const char *through[] = {"l2.write=through", "clock.noc_mhz=900", "noc.latency=3"};
    assert_close(look("rx570", through, 3, "tests/data/foreign/pb-atax.plt", "cycles"), 1.3);
}

/* Five CTAs on four sub-cores: where each stays on one, the sub-core with two of them lasts
 * longest; where their warps are spread, all last as long. */
static void the_fullest_sub_core_lasts_longest(void **state)
{
    (void)state;
    static const char *const bindings[] = {"sm.cta_binding=one_subcore",
                                           "sm.cta_binding=warps_round_robin"};
    struct both cycles[2];
    for (int k = 0; k < 2; k++) {
        const char *sets[] = {"sm.count=32", "dram.channels=16", "l2.banks=16", bindings[k]};
        cycles[k] =
            look("rx540", sets, 4,
                 "generator = \"reduction\"; ctas = 160; warps_per_cta = 4; iterations = 4; "
                 "arithmetic = 64;",
                 "cycles");
        assert_close(cycles[k], 1.15);
    }
    assert_true(cycles[0].simulated > 1.3 * cycles[1].simulated);
    assert_true(cycles[0].estimated > 1.3 * cycles[1].estimated);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directories_see_stores),
        cmocka_unit_test(packets_wait_for_room),
        cmocka_unit_test(far_packets_wait_for_room),
        cmocka_unit_test(lines_stay_until_they_are_there),
        cmocka_unit_test(warps_begin_together),
        cmocka_unit_test(work_follows_the_first_loads),
        cmocka_unit_test(writes_without_fetches),
        cmocka_unit_test(sub_cores_take_turns),
        cmocka_unit_test(the_fullest_sub_core_lasts_longest),
        cmocka_unit_test(leaders_leave_small_l1s),
        cmocka_unit_test(round_robin_keeps_step),
        cmocka_unit_test(a_warp_alone_joins_no_fetches),
        cmocka_unit_test(waits_for_banks_fill_the_queue),
        cmocka_unit_test(full_sets_hold_back),
        cmocka_unit_test(few_waiters_hold_the_head),
        cmocka_unit_test(late_turns_are_no_imbalance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
