/* What a machine file says of where its values come from: reading, inheritance, faults. */
#include "base/memory/alloc.h"
#include "gpu/machine/load/evidence.h"
#include "tests/support/machine_files.h"

static struct machine_evidence ev;

static void load_with(const char *name, const char *set)
{
    char path[128];
    struct machine m;
    struct errors all = {0};
    snprintf(path, sizeof path, "%s/%s", machine_files_dir, name);
    if (!machine_load_evidence(&m, &ev, path, &set, set != NULL, &all))
        fail_msg("%s", all.n ? all.item[0].text : "");
    errors_fini(&all);
}

static void expect_grade(const char *path, enum evidence_grade grade, const char *source)
{
    const struct evidence_value *v = machine_evidence_of(&ev, path);
    assert_non_null(v);
    if (v->grade != grade || strcmp(v->source ? v->source : "", source) != 0)
        fail_msg("%s: %s from \"%s\"", path, evidence_grade_name(v->grade), v->source);
}

static void put_base(void)
{
    machine_files_put(
        "a.cfg",
        "sm : { count = 3; units : { fp32 : { latency = 5; }; }; };\n"
        "l2 : { banks = 4; bank_kb = 512; };\n"
        "evidence : {\n"
        "  curves = [\"v100\", \"a40\"];\n"
        "  measured : ( { of = [\"sm.count\", \"l2.ports\"]; source = \"a run\"; } );\n"
        "  vendor : ( { of = [\"l2.\"]; source = \"a sheet\"; } );\n"
        "  configured : ( { of = [\"sm.\", \"l2.bank_kb\"]; source = \"a simulator\"; } );\n"
        "};\n");
}

static void the_longest_path_counts(void **state)
{
    (void)state;
    put_base();
    load_with("a.cfg", NULL);
    expect_grade("sm.count", EVIDENCE_MEASURED, "a run");
    expect_grade("sm.units.fp32.latency", EVIDENCE_CONFIGURED, "a simulator");
    expect_grade("l2.banks", EVIDENCE_VENDOR, "a sheet");
    expect_grade("l2.bank_kb", EVIDENCE_CONFIGURED, "a simulator");
    /* a default is graded by its own path, not by its group's */
    expect_grade("l2.ports", EVIDENCE_MEASURED, "a run");
    expect_grade("l2.ways", EVIDENCE_NONE, "");
    expect_grade("sm.units.fp32.interval", EVIDENCE_NONE, "");
    assert_false(machine_evidence_of(&ev, "l2.ways")->is_set);
    assert_true(machine_evidence_of(&ev, "l2.banks")->is_set);
    assert_null(machine_evidence_of(&ev, "l2.nothing"));
    assert_int_equal(machine_evidence_kind(&ev), MACHINE_CARD_MEASURED);
    assert_int_equal(ev.curves, 2);
    assert_string_equal(ev.curve[1], "a40");
    machine_evidence_fini(&ev);
}

static void a_value_that_is_set_anew_loses_its_grade(void **state)
{
    (void)state;
    put_base();
    machine_files_put(
        "b.cfg", "base = \"a.cfg\";\nsm : { count = 3; };\nl2 : { banks = 8; };\n"
                 "evidence : { guessed : ( { of = [\"l2.banks\"]; source = \"twice\"; } ); };\n");
    machine_files_put("c.cfg", "base = \"b.cfg\";\nevidence : { curves = []; };\n");
    load_with("b.cfg", NULL);
    expect_grade("sm.count", EVIDENCE_NONE, "");
    expect_grade("l2.banks", EVIDENCE_GUESSED, "twice");
    expect_grade("l2.bank_kb", EVIDENCE_CONFIGURED, "a simulator");
    assert_int_equal(ev.curves, 2);
    machine_evidence_fini(&ev);
    load_with("c.cfg", "l2.bank_kb=512");
    expect_grade("l2.bank_kb", EVIDENCE_NONE, "");
    expect_grade("l2.banks", EVIDENCE_GUESSED, "twice");
    assert_int_equal(machine_evidence_kind(&ev), MACHINE_CARD);
    machine_evidence_fini(&ev);
}

static void expect_note(const char *text)
{
    struct text note = {0};
    machine_evidence_note(&ev, &note);
    if (strcmp(text_str(&note), text) != 0) fail_msg("%s", text_str(&note));
    text_fini(&note);
    machine_evidence_fini(&ev);
}

