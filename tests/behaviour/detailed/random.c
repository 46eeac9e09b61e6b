/* random.c - random machines x random programs, a few: see random_runs.h. */
#include "tests/support/few_line_runs.h"
#include "tests/support/random_runs.h"

/* A fault planted where no one else looks: two overrides and at least three CTAs. */
static bool planted(const struct random_case *c)
{
    struct machine m = build_machine(&c->machine);
    return m.l1.cache.repl == REPL_FIFO && m.l2.ports == 3 && c->program.size[SHAPE_CTAS] >= 3;
}

static void a_planted_fault_is_shrunk_to_what_it_needs(void **state)
{
    static struct atlas a;
    uint32_t found = 0;
    (void)state;
    atlas_init(&a);
    for (uint64_t seed = 0; found < 5; seed++) {
        struct random_case c;
        struct rng r;
        rng_seed(&r, 7, seed);
        struct machine m = draw_machine(&a, &r, &c.machine);
        try_set(&a, &c.machine, &m, "l1.replacement", "fifo");
        try_set(&a, &c.machine, &m, "l2.ports", "3");
        c.program = draw_recipe(&r);
        if (!planted(&c)) continue;
        found++;
        shrink_case(&c, planted);
        assert_int_equal(c.machine.n, 2);
        assert_int_equal(c.program.size[SHAPE_CTAS], 3);
        assert_int_equal(c.program.size[SHAPE_STEPS] * c.program.size[SHAPE_LAUNCHES], 1);
    }
    atlas_fini(&a);
}

/* Found by the long tier: a launch ended while dirty lines of a write-back L1 were on their way. */
static void cases_that_once_failed(void **state)
{
    static const struct random_case launch_end = {
        {"hd7770-europar18", {"sm.units.sfu.latency=5", "l1.write=back"}, 2},
        {WILD, {10, 1, 39, 2}, 2729537928835456235u},
    };
    /* bytes that a directory's question brings while the line is on its way out of the L2 */
    static const struct random_case on_its_way_out = {
        {"hd7770-europar18", {"coherence.protocol=nmoesi", "l2.bank_kb=8", "l2.banks=1"}, 3},
        {RICH, {2, 2, 32, 1}, 15891186948635220970u},
    };
    /* bytes that come back to a block of which nothing but some bytes was written, in the FRC */
    static const struct random_case written_in_part = {
        {"hd7770-fgcs18",
         {"l2.inclusion=inclusive", "l2.bank_kb=4", "l2.banks=1", "l1.write=back",
          "l2.write_miss=validate", "l2.mshr.entries=1", "l2.frc.entries=16"},
         7},
        {RICH, {1, 2, 22, 1}, 7211222547128422252u},
    };
    /* a read around the L2 that found no MSHR, before the answers that MSHRs waited for */
    static const struct random_case answers_behind = {
        {"hd7770-fgcs18",
         {"l2.inclusion=inclusive", "l2.bank_kb=1", "coherence.protocol=si", "l2.mshr.entries=3",
          "l2.writeback_buffer=1", "l1.kb=1"},
         6},
        {RICH, {2, 2, 18, 1}, 15954803923244543157u},
    };
    /* the drain of the first write, while the next command was the end of a row's timeout */
    static const struct random_case drain_before_timeout = {
        {"apu-quickrelease-nol1", {"dram.page_policy=timeout"}, 1},
        {0, {1, 1, 1, 1}, 0},
    };
    /* a copy installs a block that was stored to and has left the L2 */
    static const struct random_case copy_behind_stores = {
        {"titanv", {"coherence.protocol=si", "sm.count=5"}, 2},
        {RICH, {1, 4, 10, 2}, 9841244006134154044u},
    };
    /* the host writes to a block of which the L3 has newer bytes than the memory */
    static const struct random_case copy_over_dirty_l3 = {
        {"apu-quickrelease-nol1", {"l3.write=back", "cpu.cache_kb=1"}, 2},
        {UNIFORM, {1, 1, 10, 2}, 14819312359085163246u},
    };
    (void)state;
    assert_int_equal(run_apart(&launch_end), RAN);
    assert_int_equal(run_apart(&copy_over_dirty_l3), RAN);
    assert_int_equal(run_apart(&copy_behind_stores), RAN);
    assert_int_equal(run_apart(&drain_before_timeout), RAN);
    assert_int_equal(run_apart(&on_its_way_out), RAN);
    assert_int_equal(run_apart(&written_in_part), RAN);
    assert_int_equal(run_apart(&answers_behind), RAN);
}

/* Found by the long tier: refreshes so close that no row was read between two of them.  The closest
 * that the machine takes must leave room. */
