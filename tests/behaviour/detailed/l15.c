/* l15.c - the L1.5 that some SMs share: how long its hits take, what it keeps and for whom, what
 * passes it, and what a functional pass leaves of it. */
#include "gpu/mechanisms/mechanisms.h"
#include "tests/support/few_line_runs.h"
#include "tests/support/hand.h"
#include "tests/support/run.h"
#include "tests/support/warm_pass.h"

enum { LOADS = 96, LINE = 64 };
#define ON                                                                                 \
    "l1.l15.kb=2", "l1.l15.ways=32" /* one set of 32 lines, after which LRU keeps no cycle \
                                     */
/* An L1 of 16 lines before it, and a memory of a time and no bandwidth. */
#define BED                                                                          \
    "sm.count=1", "l1.kb=1", "l1.ways=16", "l1.line_bytes=64", "l1.sector_bytes=64", \
        "dram.model=fixed", "dram.fixed_latency=100", "l2.interleave_bytes=64"

/* One warp follows a chain through `lines` lines, each load after the one before it. */
static struct metrics run_walk(uint32_t lines, const char *const *sets)
{
    struct hand_op op[LOADS + 1] = {[LOADS] = {.cls = OP_N}};
    size_t count = 0;
    while (sets[count])
        count++;
    for (uint32_t i = 0; i < LOADS; i++)
        op[i] = (struct hand_op){.cls = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .pc = 16,
                                 .addr = (1 << 24) + (uint64_t)(i % lines) * LINE,
                                 .after = true};
    return hand_run("rx540", sets, count, op, 1);
}
#define WALK(lines, ...) run_walk(lines, (const char *const[]){BED, __VA_ARGS__, NULL})

/* Reads that miss in the L1 come here and no others; of these, those that LRU keeps hit, and the
 * rest are the L2's. */
static void its_content_is_what_lru_keeps(void **state)
{
    static const struct {
        uint32_t lines, l1_hits, hits;
    } walk[] = {{8, LOADS - 8, 0}, {24, 0, LOADS - 24}, {32, 0, LOADS - 32}, {48, 0, 0}};
    (void)state;
    for (uint32_t i = 0; i < sizeof walk / sizeof *walk; i++) {
        struct metrics m = WALK(walk[i].lines, ON);
        assert_near(run_value(&m, "l1.hits"), walk[i].l1_hits, 0);
        assert_near(run_value(&m, "l1.l15.accesses"), run_value(&m, "l1.misses"), 0);
        assert_near(run_value(&m, "l1.l15.hits"), walk[i].hits, 0);
        assert_near(run_value(&m, "l2.reads"), run_value(&m, "l1.l15.misses"), 0);
        assert_near(run_value(&m, "l1.l15.misses") + walk[i].hits, run_value(&m, "l1.l15.accesses"),
                    0);
    }
}

/* Behind a walk through 24 lines: a load that hits takes the L1's look-up, a cycle to get here, the
 * latency, and what a hit of the L1 takes behind its look-up. One that misses takes the same longer
 * than it does without an L1.5. */
static void a_hit_takes_its_latency(void **state)
{
    static const struct {
        const char *set;
        uint32_t cycles;
    } latency[] = {{"l1.l15.latency=1", 1}, {"l1.l15.latency=17", 17}, {"l1.l15.latency=300", 300}};
    struct metrics first = WALK(LOADS, "l1.l15.kb=0"), near = WALK(1, "l1.l15.kb=0");
    double fetch = first.v[M_cycles] - near.v[M_cycles]; /* of the other LOADS - 1 lines */
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        double way = latency[i].cycles + 1;
        struct metrics misses = WALK(LOADS, ON, latency[i].set),
                       hits = WALK(24, ON, latency[i].set);
        assert_near(misses.v[M_cycles] - first.v[M_cycles], LOADS * way, 0);
        double apart = fetch / (LOADS - 1); /* from a hit of the L1 to a fetch without an L1.5 */
        assert_near(misses.v[M_cycles] - hits.v[M_cycles], (LOADS - 24) * apart, 0.5 * LOADS);
    }
}

/* Every SM of four reads the same lines: with one L1.5 each is fetched once, with two twice. */
static void sms_share_what_is_fetched(void **state)
{
    struct hand_op op[17] = {[16] = {.cls = OP_N}};
    static const struct {
        const char *sms;
        uint32_t caches;
    } share[] = {{"l1.l15.sms=4", 1}, {"l1.l15.sms=2", 2}, {"l1.l15.sms=1", 4}};
    (void)state;
    for (uint32_t i = 0; i < 16; i++)
        op[i] = (struct hand_op){.cls = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .pc = 16,
                                 .addr = (1 << 24) + (uint64_t)i * LINE,
                                 .after = true};
    for (uint32_t i = 0; i < 3; i++) {
        const char *const sets[] = {BED, "sm.count=4", ON, share[i].sms};
        struct machine m = run_machine("rx540", sets, sizeof sets / sizeof *sets);
        struct metrics r = run_whole(&m, hand_program(op, 4, 1, m.sm.warp_width));
        assert_near(run_value(&r, "l1.l15.accesses"), 64, 0);
        assert_near(run_value(&r, "l1.l15.misses"), 16 * share[i].caches, 0);
        assert_near(run_value(&r, "l2.reads"), 16 * share[i].caches, 0);
        assert_near(run_value(&r, "l1.l15.hits") + run_value(&r, "l1.l15.merges"),
                    64 - 16 * share[i].caches, 0);
    }
}