/* Evidence and curves say whose they are where that is another machine, and what differs. */
static void inherited_evidence_says_so(void **state)
{
    (void)state;
    put_base();
    load_with("a.cfg", NULL);
    expect_note("");
    load_with("a.cfg", "l2.bank_kb=256");
    expect_note("the evidence and the curves are of a, from which 1 value differs: l2.bank_kb");
    machine_files_put("b.cfg", "base = \"a.cfg\";\n");
    load_with("b.cfg", NULL);
    expect_note("the evidence and the curves are of a, which has the same values");
    machine_files_put("b.cfg",
                      "base = \"a.cfg\";\nsm : { count = 3; };\nl2 : { banks = 8; ways = 8; };\n"
                      "evidence : { vendor : ( { of = [\"l2.banks\"]; source = \"s\"; } ); };\n");
    load_with("b.cfg", NULL);
    assert_true(machine_evidence_of(&ev, "l2.banks")->changed);
    assert_false(machine_evidence_of(&ev, "sm.count")->changed);
    expect_note(
        "the evidence and the curves are of a, from which 2 values differ: l2.banks, l2.ways");
    machine_files_put("c.cfg", "base = \"b.cfg\";\nevidence : { curves = [\"a40\"]; };\n");
    load_with("c.cfg", NULL);
    expect_note("");
}

/* A set's values come with the file that names it. */
static void a_memory_set_is_graded_by_the_file_that_names_it(void **state)
{
    (void)state;
    machine_files_put(
        "a.cfg", "dram : { set = \"hbm2\"; };\n"
                 "evidence : { derived : ( { of = [\"dram.timing.\"]; source = \"s\"; } ); };\n");
    machine_files_put("b.cfg", "base = \"a.cfg\";\ndram : { set = \"hbm\"; };\n");
    load_with("a.cfg", NULL);
    expect_grade("dram.timing.tRCDRD", EVIDENCE_DERIVED, "s");
    expect_grade("dram.rows", EVIDENCE_NONE, "");
    machine_evidence_fini(&ev);
    load_with("b.cfg", NULL);
    expect_grade("dram.timing.tRCDRD", EVIDENCE_NONE, "");
    machine_evidence_fini(&ev);
}

static void evidence_is_no_part_of_the_machine(void **state)
{
    struct machine with, without;
    struct errors all = {0};
    struct text dump = {0};
    (void)state;
    put_base();
    machine_files_put("b.cfg", "sm : { count = 3; units : { fp32 : { latency = 5; }; }; };\n"
                               "l2 : { banks = 4; bank_kb = 512; };\n");
    assert_true(machine_files_load(&with, "a.cfg", &all) &&
                machine_files_load(&without, "b.cfg", &all));
    assert_true(digest_equal(machine_digest(&with), machine_digest(&without)));
    load_with("a.cfg", NULL);
    machine_dump_evidence(&with, &ev, &dump);
    /* A source has one number, however many values it has. */
    assert_non_null(strstr(text_str(&dump), "count = 3; # SMs; measured [1]\n"));
    assert_non_null(strstr(text_str(&dump), "latency = 5; # cycles; configured [2]\n"));
    assert_non_null(strstr(text_str(&dump), "banks = 4; # slices; vendor [3]\n"));
    assert_non_null(strstr(text_str(&dump), "ports = 2; # look-ups/cycle; measured [1]\n"));
    assert_non_null(strstr(text_str(&dump), "launch_cycles = 0; # cycles; default\n"));
    assert_non_null(strstr(text_str(&dump), "# Evidence: 2 measured, 1 vendor, 0 derived, 2 "
                                            "configured, 0 guessed,"));
    assert_non_null(strstr(text_str(&dump), " curves: v100 a40\n#   [1] a run\n#   [2] a "
                                            "simulator\n#   [3] a sheet\n"));
    assert_true(machine_parse(&without, text_str(&dump), "dump", NULL, 0, &all));
    assert_true(digest_equal(machine_digest(&with), machine_digest(&without)));
    text_fini(&dump);
    machine_evidence_fini(&ev);
}

static void counts_are_of_the_values_that_apply(void **state)
{
    uint32_t count[EVIDENCE_GRADES], sum = 0, n;
    struct machine m;
    struct errors all = {0};
    (void)state;
    put_base();
    assert_true(machine_files_load(&m, "a.cfg", &all));
    load_with("a.cfg", NULL);
    machine_evidence_count(&ev, &m, count);
    assert_int_equal(count[EVIDENCE_MEASURED], 2);
    assert_int_equal(count[EVIDENCE_VENDOR], 1);
    assert_int_equal(count[EVIDENCE_CONFIGURED], 2);
    for (int g = 0; g < EVIDENCE_GRADES; g++)
        sum += count[g];
    mem_free(machine_paths(&n));
    assert_true(sum < n && sum > n / 4);
    machine_evidence_fini(&ev);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_path_counts),
        cmocka_unit_test(a_value_that_is_set_anew_loses_its_grade),
        cmocka_unit_test(inherited_evidence_says_so),
        cmocka_unit_test(a_memory_set_is_graded_by_the_file_that_names_it),
        cmocka_unit_test(evidence_is_no_part_of_the_machine),
        cmocka_unit_test(counts_are_of_the_values_that_apply),
    };
    return cmocka_run_group_tests(tests, machine_files_make, machine_files_remove);
}