static void refreshes_as_close_as_allowed(void **state)
{
    static struct atlas a;
    (void)state;
    atlas_init(&a);
    for (uint32_t i = 0; i < 16; i++) {
        struct random_case c = {{"rx540", {""}, 0}, {WILD + i % 2, {4, 2, 10, 1}, i}};
        struct machine m = build_machine(&c.machine);
        char refi[PARAM_TEXT_MAX];
        uint32_t least = 2;
        assert_true(try_set(&a, &c.machine, &m, "sm.count", "2"));
        assert_true(try_set(&a, &c.machine, &m, "dram.per_bank_refresh", i & 2 ? "true" : "false"));
        assert_true(try_set(&a, &c.machine, &m, "dram.page_policy", i & 4 ? "closed" : "open"));
        assert_true(try_set(&a, &c.machine, &m, "dram.timing.tRFC", i & 8 ? "1" : "100"));
        do
            snprintf(refi, sizeof refi, "%u", least++);
        while (!try_set(&a, &c.machine, &m, "dram.timing.tREFI", refi));
        assert_true(least > 20);
        int rc = run_apart(&c);
        if (rc != RAN) print_case(&c, "closest refreshes", i);
        assert_int_equal(rc, RAN);
    }
    atlas_fini(&a);
}

/* Found beside it: millions of core cycles without an instruction are none of a slow memory's. */
static void a_slow_memory_is_no_standstill(void **state)
{
    static const struct random_case slow = {
        {"rx540", {"sm.count=5", "dram.clock_mhz=1", "clock.core_mhz=20000"}, 3},
        {0, {20, 4, 20, 1}, 0}};
    (void)state;
    assert_int_equal(run_apart(&slow), RAN);
}

/* Refreshes closer than the machine takes: every row is closed before anyone reads it. */
static void a_memory_that_only_refreshes_is_a_standstill(void **state)
{
    const struct recipe chase = {GENERATORS - 1, {1, 1, 2, 1}, 0};
    struct error e = {0};
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    m.dram.t.tRFC = 1;
    m.dram.t.tREFI = 2;
    struct program *p = build_program(&chase, m.sm.warp_width);
    struct sim *s = sim_new(&m, p, &e);
    assert_non_null(s);
    assert_int_equal(sim_run(s, NULL, NULL, NULL, &e), SIM_FAILED);
    assert_int_equal(e.kind, ERROR_RUN);
    assert_non_null(strstr(e.text, "makes no progress"));
    sim_free(s);
    program_close(p);
}

/* Each on a wild program of its own, with few entries, phases and merging half of the time. */
static void every_wait_rule_with_every_buffer(void **state)
{
    static const char *const wait[] = {"block", "wait_all_at_use", "scoreboard"};
    static const char *const buffer[][2] = {{"sm", "out_of_order"},
                                            {"sm", "in_order"},
                                            {"sm", "in_order_warp"},
                                            {"warp", "out_of_order"},
                                            {"warp", "in_order_warp"}};
    static const char *const stores[] = {"false", "true"};
    (void)state;
    for (uint32_t i = 0; i < 3 * 5 * 2 * 2; i++) {
        struct random_case c = {{"rx540", {""}, 0}, {WILD, {6, 3, 30, 2}, i}};
        const char *merge = i / 30 ? "true" : "false", *whole = i / 30 ? "false" : "true";
        const char *const set[][2] = {{"sm.count", "2"},
                                      {"sm.vmb_entries", "3"},
                                      {"sm.memory_wait", wait[i % 3]},
                                      {"sm.vmb_scope", buffer[i / 3 % 5][0]},
                                      {"sm.vmb_release", buffer[i / 3 % 5][1]},
                                      {"sm.nonblocking_stores", stores[i / 15 % 2]},
                                      {"sm.exit_waits_for_stores", stores[i % 2]},
                                      {"sm.cta_launch_cycles", i % 2 ? "0" : "70"},
                                      {"sm.cta_rate", i % 4 ? "0" : "0.02"},
                                      {"sm.coalesce_loads", whole},
                                      {"sm.coalesce_stores", whole},
                                      {"l1.merge_loads", merge},
                                      {"l1.merge_stores", merge},
                                      {"l1.latency", i % 2 ? "4" : "1"},
                                      {"l1.mshr.entries", "2"},
                                      {"l1.mshr.wait_aside", merge}};
        for (size_t k = 0; k < sizeof set / sizeof *set; k++)
            snprintf(c.machine.set[c.machine.n++], SET_CHARS, "%s=%s", set[k][0], set[k][1]);
        int rc = run_apart(&c);
        if (rc != RAN) print_case(&c, "wait rule and buffer", i);
        assert_int_equal(rc, RAN);
    }
}

