/* How machine files, bases and overrides build on each other. */
#include "base/memory/alloc.h"
#include "tests/support/machine_files.h"

static void later_layers_override(void **state)
{
    struct machine m;
    struct errors all = {0};
    (void)state;
    machine_files_put("c.cfg", "sm : { count = 2; max_warps = 8; };\nl1 : { kb = 32; };\n");
    machine_files_put("b.cfg", "base = \"c.cfg\";\nsm : { count = 3; };\n");
    machine_files_put("a.cfg", "description = \"mine\"; base = \"./b.cfg\";\nl1 : { kb = 64; };\n");
    assert_true(machine_files_load(&m, "a.cfg", &all));
    assert_int_equal(m.sm.count, 3);
    assert_int_equal(m.sm.max_warps, 8);
    assert_int_equal(m.l1.kb, 64);
    assert_int_equal(m.l1.cache.sets, 64 * 1024 / (4 * 64));
    assert_string_equal(m.name, "a");
    assert_string_equal(m.description, "mine");
    errors_fini(&all);
}

static void circles_are_refused(void **state)
{
    struct machine m;
    struct errors all = {0};
    (void)state;
    machine_files_put("a.cfg", "base = \"b.cfg\";\n");
    machine_files_put("b.cfg", "base = \"a.cfg\";\n");
    assert_false(machine_files_load(&m, "a.cfg", &all));
    assert_int_equal(all.n, 1);
    assert_non_null(strstr(all.item[0].text, "builds on itself"));
    errors_fini(&all);
    machine_files_put("c.cfg", "base = \"../plumb-x/../c.cfg\";\n");
    machine_files_put("c.cfg",
                      "base = \"./c.cfg\";\n"); /* another text for the same file each time */
    assert_false(machine_files_load(&m, "c.cfg", &all));
    assert_int_equal(all.n, 1);
    assert_non_null(strstr(all.item[0].text, "builds on itself"));
    errors_fini(&all);
}

static void a_preset_can_be_the_base(void **state)
{
    struct machine m, preset;
    struct errors all = {0};
    (void)state;
    assert_true(machine_load(&preset, "rx540", NULL, 0, &all));
    assert_true(
        machine_parse(&m, "base = \"rx540\";\nsm : { count = 9; };", "mine.cfg", NULL, 0, &all));
    assert_int_equal(m.sm.count, 9);
    m.sm.count = preset.sm.count;
    assert_true(digest_equal(machine_digest(&m), machine_digest(&preset)));
    errors_fini(&all);
}

static void explicit_keys_override_a_set(void **state)
{
    struct machine m;
    struct errors all = {0};
    char fault[160];
    (void)state;
    machine_files_put("set.cfg", "clock_mhz = 800.0;\ntiming : { tCL = 11; tCWL = 10; };\n");
    machine_files_put("a.cfg", "dram : {\n timing : { tCL = 12; };\n set = \"./set.cfg\";\n};\n");
    assert_true(machine_files_load(&m, "a.cfg", &all));
    assert_int_equal(m.dram.clock_khz, 800000);
    assert_int_equal(m.dram.t.tCL, 12);
    assert_int_equal(m.dram.t.tCWL, 10);
    assert_int_equal(m.dram.t.tRCDRD, 18);
    machine_files_put("set.cfg", "timing : {\n tCl = 11; };\nset = \"hbm2\";\n");
    assert_false(machine_files_load(&m, "a.cfg", &all));
    assert_int_equal(all.n, 2);
    snprintf(fault, sizeof fault, "%s/./set.cfg:3: dram.set:", machine_files_dir);
    assert_memory_equal(all.item[0].text, fault, strlen(fault));
    snprintf(fault, sizeof fault, "%s/./set.cfg:2: dram.timing.tCl:", machine_files_dir);
    assert_memory_equal(all.item[1].text, fault, strlen(fault));
    errors_fini(&all);
}

