/* prefetch.c - the prefetchers of the L2: how many lines they bring, what time that saves,
 * that it never takes what is not free, what it costs, and what the functional pass leaves of it.
 */
#include "gpu/energy/account.h"
#include "gpu/mechanisms/mechanisms.h"
#include "tests/support/few_line_runs.h"
#include "tests/support/hand.h"
#include "tests/support/run.h"
#include "tests/support/warm_pass.h"

enum { LINES = 64, LINE = 64 };
#define NEXT "l2.prefetch=next_line"
#define OPEN "l2.prefetch=open_row"
#define AT_ONCE "l2.miss_management=replace_at_once"
#define CONVENTIONAL "l2.miss_management=conventional"
/* One slice, no L1, and a memory of a time and no bandwidth, so that a line comes as early as the
 * one in front of it. */
#define CHIP "sm.count=1", "l1.enabled=false", "l2.banks=1", "dram.channels=1", "l2.prefetch=none"
#define BED CHIP, "dram.model=fixed", "dram.fixed_latency=100"
/* The same with a memory of rows of 32 lines, in one bank after the other. */
#define ROWS                                                                            \
    CHIP, "dram.row_bytes=2048", "dram.mapping=row:bank:column", "dram.bank_hash=none", \
        "l2.mshr.entries=64", "l2.miss_queue=64"

/* One warp reads so many lines, each after the one before it, `step` lines apart. */
static struct metrics run_chain(uint32_t step, const char *const *sets)
{
    struct hand_op op[LINES + 1] = {[LINES] = {.cls = OP_N}};
    size_t n = 0;
    while (sets[n])
        n++;
    for (uint32_t i = 0; i < LINES; i++)
        op[i] = (struct hand_op){.cls = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .pc = 16 * i,
                                 .addr = 1u << 20 | i * step * LINE,
                                 .after = true};
    return hand_run("rx540", sets, n, op, 1);
}
#define CHAIN(step, ...) run_chain(step, (const char *const[]){BED, __VA_ARGS__, NULL})
#define ROW_CHAIN(step, ...) run_chain(step, (const char *const[]){ROWS, __VA_ARGS__, NULL})

/* Every other line of a stream misses, and the prefetched one behind it saves the memory's time. */
static void half_of_a_stream_hits(void **state)
{
    static const char *const management[] = {AT_ONCE, CONVENTIONAL};
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct metrics one = CHAIN(0, management[i]), none = CHAIN(1, management[i]),
                       next = CHAIN(1, management[i], NEXT);
        assert_near(run_value(&one, "l2.misses"), 1, 0);
        assert_near(run_value(&none, "l2.misses"), LINES, 0);
        assert_near(run_value(&next, "l2.misses"), LINES / 2, 0);
        assert_near(run_value(&next, "l2.read_hits"), LINES / 2, 0);
        assert_near(run_value(&next, "l2.prefetch_lookups"), LINES / 2, 0);
        assert_near(run_value(&next, "l2.prefetches"), LINES / 2, 0);
        assert_near(run_value(&next, "l2.prefetch_accuracy"), 1, 0);
        assert_near(run_value(&next, "l2.fetches"), LINES, 0);
        double memory = (none.v[M_cycles] - one.v[M_cycles]) / (LINES - 1);
        assert_near(next.v[M_cycles], none.v[M_cycles] - memory * LINES / 2, 1e-9);
    }
}

/* What comes beside the stream is never asked for: the same time, twice the fetches. */
static void useless_lines_cost_fetches(void **state)
{
    (void)state;
    struct metrics none = CHAIN(2, CONVENTIONAL), next = CHAIN(2, CONVENTIONAL, NEXT);
    assert_near(run_value(&next, "l2.prefetches"), LINES, 0);
    assert_near(run_value(&next, "l2.prefetches_useful"), 0, 0);
    assert_near(run_value(&next, "l2.fetches"), 2 * LINES, 0);
    assert_near(next.v[M_cycles], none.v[M_cycles], 0);
    assert_near(run_value(&next, "l2.misses"), run_value(&none, "l2.misses"), 0);
}

/* Slices of one line each in turn: the next line is always another slice's. */
static void the_next_line_is_of_the_slice(void **state)
{
    (void)state;
    struct metrics next = CHAIN(1, NEXT, "l2.banks=2", "l2.interleave_bytes=64");
    assert_near(run_value(&next, "l2.prefetch_lookups"), 0, 0);
    assert_near(run_value(&next, "l2.misses"), LINES, 0);
}

