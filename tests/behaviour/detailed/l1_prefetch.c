/* l1_prefetch.c - the stride prefetcher of the L1s: how many misses it leaves, what it never takes,
 * what it costs, and what a functional pass leaves of it. */
#include "gpu/energy/account.h"
#include "gpu/mechanisms/mechanisms.h"
#include "tests/support/few_line_runs.h"
#include "tests/support/hand.h"
#include "tests/support/run.h"
#include "tests/support/warm_pass.h"

enum { LOADS = 64, LINE = 64 };
#define STRIDE "l1.prefetch=stride"
/* A memory of a time and no bandwidth, and an L1 without sectors that holds all lines. */
#define BED                                                                                 \
    "sm.count=1", "l1.kb=64", "l1.line_bytes=64", "l1.sector_bytes=64", "dram.model=fixed", \
        "dram.fixed_latency=100", "l2.interleave_bytes=64"

/* One warp follows a chain: one load, again and again, each after the one before it. */
static struct metrics run_chain(const uint64_t *addr, uint32_t n, const char *const *sets)
{
    struct hand_op op[LOADS + 1] = {[LOADS] = {.cls = OP_N}};
    size_t count = 0;
    while (sets[count])
        count++;
    for (uint32_t i = 0; i < LOADS; i++)
        op[i] = (struct hand_op){
            .cls = OP_LOAD, .space = SPACE_GLOBAL, .pc = 16, .addr = addr[i % n], .after = true};
    return hand_run("rx540", sets, count, op, 1);
}

static struct metrics run_strides(int64_t lines, const char *const *sets)
{
    uint64_t addr[LOADS];
    for (int64_t i = 0; i < LOADS; i++)
        addr[i] = (uint64_t)((1 << 24) + i * lines * LINE);
    return run_chain(addr, LOADS, sets);
}
#define CHAIN(lines, ...) run_strides(lines, (const char *const[]){BED, __VA_ARGS__, NULL})

/* Two strides are learnt from three loads.  From the third on a miss brings the next `degree`: of
 * the loads from there one in degree + 1 misses. */
static uint32_t misses_of(uint32_t degree)
{
    return 2 + (LOADS - 2 + degree) / (degree + 1);
}

static void a_chain_of_strides_misses_once_in_several(void **state)
{
    static const int64_t strides[] = {1, 3, 40, -2};
    static const struct {
        const char *set;
        uint32_t n;
    } degree[] = {
        {"l1.prefetch_degree=1", 1}, {"l1.prefetch_degree=2", 2}, {"l1.prefetch_degree=7", 7}};
    (void)state;
    for (uint32_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        struct metrics none = CHAIN(strides[i], "l1.prefetch=none");
        assert_near(run_value(&none, "l1.misses"), LOADS, 0);
        for (uint32_t k = 0; k < 3; k++) {
            struct metrics m = CHAIN(strides[i], STRIDE, degree[k].set);
            uint32_t misses = misses_of(degree[k].n), ahead = (misses - 2) * degree[k].n;
            assert_near(run_value(&m, "l1.misses"), misses, 0);
            assert_near(run_value(&m, "l1.hits") + run_value(&m, "l1.merges"), LOADS - misses, 0);
            assert_near(run_value(&m, "l1.prefetch_lookups"), ahead, 0);
            assert_near(run_value(&m, "l1.prefetches"), ahead, 0);
            assert_near(run_value(&m, "l1.prefetches_useful"), LOADS - misses, 0);
            assert_near(run_value(&m, "l1.fills"), misses + ahead, 0);
            assert_true(m.v[M_cycles] < none.v[M_cycles] - (LOADS - misses - 1) * 100.0 / 2);
        }
    }
}

static void assert_same(const struct metrics *a, const struct metrics *b)
{
    for (uint32_t i = 0; i < METRIC_N; i++) {
        bool own = strncmp(metric_info[i].path, "l1.prefetch", 11) == 0;
        if (!own && (a->has[i] != b->has[i] || (a->has[i] && a->v[i] != b->v[i])))
            fail_msg("%s: %g and %g", metric_info[i].path, a->v[i], b->v[i]);
    }
}

/* Steps that never repeat teach nothing: the same run. */
static void without_a_stride_nothing_is_fetched(void **state)
{
    uint64_t addr[LOADS];
    (void)state;
    for (uint32_t i = 0; i < LOADS; i++)
        addr[i] = (1 << 24) + (uint64_t)LINE * i * (i + 1) / 2;
    struct metrics none = run_chain(addr, LOADS, (const char *const[]){BED, NULL}),
                   m = run_chain(addr, LOADS, (const char *const[]){BED, STRIDE, NULL});
    assert_near(run_value(&m, "l1.prefetch_lookups"), 0, 0);
    assert_same(&none, &m);
}

/* With one MSHR, the load that misses has it. */
static void it_takes_only_what_is_free(void **state)
{
    (void)state;
    struct metrics none = CHAIN(1, "l1.mshr.entries=1"), m = CHAIN(1, "l1.mshr.entries=1", STRIDE);
    assert_near(run_value(&m, "l1.prefetch_lookups"), LOADS - 2, 0);
    assert_near(run_value(&m, "l1.prefetches"), 0, 0);
    for (uint32_t i = 0; i < METRIC_N; i++)
        if (strstr(metric_info[i].path, "energy") || strstr(metric_info[i].path, "power"))
            none.has[i] = m.has[i] = false;
    assert_same(&none, &m);
}