/* At another clock a set keeps its base's times in ns, in whole clocks, and what counts clocks. */
static void a_set_keeps_the_times_of_its_base(void **state)
{
    struct machine m, base;
    struct errors all = {0};
    const char *set = "dram.set=gddr6-14500";
    (void)state;
    assert_true(machine_load(&base, "t4", &set, 1, &all));
    machine_files_put("set.cfg", "base = \"gddr6-14500\";\nclock_mhz = 2500.0;\n");
    machine_files_put("a.cfg", "base = \"t4\";\ndram : { set = \"./set.cfg\"; };\n");
    assert_true(machine_files_load(&m, "a.cfg", &all));
    const struct dram_timing *t = &m.dram.t, *o = &base.dram.t;
    assert_int_equal(m.dram.kind, DRAM_GDDR6);
    assert_int_equal(m.dram.clock_khz, 2500000);
    assert_int_equal(t->tRCDRD, 38); /* 14.897 ns */
    assert_int_equal(t->tRFC, 300);  /* 119.7 ns */
    assert_int_equal(t->tRAS, 76);
    assert_int_equal(t->tRP, 38);
    assert_int_equal(t->tRC, 114); /* 45.24 ns are 113.1 clocks, and the parts 114 */
    assert_int_equal(t->tCCD_S, o->tCCD_S);
    assert_int_equal(t->tPPD, o->tPPD);
    assert_int_equal(t->tCMD, o->tCMD);
    assert_int_equal(m.dram.rows, base.dram.rows);
    /* What the set gives itself is in its own clocks; a machine's clock changes no other value. */
    machine_files_put("set.cfg",
                      "base = \"gddr6-14500\";\nclock_mhz = 2500.0;\ntiming : { tCL = 40; };\n");
    machine_files_put("a.cfg",
                      "base = \"t4\";\ndram : { set = \"./set.cfg\"; clock_mhz = 2600.0; };\n");
    assert_true(machine_files_load(&m, "a.cfg", &all));
    assert_int_equal(m.dram.t.tCL, 40);
    assert_int_equal(m.dram.t.tRCDRD, 38);
    assert_int_equal(m.dram.clock_khz, 2600000);
    /* A set on a set on a set: the times stay. */
    machine_files_put("part.cfg",
                      "base = \"gddr6-14500\";\nkind = \"gddr6x\";\nclock_mhz = 2000.0;\n");
    machine_files_put("set.cfg", "base = \"./part.cfg\";\nclock_mhz = 1812.5;\n");
    machine_files_put("a.cfg", "base = \"t4\";\ndram : { set = \"./set.cfg\"; };\n");
    assert_true(machine_files_load(&m, "a.cfg", &all));
    assert_int_equal(m.dram.kind, DRAM_GDDR6X);
    assert_in_range(m.dram.t.tRCDRD, o->tRCDRD, o->tRCDRD + 1);
    errors_fini(&all);
}

static void what_is_wrong_with_a_set_is_said(void **state)
{
    static const struct {
        const char *set, *says;
    } cases[] = {
        {"base = \"./set.cfg\";\n", "set.cfg:1: base: sets build on each other in a circle"},
        {"base = \"gddr9\";\n", "set.cfg:1: base: gddr9 is not there; allowed"},
        {"base = 3;\n", "set.cfg:1: base: a text is not there"},
        {"kind = \"gddr9\";\n", "set.cfg:1: kind: \"gddr9\"; allowed: \"ddr3\", \"ddr4\""},
        {"kind = 6;\n", "set.cfg:1: kind: not a text"},
        {"timing : { base = \"gddr6\"; };\n", "set.cfg:1: dram.timing.base: unknown"},
        {"base = \"gddr6\";\nclock_mhz = -1;\n", "set.cfg:2: dram.clock_mhz: -1 is out"},
        {"base = \"gddr6\";\nclock_mhz = 1e12;\n", "dram.timing.tRCDRD"},
    };
    (void)state;
    machine_files_put("a.cfg", "dram : { set = \"./set.cfg\"; };\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine m;
        struct errors all = {0};
        machine_files_put("set.cfg", cases[i].set);
        assert_false(machine_files_load(&m, "a.cfg", &all));
        if (!strstr(all.item[0].text, cases[i].says)) fail_msg("%s", all.item[0].text);
        errors_fini(&all);
    }
}

static void an_included_fragment_fills_its_group(void **state)
{
    struct machine m;
    struct errors all = {0};
    (void)state;
    machine_files_put("part.cfg", "count = 12;\nmax_warps = 16;\n");
    machine_files_put("a.cfg", "sm : {\n@include \"part.cfg\"\n max_ctas = 4;\n};\n");
    assert_true(machine_files_load(&m, "a.cfg", &all));
    assert_int_equal(m.sm.count, 12);
    assert_int_equal(m.sm.max_warps, 16);
    assert_int_equal(m.sm.max_ctas, 4);
    errors_fini(&all);
}