/* A store passes, and takes the sector with it: the next load of it misses, of another it hits. */
static void a_store_leaves_nothing_behind(void **state)
{
    struct hand_op op[41] = {[40] = {.cls = OP_N}};
    (void)state;
    for (uint32_t i = 0; i < 40; i++)
        op[i] = (struct hand_op){.cls = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .pc = 16,
                                 .addr = (1 << 24) + (uint64_t)(i % 20) * LINE,
                                 .after = true};
    op[19].cls = OP_STORE;
    op[19].addr = 1 << 24;
    op[39].addr = 1 << 24;
    struct metrics m = HAND("rx540", op, 1, BED, ON);
    assert_near(run_value(&m, "l1.l15.passed"), 1, 0);
    assert_near(run_value(&m, "l2.writes"), 1, 0);
    /* of 39 loads, 19 come first, one comes behind the store */
    assert_near(run_value(&m, "l1.l15.misses"), 20, 0);
}

/* Random programs under few lines: the shadow memory asserts that every read sees the last store
 * that came before it, and the machine that its counts add up. */
static void nobody_reads_old_data(void **state)
{
    static const char *const base[][2] = {{"sm.count", "5"},
                                          {"coherence.protocol", "none"},
                                          {"l1.bypass", "hinted"},
                                          {"l2.inclusion", "non_inclusive"},
                                          {"l1.l15.kb", "1"}};
    static const char *const drawn[][DRAWN_MAX] = {{"l1.l15.sms", "1", "2", "3", "8"},
                                                   {"l1.l15.ways", "1", "2", "4", "4"},
                                                   {"l1.l15.latency", "1", "7", "90", "1"},
                                                   {"l1.l15.ports", "1", "2", "4", "8"},
                                                   {"l1.l15.mshr.entries", "1", "2", "16", "0"},
                                                   {"l1.l15.mshr.max_merge", "1", "2", "4", "0"},
                                                   {"noc.input_queue", "1", "2", "8", "8"},
                                                   {"noc.output_queue", "1", "2", "8", "8"},
                                                   {"l1.kb", "1", "2", "4", "2"}};
    const struct setting s = {few_line_presets,           2,     base,
                              sizeof base / sizeof *base, drawn, sizeof drawn / sizeof *drawn};
    (void)state;
    drawn_cases(&s, 120, 15, "L1.5s");
}

/* Intervals begin with what loads have left there. */
static void a_functional_pass_has_its_lines(void **state)
{
    struct hand_op op[31] = {[30] = {.cls = OP_N}};
    const char *const sets[] = {BED, ON};
    uint64_t moment = 25;
    (void)state;
    for (uint32_t i = 0; i < 30; i++)
        op[i] = (struct hand_op){.cls = i == 20 ? OP_STORE : OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .pc = 16,
                                 .addr = (1 << 24) + (uint64_t)(i == 20 ? 0 : i) * LINE,
                                 .after = true};
    struct machine m = run_machine("rx540", sets, sizeof sets / sizeof *sets);
    struct program *p = hand_program(op, 1, 1, m.sm.warp_width);
    struct snapshot pass;
    struct error e = {0};
    if (!checkpoints_take_snapshots(&m, p, &moment, 1, true, &pass, &e)) fail_msg("%s", e.text);
    const struct cache_image *x = &pass.warm->shared[pass.warm->shared_from[SHARED_l15]];
    assert_int_equal(x->n, 23); /* of 24 loads, less the one that was stored over */
    for (uint32_t k = 0; k < x->n; k++)
        assert_true(x->line[k].tag != (1 << 24) / LINE);
    snapshot_fini(&pass);
    program_close(p);
}

/* Off by default, and its metrics absent; its row says what estimates and energy lack. */
static void it_is_off_unless_it_is_set(void **state)
{
    struct machine m;
    double v;
    (void)state;
    machine_defaults(&m);
    assert_false(machine_meets(&m, mechanisms[mechanism_of("l1.l15.kb")].on));
    struct metrics none = WALK(8, "l1.l15.kb=0"), on = WALK(8, ON);
    assert_false(metrics_value(&none, "l1.l15.accesses", &v));
    assert_false(metrics_value(&on, "energy_mj.total", &v));
    assert_true(strlen(mechanism_reason("l1.l15.latency")) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_content_is_what_lru_keeps),
        cmocka_unit_test(a_hit_takes_its_latency),
        cmocka_unit_test(sms_share_what_is_fetched),
        cmocka_unit_test(a_store_leaves_nothing_behind),
        cmocka_unit_test(nobody_reads_old_data),
        cmocka_unit_test(a_functional_pass_has_its_lines),
        cmocka_unit_test(it_is_off_unless_it_is_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