/* Scalar caches under every kind of shortage; all SMs go at the same few lines. */
static void scalar_caches_run_short_of_everything(void **state)
{
    static const char *const share[] = {"1", "2", "64"};
    (void)state;
    for (uint32_t i = 0; i < 3 * 2 * 2 * 2 * 2; i++) {
        struct random_case c = {{"rx540", {""}, 0}, {UNIFORM, {12, 3, 30, 2}, i}};
        if (i % 5 == 0) strcpy(c.machine.preset, "titanv");
        const char *const set[][2] = {{"sm.count", "6"},
                                      {"scalar.loads", i / 24 ? "constant" : "uniform"},
                                      {"scalar.sms_per_cache", share[i % 3]},
                                      {"scalar.kb", "1"},
                                      {"scalar.ways", i / 3 % 2 ? "1" : "4"},
                                      {"scalar.mshr.entries", i / 6 % 2 ? "1" : "0"},
                                      {"scalar.mshr.max_merge", i / 12 % 2 ? "2" : "0"},
                                      {"scalar.line_bytes", "32"},
                                      {"l1.miss_queue", "1"},
                                      {"l2.mshr.entries", "2"}};
        for (size_t k = 0; k < sizeof set / sizeof *set; k++)
            snprintf(c.machine.set[c.machine.n++], SET_CHARS, "%s=%s", set[k][0], set[k][1]);
        int rc = run_apart(&c);
        if (rc != RAN) print_case(&c, "scalar caches", i);
        assert_int_equal(rc, RAN);
    }
}

/* TLBs, walkers and the ports of the SMs under every kind of shortage. */
static void translation_runs_short_of_everything(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 48; i++) {
        struct random_case c = {{"rx540", {""}, 0}, {UNIFORM, {12, 3, 30, 2}, i}};
        if (i % 3 == 0) strcpy(c.machine.preset, "titanv");
        if (i / 24) c.program.kind = WILD;
        const char *const set[][2] = {{"sm.count", "6"},
                                      {"tlb.l1_entries", i % 2 ? "1" : "4"},
                                      {"tlb.l1_misses", i / 2 % 2 ? "1" : "3"},
                                      {"tlb.l2_entries", i / 4 % 2 ? "1" : "8"},
                                      {"tlb.walkers", i / 8 % 2 ? "1" : "3"},
                                      {"tlb.walk_cache_kb", "1"},
                                      {"tlb.walk_cache_ways", "1"},
                                      {"tlb.l2_latency", i / 16 % 2 ? "1" : "30"},
                                      {"pages.kb", i % 5 ? "1" : "4"},
                                      {"pages.placement", i % 7 ? "none" : "local"},
                                      {"l1.merge_loads", i % 4 ? "false" : "true"},
                                      {"l1.enabled", i % 11 ? "true" : "false"},
                                      {"l1.miss_queue", "1"},
                                      {"l2.mshr.entries", "2"}};
        for (size_t k = 0; k < sizeof set / sizeof *set; k++)
            snprintf(c.machine.set[c.machine.n++], SET_CHARS, "%s=%s", set[k][0], set[k][1]);
        int rc = run_apart(&c);
        if (rc != RAN) print_case(&c, "translation", i);
        assert_int_equal(rc, RAN);
    }
}

static void a_hundred_runs(void **state)
{
    (void)state;
    random_machines_run_random_programs(0, 100);
}

static void two_dozen_beside_few_lines(void **state)
{
    (void)state;
    beside_few_lines(24, 11);
}

static void two_dozen_under_an_inclusive_l2(void **state)
{
    (void)state;
    much_leaves_an_inclusive_l2(24, 14);
}

static void two_dozen_under_quickrelease(void **state)
{
    (void)state;
    little_room_under_quickrelease(24, 15);
}

static void four_dozen_beside_cpus(void **state)
{
    (void)state;
    beside_cpus(48, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planted_fault_is_shrunk_to_what_it_needs),
        cmocka_unit_test(two_dozen_beside_few_lines),
        cmocka_unit_test(two_dozen_under_an_inclusive_l2),
        cmocka_unit_test(two_dozen_under_quickrelease),
        cmocka_unit_test(four_dozen_beside_cpus),
        cmocka_unit_test(cases_that_once_failed),
        cmocka_unit_test(refreshes_as_close_as_allowed),
        cmocka_unit_test(a_slow_memory_is_no_standstill),
        cmocka_unit_test(a_memory_that_only_refreshes_is_a_standstill),
        cmocka_unit_test(every_wait_rule_with_every_buffer),
        cmocka_unit_test(scalar_caches_run_short_of_everything),
        cmocka_unit_test(translation_runs_short_of_everything),
        cmocka_unit_test(a_hundred_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