/* --set on a file must equal the edited file. */
static void set_equals_editing(void **state)
{
    static const struct {
        const char *set, *edit;
    } cases[] = {
        {"l2.bank_kb=512", "l2 : { bank_kb = 512; };"},
        {"l2.mshr.entries=64", "l2 : { mshr : { entries = 64; }; };"},
        {"sm.scheduler=lrr", "sm : { scheduler = \"lrr\"; };"},
        {"sm.scheduler=\"lrr\"", "sm : { scheduler = \"lrr\"; };"},
        {"sm.units.int32.latency=7", "sm : { units : { int32 : { latency = 7; }; }; };"},
        {"clock.core_mhz=1100", "clock : { core_mhz = 1100; };"},
        {"clock.core_mhz=1100.5", "clock : { core_mhz = 1100.5; };"},
        {"l1.flush_at_launch=false", "l1 : { flush_at_launch = false; };"},
        {"dram.set=hbm2", "dram : { set = \"hbm2\"; };"},
        {"dram.timing.tRCDRD=20", "dram : { timing : { tRCDRD = 20; }; };"},
        {"dram.mapping=bank:row:column", "dram : { mapping = \"bank:row:column\"; };"},
        {"l2.interleave_bytes=0x200", "l2 : { interleave_bytes = 512; };"},
        {"l2.miss_management=replace_at_once", "l2 : { miss_management = \"replace_at_once\"; };"},
        {"dram.model=fixed", "dram : { model = \"fixed\"; };"},
    };
    struct machine preset, set, edited, changed;
    struct errors all = {0};
    char text[256];
    (void)state;
    assert_true(machine_load(&preset, "rx540", NULL, 0, &all));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(text, sizeof text, "base = \"rx540\";\n%s", cases[i].edit);
        assert_true(machine_load(&set, "rx540", &cases[i].set, 1, &all));
        assert_true(machine_parse(&edited, text, "edited.cfg", NULL, 0, &all));
        changed = preset;
        assert_true(machine_set(&changed, &cases[i].set, 1, &all));
        assert_true(digest_equal(machine_digest(&set), machine_digest(&edited)));
        assert_true(digest_equal(machine_digest(&set), machine_digest(&changed)));
        assert_false(digest_equal(machine_digest(&set), machine_digest(&preset)));
    }
    errors_fini(&all);
}

static void sets_apply_in_order_and_lists_work(void **state)
{
    static const char *const sets[] = {
        "l2.bank_kb=512",   "dram.channels=2", "l2.bank_kb=1024",  "dram.set=hbm2",
        "l1.adaptive=true", "l1.kb=16",        "l1.unified_kb=80", "l1.shared_options_kb=0, 64"};
    struct machine m;
    struct errors all = {0};
    (void)state;
    assert_true(machine_load(&m, "rx540", sets, sizeof sets / sizeof sets[0], &all));
    assert_int_equal(m.l2.bank_kb, 1024);
    assert_int_equal(m.l2.cache.sets, 1024 * 1024 / (32 * 64));
    assert_int_equal(m.dram.channels, 2); /* over the set's eight, wherever it stands */
    assert_int_equal(m.dram.burst_length, 4);
    assert_int_equal(m.l1.shared_options_kb.n, 2);
    assert_int_equal(m.l1.shared_options_kb.v[1], 64);
    errors_fini(&all);
}

/* What a preset says of one policy yields to a later choice of another, and is back at its default.
 */
static void a_later_choice_resets_what_hangs_on_it(void **state)
{
    static const char *const at_once[] = {"l2.miss_management=replace_at_once"};
    static const char *const fixed[] = {"dram.model=fixed", "dram.fixed_latency=90"};
    static const char *const contradiction[] = {"l2.miss_management=replace_at_once",
                                                "l2.victim_rule=lru_ext"};
    struct machine m, defaults;
    struct errors all = {0};
    (void)state;
    machine_defaults(&defaults);
    assert_true(machine_load(&m, "rx540", at_once, 1, &all));
    assert_false(m.l2.clean_victim_notice);
    assert_true(machine_load(&m, "rx540", fixed, 2, &all));
    assert_int_equal(m.dram.fixed_latency, 90);
    assert_int_equal(m.dram.t.tRCDRD, defaults.dram.t.tRCDRD);
    assert_false(machine_load(&m, "rx540", contradiction, 2, &all));
    assert_int_equal(all.n, 1);
    assert_memory_equal(all.item[0].text, "--set l2.victim_rule=lru_ext: l2.victim_rule:", 45);
    errors_fini(&all);
    /* What a set of configs/dram says, too: it stands below all other --set, and is not to blame.
     */
    static const char *const over[] = {"dram.model=fixed", "dram.set=gddr5"};
    static const char *const split[] = {"dram.set=gddr5", "dram.pseudo_channels=2"};
    assert_true(machine_load(&m, "rx540", over, 2, &all));
    assert_int_equal(m.dram.t.tRCDRD, defaults.dram.t.tRCDRD);
    assert_false(machine_load(&m, "rx540", split, 2, &all));
    assert_int_equal(all.n, 1);
    assert_memory_equal(all.item[0].text,
                        "--set dram.pseudo_channels=2: dram.pseudo_channels:", 51);
    errors_fini(&all);
    /* write_high hangs on write_queue, which hangs on the model. */
    static const char *const chain[] = {"dram.set=hbm2"};
    assert_true(machine_load(&m, "rx540", chain, 1, &all));
    assert_true(machine_set(&m, fixed, 2, &all));
    assert_int_equal(m.dram.write_high, 0);
    errors_fini(&all);
}

