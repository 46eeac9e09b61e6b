/* Do presets say when their values change, and does a file that was written for earlier ones load,
 * or say what it lacks? */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "tests/support/machine_files.h"

/* The digest of all values that are not their parameter's default, so that a new parameter moves
 * none. */
static void digest_of_values(const struct machine *m, char hex[33])
{
    struct machine plain;
    struct text all = {0};
    uint32_t n;
    char **paths = machine_paths(&n);
    machine_defaults(&plain);
    for (uint32_t i = 0; i < n; i++) {
        struct text own = {0}, dflt = {0};
        bool set = machine_find_param(paths[i], NULL, NULL)->type == PARAM_FRAGMENT;
        machine_get_bare(m, paths[i], &own);
        machine_get_bare(&plain, paths[i], &dflt);
        if (!set && strcmp(text_str(&own), text_str(&dflt)) != 0)
            text_add(&all, "%s=%s\n", paths[i], text_str(&own));
        text_fini(&own);
        text_fini(&dflt);
    }
    digest_hex(digest_text(text_str(&all)), hex);
    text_fini(&all);
    mem_free(paths);
}

/* Each preset has the values that tests/data/preset_versions.csv has for its version. Whoever
 * changes a preset gives it the next version, says under `before` what the values were, and adds a
 * row. */
static void a_change_of_values_is_a_new_version(void **state)
{
    struct error e;
    char **names = machine_presets(NULL);
    char *table;
    size_t bytes;
    (void)state;
    assert_true(file_read("tests/data/preset_versions.csv", &table, &bytes, &e));
    for (char **p = names; *p; p++) {
        struct machine m;
        struct errors all = {0};
        char hex[33], row[160];
        assert_true(machine_load(&m, *p, NULL, 0, &all));
        digest_of_values(&m, hex);
        snprintf(row, sizeof row, "\n%s,%u,%s\n", *p, m.preset_version, hex);
        if (!strstr(table, row))
            fail_msg("the values of %s are not those of its version; the next one's row:%s", *p,
                     row);
    }
    machine_config_dirs_free(names);
    mem_free(table);
}

static void loads(struct machine *m, const char *text)
{
    struct errors all = {0};
    if (!machine_parse(m, text, "mine.cfg", NULL, 0, &all)) fail_msg("%s", all.item[0].text);
    errors_fini(&all);
}

static void a_file_gets_the_version_that_it_states(void **state)
{
    struct machine m;
    (void)state;
    loads(&m, "base = \"qv100\";\nbase_version = 1;\nl2 : { banks = 24; };\n"
              "dram : { channels = 24; };\n");
    assert_int_equal(m.l2.slice_hash, SLICE_XOR);
    assert_int_equal(m.l2.miss_queue, 32);
    assert_int_equal(m.l1.banks, 1);
    assert_int_equal(m.l2.banks, 24);
    assert_int_equal(m.preset_version, 1);
    assert_string_equal(m.moved, "");
    loads(&m, "base = \"qv100\";\nbase_version = 2;\n");
    assert_int_equal(m.l2.slice_hash, SLICE_IPOLY);
    assert_string_equal(m.moved, "");
    /* What a version has off takes with it what the next one has set of it. */
    loads(&m, "base = \"rx6900xt\";\nbase_version = 1;\n");
    assert_int_equal(m.l1.l15.kb, 0);
    assert_int_equal(m.l1.l15.latency, 1);
    /* A version that the base does not keep loads as it is now, and says so. */
    loads(&m, "base = \"qv100\";\nbase_version = 9;\n");
    assert_int_equal(m.l2.slice_hash, SLICE_IPOLY);
    assert_string_equal(m.moved, "mine.cfg:2: written for the values of version 9 of qv100, which "
                                 "is at version 2 and may lack what was there");
}

