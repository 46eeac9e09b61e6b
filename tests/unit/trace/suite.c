/* Suites and names of programs are found in the configuration directories. */
#include "trace/suite/suite.h"
#include "base/io/paths.h"
#include "tests/support/trace_support.h"
#include "trace/plt/repack.h"

#include <stdlib.h>
#include <string.h>

static char *root;

static void put(const char *relative, const char *content)
{
    char *path = file_join(root, relative);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(content, f);
    fclose(f);
    mem_free(path);
}

static int make_root(void **state)
{
    (void)state;
    struct error e;
    root = mem_strdup(scratch_path("configs"));
    char *dir = file_join(root, "workloads/suites");
    bool ok = file_make_dirs(dir, &e);
    mem_free(dir);
    setenv("PLUMB_CONFIG_PATH", root, 1);
    setenv("PLUMB_SUITES", root, 1);
    put("workloads/own.cfg", "generator = \"stream\"; ctas = 1; iterations = 1;");
    return ok ? 0 : -1;
}

static int drop_root(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    mem_free(root);
    return system(command);
}

static void suites_are_lists_of_programs(void **state)
{
    (void)state;
    struct suite s;
    struct error e;
    put("workloads/suites/two.cfg",
        "programs = ( \"workloads/own.cfg\", \"workloads/stride.cfg\" );");
    check_ok(suite_read(&s, "suite:two", &e), &e);
    assert_int_equal(s.n, 2);
    for (uint32_t i = 0; i < s.n; i++) {
        struct program *p = program_open(s.entry[i].path, NULL, &e);
        check_ok(p, &e);
        assert_string_equal(program_name(p), i ? "stride" : "own");
        program_close(p);
    }
    suite_fini(&s);
    assert_true(suite_is("suite:two"));
    assert_false(suite_is("two.cfg"));
}

static const char capture_suite[] =
    "description = \"one of each\"; machine = \"rx540\";\n"
    "programs = ( \"workloads/own.cfg\",\n"
    "  { name = \"part\"; capture = \"fwt 4096\"; options = \"--launches 1-2\";\n"
    "    class = \"multi-kernel\"; why = \"two stages\";\n"
    "    digest = \"00112233445566778899aabbccddeeff\"; instructions = 128; footprint_kb = 16; },\n"
    "  { name = \"bundled\"; file = \"workloads/stride.cfg\"; } );";

static void groups_are_read(void **state)
{
    (void)state;
    struct suite s;
    struct errors all = {0};
    put("workloads/suites/mixed.cfg", capture_suite);
    assert_true(suite_load(&s, "mixed", &all));
    assert_int_equal(s.n, 3);
    assert_string_equal(s.name, "mixed");
    assert_string_equal(s.description, "one of each");
    assert_string_equal(s.machine, "rx540");
    assert_string_equal(s.entry[0].name, "own.cfg");
    const struct suite_entry *t = &s.entry[1];
    assert_string_equal(t->capture, "fwt 4096");
    assert_string_equal(t->options, "--launches 1-2");
    assert_string_equal(t->class, "multi-kernel");
    assert_string_equal(t->why, "two stages");
    assert_true(t->digest.hi == 0x0011223344556677 && t->digest.lo == 0x8899aabbccddeeff);
    assert_int_equal(t->instructions, 128);
    assert_int_equal(t->footprint_kb, 16);
    assert_int_equal(t->line, 3);
    assert_string_equal(s.entry[2].name, "bundled");
    assert_null(s.entry[2].capture);
    suite_fini(&s);
}

/* The path of a capture: another one for whatever makes another trace, the same otherwise. */
static char *place_of(const char *group)
{
    struct suite s;
    struct errors all = {0};
    char text[400];
    snprintf(text, sizeof text, "programs = ( { %s } );", group);
    put("workloads/suites/place.cfg", text);
    if (!suite_load(&s, "place", &all)) fail_msg("%s", all.item[0].text);
    char *path = mem_strdup(s.entry[0].path);
    suite_fini(&s);
    return path;
}

static void captures_are_named_by_what_makes_them(void **state)
{
    (void)state;
    static const char *const groups[] = {
        "name = \"a\"; capture = \"fwt 4096\";",
        "name = \"a\"; capture = \"fwt 8192\";",
        "name = \"b\"; capture = \"fwt 4096\";",
        "name = \"a\"; capture = \"fwt 4096\"; options = \"--width 32\";",
    };
    enum { N = sizeof groups / sizeof *groups };
    char *path[N];
    for (unsigned i = 0; i < N; i++) {
        path[i] = place_of(groups[i]);
        assert_memory_equal(path[i], root, strlen(root));
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(path[i], path[k]);
    }
    char *told_more = place_of("name = \"a\"; capture = \"fwt 4096\"; why = \"because\";");
    assert_string_equal(told_more, path[0]);
    mem_free(told_more);
    for (unsigned i = 0; i < N; i++)
        mem_free(path[i]);
}

static void write_file(const char *path, const char *content)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(content, f);
    fclose(f);
}

/* Missing, something else, accepted, right: by the digest of the file that has the capture's
 * place. */
