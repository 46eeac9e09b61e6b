/* frc.c - what the structures beside the L2's lines do to whole programs. */
#include "tests/support/run.h"

#include <math.h>

#define STREAM                                                                                   \
    "generator = \"stream\"; kernel = \"triad\"; ctas = 16; warps_per_cta = 4; iterations = 4; " \
    "unroll = 2;"

static void same(const struct metrics *a, const struct metrics *b)
{
    for (uint32_t i = 0; i < METRIC_N; i++) {
        bool of_frc = strncmp(metric_info[i].path, "l2.frc", 6) == 0;
        double x = 0, y = 0;
        bool has = metrics_value(a, metric_info[i].path, &x);
        metrics_value(b, metric_info[i].path, &y);
        if (has && !of_frc && x != y) fail_msg("%s: %g and %g", metric_info[i].path, x, y);
    }
}

/* Nothing is evicted: no entry is ever taken, whatever the FRC. */
static void without_evictions_any_frc_is_none(void **state)
{
    (void)state;
    static const char *const sizes[] = {"l2.frc.entries=4", "l2.frc.entries=64",
                                        "l2.frc.entries=1024"};
    struct metrics none = RUN("rx540", STREAM, "l2.frc.entries=0");
    assert_true(run_value(&none, "l2.misses") > 100);
    assert_near(run_value(&none, "l2.writebacks"), 0, 0);
    for (uint32_t i = 0; i < 3; i++) {
        struct metrics m =
            RUN("rx540", STREAM, sizes[i], "l2.frc.lookup_cycles=0", "l2.frc.swap_cycles=0");
        assert_near(run_value(&m, "l2.frc_fetches"), 0, 0);
        same(&none, &m);
    }
}

/* Bursts of misses to few sets before a memory of much latency and no limit of bandwidth: they wait
 * at lines, and an FRC fetches them side by side.  More entries serve more of them. */
static void bursts_to_few_sets_no_longer_wait(void **state)
{
    (void)state;
    static const char *const sizes[][2] = {{"l2.frc.entries=0"},
                                           {"l2.frc.entries=32", "l2.frc.ways=512"},
                                           {"l2.frc.entries=128", "l2.frc.ways=512"},
                                           {"l2.frc.entries=512", "l2.frc.ways=512"}};
    double cycles[4], waits = INFINITY, share = 0;
    for (uint32_t i = 0; i < 4; i++) {
        struct metrics m = RUN("rx540", STREAM, "l2.bank_kb=4", "l2.ways=4", "dram.model=fixed",
                               "dram.fixed_latency=1000", sizes[i][0], sizes[i][1]);
        cycles[i] = run_value(&m, "cycles");
        assert_true(i == 0 || cycles[i] < cycles[i - 1]);
        assert_true(run_value(&m, "l2.line_waits") < waits);
        waits = run_value(&m, "l2.line_waits");
        if (!metrics_value(&m, "l2.frc_share", &share)) continue;
        assert_true(share > 0);
        /* a miss that the FRC does not take is managed as ever, and invalid ways are filled */
        double rest = (1 - share) * run_value(&m, "l2.misses"), lines = 2 * 4 * 1024 / 64;
        assert_true(rest >= lines);
        if (i == 3) assert_near(rest, lines, 0.5);
    }
    assert_near(waits, 0, 0);
    assert_true(cycles[0] > 3 * cycles[3]);
}

/* A loop over 72 KB, the L2 has 64: a victim cache of 16 KB serves all but the first round; a
 * write-back buffer leaves misses as they are. */
static void a_victim_cache_adds_its_lines(void **state)
{
    (void)state;
    static const char loop[] = "generator = \"stream\"; kernel = \"copy\"; ctas = 1; warps_per_cta"
                               " = 1; iterations = 1000; unroll = 1; footprint = 73728;";
    static const char *const beside[] = {"l2.vc.entries=0", "l2.vc.entries=128",
                                         "l2.writeback_buffer=64", "l2.vc.entries=65535"};
    struct metrics m[4];
    for (uint32_t i = 0; i < 4; i++)
        m[i] = RUN("rx540", loop, "l1.enabled=false", "l2.bank_kb=32", "l2.ways=512", beside[i]);
    assert_near(run_value(&m[0], "l2.misses"), 2 * 1000 * 4, 0); /* LRU: all of them */
    assert_near(run_value(&m[1], "l2.misses"), 73728 / 64, 0);
    assert_near(run_value(&m[1], "l2.vc_hits"), 2 * 1000 * 4 - 73728 / 64, 0);
    assert_near(run_value(&m[2], "l2.misses"), run_value(&m[0], "l2.misses"), 0);
    assert_near(run_value(&m[3], "l2.misses"), 73728 / 64, 0);
    assert_true(run_value(&m[2], "l2.miss_latency.eviction") <
                run_value(&m[0], "l2.miss_latency.eviction"));
}