static void a_refused_set_changes_nothing(void **state)
{
    static const char *const sets[] = {"sm.count=4", "l2.bank_kb=3", "l9.x=1",
                                       "sm.count",   "=5",           "sm.units=3"};
    static const char *const begins[] = {
        "--set l9.x=1: l9.x: unknown", "--set sm.count: no value", "--set =5: no value",
        "--set sm.units=3: sm.units: unknown", "--set l2.bank_kb=3: l2.bank_kb: 3 KB are not"};
    struct machine m, before;
    struct errors all = {0};
    (void)state;
    machine_defaults(&m);
    before = m;
    assert_false(machine_set(&m, sets, sizeof sets / sizeof sets[0], &all));
    assert_int_equal(all.n, sizeof begins / sizeof begins[0]);
    for (uint32_t i = 0; i < all.n; i++)
        assert_memory_equal(all.item[i].text, begins[i], strlen(begins[i]));
    assert_memory_equal(&m, &before, sizeof m);
    errors_fini(&all);
}

/* machine_scale gives machine_set's machine, and refuses what that refuses. */
static void scaled_machines_are_those_that_are_set(void **state)
{
    static const char *const sets[] = {"clock.noc_mhz=2400",
                                       "l2.bank_kb=512",
                                       "l1.latency=7",
                                       "dram.channels=8",
                                       "dram.channels=3",
                                       "dram.channels=999",
                                       "noc.link_latency=3",
                                       "dram.fixed_latency=9",
                                       "l2.bank_kb=3",
                                       "l2.index=4",
                                       "l9.x=1",
                                       "sm.count"};
    (void)state;
    uint32_t taken = 0;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct machine set, scaled;
        struct errors all = {0};
        assert_true(machine_load(&set, "rx540", NULL, 0, &all));
        scaled = set;
        bool ok = machine_set(&set, &sets[i], 1, &all);
        assert_int_equal(machine_scale(&scaled, &sets[i], 1), ok);
        assert_memory_equal(&scaled, &set, sizeof set);
        errors_fini(&all);
        taken += ok;
    }
    assert_int_equal(taken, 4);
}

/* Whether the call that was to fail has been made. */
static bool was_reached(unsigned calls)
{
    while (calls-- > 0)
        if (shim_fails(SHIM_ALLOC)) return false;
    return true;
}

static void running_out_of_memory_is_a_fault_not_a_crash(void **state)
{
    struct machine whole;
    struct errors all = {0};
    bool reached = true;
    unsigned n = 0;
    (void)state;
    assert_true(machine_load(&whole, "rx540", NULL, 0, &all));
    while (reached && n < 100000) {
        struct machine m;
        shim_fail_after(SHIM_ALLOC, ++n);
        bool ok = machine_load(&m, "rx540", NULL, 0, &all);
        reached = was_reached(n);
        shim_fail_after(SHIM_ALLOC, 0);
        assert_true(ok || all.n > 0 || all.overflow);
        if (ok) assert_true(digest_equal(machine_digest(&m), machine_digest(&whole)));
        errors_fini(&all);
    }
    assert_true(n > 20 && !reached);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_layers_override),
        cmocka_unit_test(circles_are_refused),
        cmocka_unit_test(a_preset_can_be_the_base),
        cmocka_unit_test(explicit_keys_override_a_set),
        cmocka_unit_test(a_set_keeps_the_times_of_its_base),
        cmocka_unit_test(what_is_wrong_with_a_set_is_said),
        cmocka_unit_test(an_included_fragment_fills_its_group),
        cmocka_unit_test(set_equals_editing),
        cmocka_unit_test(sets_apply_in_order_and_lists_work),
        cmocka_unit_test(a_later_choice_resets_what_hangs_on_it),
        cmocka_unit_test(a_refused_set_changes_nothing),
        cmocka_unit_test(scaled_machines_are_those_that_are_set),
        cmocka_unit_test(running_out_of_memory_is_a_fault_not_a_crash),
    };
    return cmocka_run_group_tests(tests, machine_files_make, machine_files_remove);
}
