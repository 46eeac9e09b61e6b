/* Does the library leave runs in the bank that its caller names, and nowhere else? */
#include "base/io/file.h"
#include "engine/bank_record.h"
#include "libplumb/plumb.h"
#include "tests/support/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char program[] = "generator = \"stream\"; ctas = 4; iterations = 2;\n";

static int make_group(void **state)
{
    if (folder_make(state)) return -1;
    setenv("XDG_CACHE_HOME", folder_path, 1);
    unsetenv("PLUMB_BANK");
    return 0;
}

static uint64_t count_runs(const char *path)
{
    struct bank_status s;
    const struct bank_versions versions = bank_record_versions();
    struct bank *b = bank_open(path, BANK_READ, &versions, NULL);
    if (!b) return 0;
    assert_true(bank_status(b, &s, NULL));
    bank_close(b);
    return s.runs;
}

/* Whether the answer warns of something that says so. */
static bool warns(plumb_answer *a, const char *text)
{
    assert_non_null(a);
    bool does = strstr(plumb_answer_json(a), text) != NULL;
    plumb_answer_close(a);
    return does;
}

static void runs_go_where_the_caller_says(void **state)
{
    (void)state;
    const char *path = in_folder("own.db"), *text = folder_text("text", program);
    plumb_machine *m = plumb_machine_open("rx540", NULL, 0);
    plumb_program *p = plumb_program_open(folder_text("small.cfg", program), m);
    assert_non_null(p);
    struct plumb_options o = {.size = sizeof o, .threads = 1};
    assert_false(warns(plumb_simulate(m, p, &o), "bank"));
    assert_false(file_exists(in_folder("plumb/bank.db")));
    o.bank = path;
    assert_false(warns(plumb_estimate(m, p, &o), "bank"));
    assert_false(file_exists(path)); /* an estimate makes none */
    assert_false(warns(plumb_simulate(m, p, &o), "bank"));
    assert_false(warns(plumb_sample(m, p, &o), "bank"));
    assert_int_equal(count_runs(path), 2);
    o.bank = "none";
    plumb_answer_close(plumb_simulate(m, p, &o));
    assert_int_equal(count_runs(in_folder("plumb/bank.db")), 0);
    assert_int_equal(plumb_options_set(&o, "bank", "default"), 1);
    plumb_answer_close(plumb_simulate(m, p, &o));
    assert_int_equal(count_runs(in_folder("plumb/bank.db")), 1);
    o.bank = text;
    assert_true(warns(plumb_simulate(m, p, &o), "no bank"));
    plumb_program_close(p);
    plumb_machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_go_where_the_caller_says)};
    return cmocka_run_group_tests(tests, make_group, folder_remove);
}