/* Random programs under few lines: the shadow memory asserts that every read sees the last store,
 * and the machine that its counts add up; rejected fetches without a waiter end by themselves. */
static void nobody_reads_old_data(void **state)
{
    static const char *const base[][2] = {
        {"sm.count", "3"},         {"coherence.protocol", "none"}, {"l1.bypass", "hinted"},
        {"l1.prefetch", "stride"}, {"l1.prefetch_entries", "4"},   {"l1.frc.entries", "0"}};
    static const char *const drawn[][DRAWN_MAX] = {
        {"l1.prefetch_degree", "1", "2", "3", "8"},
        {"l1.kb", "1", "2", "4", "2"},
        {"l1.ways", "1", "2", "4", "4"},
        {"l1.mshr.entries", "2", "4", "16", "0"},
        {"l2.inclusion", "non_inclusive", "inclusive", "non_inclusive", "inclusive"},
        {"l1.alloc", "on_miss", "on_fill", "on_miss", "on_fill"}};
    const struct setting s = {few_line_presets,           2,     base,
                              sizeof base / sizeof *base, drawn, sizeof drawn / sizeof *drawn};
    (void)state;
    drawn_cases(&s, 120, 11, "prefetching");
}

/* A rejected fetch that nobody waits for comes again until it is served. */
static void rejected_fetches_come_again(void **state)
{
    (void)state;
    for (uint32_t keeps = 0; keeps < 2; keeps++) {
        struct metrics m =
            CHAIN(1, STRIDE, "l1.prefetch_degree=8", "l2.miss_management=replace_at_once",
                  "l2.nack=true", "l2.mshr.entries=1", "l2.banks=1",
                  keeps ? "l2.nack_releases_l1_mshr=false" : "l2.nack_releases_l1_mshr=true");
        assert_true(run_value(&m, "l2.nacks") > 0);
        assert_near(run_value(&m, "l1.misses"), misses_of(8), 0);
        assert_near(run_value(&m, "l1.fills"), misses_of(8) * 9 - 16, 0);
    }
}

/* After three lines of a stride, the fourth is in the tags, too. */
static void a_functional_pass_has_the_line(void **state)
{
    struct hand_op op[6] = {[5] = {.cls = OP_N}};
    uint64_t moment = 3;
    (void)state;
    for (uint32_t i = 0; i < 5; i++)
        op[i] = (struct hand_op){.cls = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .pc = 16,
                                 .addr = 4096 + LINE * 3 * i,
                                 .after = true};
    for (uint32_t on = 0; on < 2; on++) {
        const char *const sets[] = {BED, on ? STRIDE : "l1.prefetch=none"};
        struct machine m = run_machine("rx540", sets, sizeof sets / sizeof *sets);
        struct program *p = hand_program(op, 1, 1, m.sm.warp_width);
        struct snapshot pass;
        struct error e = {0};
        if (!checkpoints_take_snapshots(&m, p, &moment, 1, true, &pass, &e)) fail_msg("%s", e.text);
        const struct cache_image *l1 = &pass.warm->l1[0];
        assert_int_equal(l1->n, 3 + on);
        bool fourth = false;
        for (uint32_t k = 0; k < l1->n; k++)
            fourth |= l1->line[k].tag == (4096 + 9 * LINE) / LINE;
        assert_true(fourth == on);
        snapshot_fini(&pass);
        program_close(p);
    }
}

/* It looks into the tags once more for each sector; a fill is a fill. */
static void a_look_up_costs_its_energy(void **state)
{
    struct machine m = run_machine("rx540", NULL, 0);
    struct energy_costs c;
    struct error e;
    (void)state;
    const struct part_pointers parts = machine_part_pointers(&m);
    assert_true(energy_costs(&c, &parts, &e));
    struct metrics none = CHAIN(1, "l1.prefetch=none"), ahead = CHAIN(1, STRIDE);
    energy_account(&c, &none);
    energy_account(&c, &ahead);
    double more = ahead.v[M_l1_tags_mj] - none.v[M_l1_tags_mj];
    assert_near(more, 1e-9 * (misses_of(1) - 2) * c.l1.tag_read, 1e-9 * more);
}

/* Off by default, and its metrics absent; its row says what an estimate lacks. */
static void it_is_off_unless_it_is_set(void **state)
{
    struct machine m;
    double v;
    (void)state;
    machine_defaults(&m);
    assert_false(machine_meets(&m, mechanisms[mechanism_of("l1.prefetch")].on));
    struct metrics none = CHAIN(1, "l1.prefetch=none");
    assert_false(metrics_value(&none, "l1.prefetches", &v));
    assert_true(strlen(mechanism_reason("l1.prefetch")) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_strides_misses_once_in_several),
        cmocka_unit_test(without_a_stride_nothing_is_fetched),
        cmocka_unit_test(it_takes_only_what_is_free),
        cmocka_unit_test(nobody_reads_old_data),
        cmocka_unit_test(rejected_fetches_come_again),
        cmocka_unit_test(a_functional_pass_has_the_line),
        cmocka_unit_test(a_look_up_costs_its_energy),
        cmocka_unit_test(it_is_off_unless_it_is_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