/* A base that does not have the version stated: none at all, one after it, one before it. */
static void what_a_base_lacks_is_told(void **state)
{
    static const struct {
        const char *base, *says;
    } cases[] = {
        {"sm : { count = 20; };\n", "which states no version; its values may have changed"},
        {"base = \"qv100\";\n", "which states no version; its values may have changed"},
        {"version = 3;\n", "which does not keep them; these are those of version 3"},
        {"version = 4;\nbefore : ( { version = 3; sm : { count = 20; }; } );\n",
         "which does not keep them; these are those of version 3"},
        {"version = 1;\n", "which is at version 1 and may lack what was there"},
        {"version = 2;\n", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine m;
        struct errors all = {0};
        char says[192];
        machine_files_put("b.cfg", cases[i].base);
        machine_files_put("a.cfg", "base = \"b.cfg\";\nbase_version = 2;\n");
        assert_true(machine_files_load(&m, "a.cfg", &all));
        snprintf(says, sizeof says, "a.cfg:2: written for the values of version 2 of b.cfg, %s",
                 cases[i].says ? cases[i].says : "");
        if (!(cases[i].says ? strstr(m.moved, says) != NULL : !m.moved[0]))
            fail_msg("%s\nlacks\n%s", m.moved, says);
        errors_fini(&all);
    }
}

/* Several steps back, and a file of the user as the base. */
static void versions_are_kept_step_by_step(void **state)
{
    struct machine m;
    struct errors all = {0};
    (void)state;
    machine_files_put("b.cfg",
                      "version = 3;\nsm : { count = 30; max_warps = 16; max_ctas = 8; };\n"
                      "before : ( { version = 2; sm : { count = 20; }; },\n"
                      "           { version = 1; sm : { count = 10; max_ctas = 4; }; } );\n");
    static const uint32_t want[][3] = {{1, 10, 4}, {2, 20, 8}, {3, 30, 8}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        char text[96];
        snprintf(text, sizeof text, "base = \"b.cfg\";\nbase_version = %u;\n", want[i][0]);
        machine_files_put("a.cfg", text);
        assert_true(machine_files_load(&m, "a.cfg", &all));
        assert_int_equal(m.sm.count, want[i][1]);
        assert_int_equal(m.sm.max_ctas, want[i][2]);
        assert_int_equal(m.sm.max_warps, 16);
        assert_string_equal(m.moved, "");
    }
    errors_fini(&all);
}

static void refused(const char *text, const char *const *sets, size_t n, const char *says)
{
    struct machine m;
    struct errors all = {0};
    assert_false(machine_parse(&m, text, "mine.cfg", sets, n, &all));
    assert_int_equal(all.n, 1);
    if (!strstr(all.item[0].text, says)) fail_msg("%s\nlacks\n%s", all.item[0].text, says);
    errors_fini(&all);
}

/* Of two values that clash, the error names the one that was inherited, its place, and a line that
 * ends the clash; that line does. */
static void a_clash_names_what_was_inherited(void **state)
{
    static const char *const sets[] = {"l2.banks=24", "dram.channels=24"};
    char text[192], says[256];
    const char *own = "base = \"qv100\";\nl2 : { banks = 24; };\ndram : { channels = 24; };\n";
    struct machine m;
    (void)state;
    refused(own, NULL, 0,
            "mine.cfg:2: l2.banks: ipoly over 24 slices; a power of two is allowed; "
            "l2.slice_hash = \"ipoly\" is inherited from ");
    refused(own, NULL, 0, "/gpus/qv100.cfg:");
    refused(own, NULL, 0,
            "; this would go with it: 'l2 : { slice_hash = \"modulo\"; };'; for the "
            "base's values of version 1: 'base_version = 1;'");
    loads(&m, "base = \"qv100\";\nl2 : { slice_hash = \"modulo\"; banks = 24; };\n"
              "dram : { channels = 24; };\n");
    refused("base = \"qv100\";\n", sets, 2,
            "--set l2.banks=24: l2.banks: ipoly over 24 slices; a power of two is allowed; "
            "l2.slice_hash = \"ipoly\" is inherited from ");
    refused("base = \"qv100\";\n", sets, 2, "; this would go with it: --set l2.slice_hash=modulo");
    struct errors all = {0};
    loads(&m, "base = \"qv100\";\n");
    assert_false(machine_set(&m, sets, 2, &all)); /* as a sweep does */
    assert_non_null(strstr(all.item[0].text, "l2.slice_hash = \"ipoly\" is the machine's; this"));
    errors_fini(&all);
    /* Both values are the file's own: nothing is inherited. */
    refused("base = \"qv100\";\nl2 : { slice_hash = \"ipoly\";\n banks = 24; };\n"
            "dram : { channels = 24; };\n",
            NULL, 0, "mine.cfg:3: l2.banks: ipoly over 24 slices; a power of two is allowed");
    /* A row that an inherited choice rules out; one that the file's own choice does. */
    machine_files_put(
        "b.cfg", "version = 2;\nl2 : { miss_management = \"replace_at_once\"; };\n"
                 "before : ( { version = 1; l2 : { miss_management = \"conventional\"; }; } );\n");
    snprintf(text, sizeof text, "base = \"%s/b.cfg\";\nl2 : { victim_rule = \"lru_ext\"; };\n",
             machine_files_dir);
    snprintf(
        says, sizeof says,
        "l2.miss_management = \"replace_at_once\" is inherited from %s/b.cfg:2; for the base's "
        "values of version 1: 'base_version = 1;'",
        machine_files_dir);
    refused(text, NULL, 0, says);
    /* No single value would do: the only other one is named all the same. */
    refused("l1 : { enabled = true; };\nsm : { warp_width = 32; phase_lanes = 32; };\n", NULL, 0,
            "mine.cfg:2: sm.warp_width: 64 lanes join in warps of 32; a power of two up to the "
            "warp is allowed; sm.coalesce_lanes = 64 is the default");
}

static void faults_of_versions(void **state)
{
    (void)state;
    refused("version = 0;\n", NULL, 0, "mine.cfg:1: version: this does not fit");
    refused("version = \"new\";\n", NULL, 0, "mine.cfg:1: version: this does not fit");
    refused("base = \"qv100\";\nbase_version = -1;\n", NULL, 0, "mine.cfg:2: base_version: this");
    refused("base_version = 1;\n", NULL, 0, "mine.cfg:1: base_version: there is no base");
    refused("before = 3;\n", NULL, 0, "mine.cfg:1: before: this does not fit; allowed: a list");
    refused("versions = 3;\n", NULL, 0, "the closest known one is version; allowed: name, desc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_of_values_is_a_new_version),
        cmocka_unit_test(a_file_gets_the_version_that_it_states),
        cmocka_unit_test(what_a_base_lacks_is_told),
        cmocka_unit_test(versions_are_kept_step_by_step),
        cmocka_unit_test(a_clash_names_what_was_inherited),
        cmocka_unit_test(faults_of_versions),
    };
    return cmocka_run_group_tests(tests, machine_files_make, machine_files_remove);
}
