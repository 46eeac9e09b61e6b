/* Suites and names of programs are found in the configuration directories. */
#include "base/paths.h"
#include "tests/unit/trace_support.h"
#include "trace/suite.h"

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
    root = mem_strdup(scratch("configs"));
    char *dir = file_join(root, "workloads/suites");
    bool ok = file_make_dirs(dir, &e);
    mem_free(dir);
    setenv("PLUMB_CONFIG_PATH", root, 1);
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
        struct program *p = program_open(s.program[i], NULL, &e);
        check_ok(p, &e);
        assert_string_equal(program_name(p), i ? "stride" : "own");
        program_close(p);
    }
    suite_fini(&s);
    assert_true(suite_is("suite:two"));
    assert_false(suite_is("two.cfg"));
}

static void wrong_suites_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *content, *said;
    } wrong[] = {
        {"programs = ( );", "programs = ("},
        {"program = ( \"workloads/own.cfg\" );", "programs = ("},
        {"programs = (\n \"workloads/nowhere.cfg\" );",
         ":2: there is no program workloads/nowhere.cfg"},
        {"programs = ( \"workloads/own.cfg\", 3 );", "is a string"},
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
    assert_null(program_open("suite:two", NULL, &e));
    assert_non_null(strstr(e.text, "several programs"));
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
        cmocka_unit_test(wrong_suites_are_named),
        cmocka_unit_test(names_are_searched),
    };
    return cmocka_run_group_tests(tests, make_root, drop_root);
}