static void states_follow_the_digest(void **state)
{
    (void)state;
    struct suite s;
    struct errors all = {0};
    struct error e;
    struct digest found;
    char hex[33];
    put("workloads/suites/mixed.cfg", capture_suite);
    assert_true(suite_load(&s, "mixed", &all));
    struct suite_entry *t = &s.entry[1];
    assert_int_equal(suite_state(t, NULL), SUITE_MISSING);
    struct suite unread;
    assert_false(suite_read(&unread, "suite:mixed", &e));
    assert_non_null(strstr(e.text, "run: plumb trace suite mixed"));
    char *folder = mem_strdup(t->path);
    *strrchr(folder, '/') = '\0';
    check_ok(file_make_dirs(folder, &e), &e);
    struct program *p = program_open("own.cfg", NULL, &e);
    check_ok(p, &e);
    check_ok(program_repack(p, t->path, "", &e), &e);
    program_close(p);
    assert_int_equal(suite_state(t, &found), SUITE_OTHER);
    assert_false(suite_read(&unread, "suite:mixed", &e));
    char *accepted = suite_accepted_path(t);
    digest_hex(found, hex);
    write_file(accepted, hex);
    assert_int_equal(suite_state(t, NULL), SUITE_READY);
    write_file(accepted, "0123");
    assert_int_equal(suite_state(t, NULL), SUITE_OTHER);
    t->digest = found;
    assert_int_equal(suite_state(t, NULL), SUITE_READY);
    write_file(t->path, "no trace");
    assert_int_equal(suite_state(t, NULL), SUITE_MISSING);
    mem_free(accepted);
    mem_free(folder);
    suite_fini(&s);
}

static void wrong_suites_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *content, *said;
    } wrong[] = {
        {"programs = ( );", ":1: programs: allowed is a list"},
        {"program = ( \"workloads/own.cfg\" );", "did you mean programs?"},
        {"machine = \"rx540\";", "needs programs = ("},
        {"programs = (\n \"workloads/nowhere.cfg\" );",
         ":2: there is no program workloads/nowhere.cfg"},
        {"programs = ( \"workloads/own.cfg\", 3 );", "is a text such as"},
        {"description = 3; programs = ( \"workloads/own.cfg\" );", "description: allowed is"},
        {"programs = ( { name = \"a\"; } );", "either file = \"PATH\" or capture"},
        {"programs = ( { capture = \"fwt\"; } );", "needs a name"},
        {"programs = ( { name = \"a/b\"; capture = \"fwt\"; } );", "small letters"},
        {"programs = ( { name = \"a\"; capture = \"../fwt\"; } );", "a program of workloads/"},
        {"programs = ( { name = \"a\"; capture = \"fwt\";\n option = \"\"; } );",
         ":2: unknown setting option; allowed are name, file"},
        {"programs = ( { name = \"a\"; capture = \"fwt\"; options = \"-o x\"; } );",
         "options: -o; allowed are --width"},
        {"programs = ( { name = \"a\"; file = \"workloads/own.cfg\"; options = \"--width 32\"; } "
         ");",
         "only for a capture"},
        {"programs = ( { name = \"a\"; capture = \"fwt\"; class = \"fast\"; } );",
         "class: \"fast\"; allowed are streaming"},
        {"programs = ( { name = \"a\"; capture = \"fwt\"; digest = \"12\"; } );",
         "32 hexadecimal digits"},
        {"programs = ( { name = \"a\"; capture = \"fwt\"; instructions = 0; } );",
         "a whole number from 1 on"},
        {"programs = ( { name = \"a\"; capture = \"\"; } );", "not empty"},
        {"programs = ( { name = \"a\"; capture = \"fwt\"; },\n"
         " { name = \"a\"; capture = \"nn\"; } );",
         ":2: a stands in this suite already (line 1)"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct suite s;
        struct error e = {0};
        put("workloads/suites/wrong.cfg", wrong[i].content);
        assert_false(suite_read(&s, "suite:wrong", &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        if (!strstr(e.text, wrong[i].said)) fail_msg("'%s' should say '%s'", e.text, wrong[i].said);
    }
    struct suite s;
    struct error e;
    assert_false(suite_read(&s, "suite:none", &e));
    assert_non_null(strstr(e.text, "workloads/suites/none.cfg"));
    assert_false(suite_read(&s, "suite:../suites/two", &e));
    assert_null(program_open("suite:two", NULL, &e));
    assert_non_null(strstr(e.text, "several programs"));
}

static void all_faults_come_at_once(void **state)
{
    (void)state;
    struct suite s;
    struct errors all = {0};
    put("workloads/suites/wrong.cfg",
        "colour = 1;\nprograms = ( { name = \"a\"; capture = \"fwt\"; digest = \"12\"; },\n"
        " \"workloads/nowhere.cfg\" );\nmachine = 7;");
    assert_false(suite_load(&s, "wrong", &all));
    assert_int_equal(all.n, 4);
    for (uint32_t i = 0; i < all.n; i++) {
        char line[24];
        snprintf(line, sizeof line, "wrong.cfg:%u: ", i + 1);
        if (!strstr(all.item[i].text, line))
            fail_msg("'%s' is not line %u", all.item[i].text, i + 1);
    }
    errors_fini(&all);
}

static void names_are_searched(void **state)
{
    (void)state;
    struct error e;
    struct program *p = program_open("own.cfg", NULL, &e);
    check_ok(p, &e);
    program_close(p);
    char *path = paths_config("workloads/own.cfg");
    assert_non_null(path);
    assert_memory_equal(path, root, strlen(root));
    mem_free(path);
    assert_null(paths_config("workloads/nowhere.cfg"));
    assert_null(program_open("nowhere.plt", NULL, &e));
    assert_non_null(strstr(e.text, "no such program"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suites_are_lists_of_programs),
        cmocka_unit_test(groups_are_read),
        cmocka_unit_test(captures_are_named_by_what_makes_them),
        cmocka_unit_test(states_follow_the_digest),
        cmocka_unit_test(wrong_suites_are_named),
        cmocka_unit_test(all_faults_come_at_once),
        cmocka_unit_test(names_are_searched),
    };
    return cmocka_run_group_tests(tests, make_root, drop_root);
}