/* A memory of 1,000 cycles and a loop whose every access misses, every second victim dirty.  One
 * miss at a time in each slice: a round of two takes two fetches, and a write where an eviction
 * ends with it.  An FRC takes the writes off the fetches' way. */
static void an_eviction_may_end_when_it_is_written(void **state)
{
    (void)state;
    static const char loop[] = "generator = \"stream\"; kernel = \"copy\"; ctas = 1; warps_per_cta"
                               " = 1; iterations = 400; unroll = 1; footprint = 73728;";
    static const char *const how[][2] = {{"l2.eviction_end=accepted", "l2.frc.entries=0"},
                                         {"l2.eviction_end=written", "l2.frc.entries=0"},
                                         {"l2.eviction_end=written", "l2.frc.entries=8"}};
    double cycles[3], eviction[3], dirty = 0, write = 1000 * 1200 / 1500.0; /* L2 cycles */
    for (uint32_t i = 0; i < 3; i++) {
        struct metrics m = RUN("rx540", loop, "l1.enabled=false", "l2.bank_kb=4", "l2.ways=64",
                               "l2.mshr.entries=1", "l2.clean_victim_notice=false",
                               "dram.model=fixed", "dram.fixed_latency=1000", how[i][0], how[i][1]);
        cycles[i] = run_value(&m, "cycles");
        eviction[i] = run_value(&m, "l2.miss_latency.eviction");
        if (i == 1) dirty = run_value(&m, "l2.writebacks") / run_value(&m, "l2.misses");
    }
    assert_true(dirty > 0.4);
    assert_near(eviction[1] - eviction[0], dirty * write, 0.5);
    assert_true(cycles[1] > 1.4 * cycles[0]);
    assert_near(cycles[2], cycles[0], 0.02 * cycles[0]);
    assert_near(eviction[2], 0, 0);
}

/* A loop over 48 KB by many warps, before a memory that takes two requests at a time; the L2 has 64
 * KB.  Where a full memory only makes misses wait, each block is fetched once.  Where it sends them
 * back, each attempt costs a block that the next round wants; with an FRC it does not. */
static void an_frc_loses_no_blocks_to_a_full_memory(void **state)
{
    (void)state;
    static const char loop[] = "generator = \"stream\"; kernel = \"copy\"; ctas = 16; warps_per_cta"
                               " = 4; iterations = 48; unroll = 2; footprint = 49152;";
    static const char *const how[][2] = {{"l2.memory_full=wait", "l2.frc.entries=0"},
                                         {"l2.memory_full=nack", "l2.frc.entries=0"},
                                         {"l2.memory_full=nack", "l2.frc.entries=8"},
                                         {"l2.memory_full=nack", "l2.frc.entries=64"}};
    double misses[4];
    for (uint32_t i = 0; i < 4; i++) {
        struct metrics m =
            RUN("rx540", loop, "l1.enabled=false", "l2.bank_kb=32", "dram.queue=1",
                "l2.miss_queue=1", "l2.notice_cycles=7", how[i][0], how[i][1]);
        misses[i] = run_value(&m, "l2.misses");
        assert_true((run_value(&m, "l2.nacks") > 0) == (i > 0));
    }
    assert_near(misses[0], 49152 / 64, 0);
    assert_true(misses[1] > 1.1 * misses[0]);
    assert_true(misses[2] < misses[1]);
    assert_true(misses[3] < misses[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_evictions_any_frc_is_none),
        cmocka_unit_test(bursts_to_few_sets_no_longer_wait),
        cmocka_unit_test(a_victim_cache_adds_its_lines),
        cmocka_unit_test(an_eviction_may_end_when_it_is_written),
        cmocka_unit_test(an_frc_loses_no_blocks_to_a_full_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