/* Rows of 32 lines, one bank after the other: a miss brings the next lines of its row, but none of
 * the next row. With as many lines as a row has, only the first of a row misses. */
static void the_next_lines_are_of_the_row(void **state)
{
    static const struct {
        const char *degree;
        uint32_t misses;
    } want[] = {{"l2.prefetch_degree=1", 2 * 16},
                {"l2.prefetch_degree=2", 2 * 11},
                {"l2.prefetch_degree=3", 2 * 8},
                {"l2.prefetch_degree=64", 2}};
    static const char *const management[] = {AT_ONCE, CONVENTIONAL};
    (void)state;
    for (uint32_t i = 0; i < 2 * 4; i++) {
        struct metrics m = ROW_CHAIN(1, OPEN, management[i / 4], want[i % 4].degree);
        assert_near(run_value(&m, "l2.misses"), want[i % 4].misses, 0);
        assert_near(run_value(&m, "l2.prefetches"), LINES - want[i % 4].misses, 0);
        assert_near(run_value(&m, "l2.prefetch_accuracy"), 1, 0);
        assert_near(run_value(&m, "l2.fetches"), LINES, 0);
    }
}

/* Slices of one line each in turn: a slice fetches every other line of the row. */
static void each_slice_has_its_own_lines_of_a_row(void **state)
{
    (void)state;
    struct metrics m = ROW_CHAIN(1, OPEN, "l2.banks=2", "l2.interleave_bytes=64",
                                 "l2.slice_hash=modulo", "l2.prefetch_degree=64");
    assert_near(run_value(&m, "l2.misses"), 2 * 2, 0);
    assert_near(run_value(&m, "l2.prefetches_useful"), LINES - 4, 0);
}

/* Two lines of each row are read, and six are fetched: as many activations, and more hits. */
static void prefetches_hit_open_rows(void **state)
{
    (void)state;
    struct metrics none = ROW_CHAIN(16, AT_ONCE), row = ROW_CHAIN(16, OPEN, AT_ONCE);
    assert_near(run_value(&none, "dram.row_hit_rate"), 1. / 2, 1e-9);
    assert_near(run_value(&row, "dram.row_hit_rate"), 5. / 6, 1e-9);
    assert_near(run_value(&row, "dram.activates"), run_value(&none, "dram.activates"), 0);
}

static void assert_same(const struct metrics *a, const struct metrics *b)
{
    for (uint32_t i = 0; i < METRIC_N; i++) {
        bool own = strncmp(metric_info[i].path, "l2.prefetch", 11) == 0;
        bool energy = strstr(metric_info[i].path, "_mj") || strstr(metric_info[i].path, "power");
        if (!own && !energy && (a->has[i] != b->has[i] || (a->has[i] && a->v[i] != b->v[i])))
            fail_msg("%s: %g and %g", metric_info[i].path, a->v[i], b->v[i]);
    }
}

/* With one MSHR, the read that misses has it: so nothing is fetched ahead, and all else is the
 * same. */
static void it_takes_only_what_is_free(void **state)
{
    static const char *const management[] = {AT_ONCE, CONVENTIONAL};
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct metrics none = CHAIN(1, management[i], "l2.mshr.entries=1"),
                       next = CHAIN(1, management[i], "l2.mshr.entries=1", NEXT);
        assert_near(run_value(&next, "l2.prefetch_lookups"), LINES, 0);
        assert_near(run_value(&next, "l2.prefetches"), 0, 0);
        assert_same(&none, &next);
    }
}

/* Random programs under few lines and all the structures that a block may be in: the shadow memory
 * asserts that every read sees the last store, and the machine that its counts add up. */
static void nobody_reads_old_data(void **state)
{
    static const char *const base[][2] = {{"sm.count", "3"},       {"coherence.protocol", "none"},
                                          {"l2.line_bytes", "64"}, {"l2.sector_bytes", "64"},
                                          {"l1.line_bytes", "64"}, {"l1.sector_bytes", "64"}};
    static const char *const drawn[][DRAWN_MAX] = {
        {"l2.prefetch", "next_line", "open_row", "next_line", "open_row"},
        {"l2.miss_management", "conventional", "conventional", "replace_at_once", "conventional"},
        {"l2.bank_kb", "1", "2", "4", "2"},
        {"l2.ways", "1", "2", "8", "4"},
        {"l2.banks", "1", "1", "2", "1"},
        {"l2.alloc", "on_miss", "on_fill", "on_miss", "on_miss"},
        {"l2.inclusion", "non_inclusive", "inclusive", "non_inclusive", "inclusive"},
        {"l2.vc.entries", "0", "2", "8", "32"},
        {"l2.frc.entries", "0", "0", "2", "8"},
        {"l2.writeback_buffer", "0", "1", "4", "0"},
        {"l2.mshr.entries", "4", "16", "64", "0"}};
    const struct setting s = {few_line_presets,           2,     base,
                              sizeof base / sizeof *base, drawn, sizeof drawn / sizeof *drawn};
    (void)state;
    drawn_cases(&s, 120, 11, "prefetching");
}

/* It looks into the tags once more for each read that misses; the fills are the same. */
static void a_look_up_costs_its_energy(void **state)
{
    struct machine m = run_machine("rx540", NULL, 0);
    struct energy_costs c;
    struct error e;
    (void)state;
    const struct part_pointers parts = machine_part_pointers(&m);
    assert_true(energy_costs(&c, &parts, &e));
    struct metrics none = CHAIN(1, CONVENTIONAL), next = CHAIN(1, CONVENTIONAL, NEXT);
    energy_account(&c, &none);
    energy_account(&c, &next);
    double more = next.v[M_l2_tags_mj] - none.v[M_l2_tags_mj];
    assert_near(more, 1e-9 * LINES / 2 * c.l2.tag_read, 1e-9 * more);
    assert_near(next.v[M_l2_data_mj] - none.v[M_l2_data_mj], 1e-9 * LINES / 2 * c.l2.data_read,
                1e-9 * next.v[M_l2_data_mj]);
}

/* After three lines of a stream, the fourth is in the tags, too, and its row is the one in use. */
static void a_functional_pass_has_the_line(void **state)
{
    static const char *const how[][2] = {{"l2.prefetch=none", "l2.mshr.entries=64"},
                                         {NEXT, "l2.mshr.entries=64"},
                                         {OPEN, "l2.prefetch_degree=1"}};
    struct hand_op op[] = {{.cls = OP_LOAD, .space = SPACE_GLOBAL, .addr = 4096, .after = true},
                           {.cls = OP_LOAD, .space = SPACE_GLOBAL, .addr = 4160, .after = true},
                           {.cls = OP_LOAD, .space = SPACE_GLOBAL, .addr = 4224, .after = true},
                           {.cls = OP_LOAD, .space = SPACE_GLOBAL, .addr = 4096, .after = true},
                           {.cls = OP_LOAD, .space = SPACE_GLOBAL, .addr = 4096, .after = true},
                           {.cls = OP_N}};
    uint64_t moment = 3;
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t on = i > 0;
        const char *const sets[] = {ROWS, how[i][0], how[i][1]};
        struct machine m = run_machine("rx540", sets, sizeof sets / sizeof *sets);
        struct program *p = hand_program(op, 1, 1, m.sm.warp_width);
        struct snapshot pass;
        struct error e = {0};
        if (!checkpoints_take_snapshots(&m, p, &moment, 1, true, &pass, &e)) fail_msg("%s", e.text);
        const struct cache_image *l2 = &pass.warm->slice[0];
        assert_int_equal(l2->n, 3 + on);
        bool fourth = false;
        for (uint32_t k = 0; k < l2->n; k++)
            fourth |= l2->line[k].tag == (4096 + 3 * LINE) / LINE;
        assert_true(fourth == on);
        snapshot_fini(&pass);
        program_close(p);
    }
}

/* Off by default, and its metrics absent; its row says what an estimate lacks. */
static void it_is_off_unless_it_is_set(void **state)
{
    struct machine m;
    double v;
    (void)state;
    machine_defaults(&m);
    assert_false(machine_meets(&m, mechanisms[mechanism_of("l2.prefetch")].on));
    struct metrics none = CHAIN(1, CONVENTIONAL);
    assert_false(metrics_value(&none, "l2.prefetches", &v));
    assert_true(strlen(mechanism_reason("l2.prefetch")) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_of_a_stream_hits),
        cmocka_unit_test(useless_lines_cost_fetches),
        cmocka_unit_test(the_next_line_is_of_the_slice),
        cmocka_unit_test(the_next_lines_are_of_the_row),
        cmocka_unit_test(each_slice_has_its_own_lines_of_a_row),
        cmocka_unit_test(prefetches_hit_open_rows),
        cmocka_unit_test(it_takes_only_what_is_free),
        cmocka_unit_test(nobody_reads_old_data),
        cmocka_unit_test(a_look_up_costs_its_energy),
        cmocka_unit_test(a_functional_pass_has_the_line),
        cmocka_unit_test(it_is_off_unless_it_is_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
