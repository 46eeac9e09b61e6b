/* Errors, growing strings and the closest name. */
#include "tests/support/check.h"

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/line_change.h"
#include "base/text/text.h"

#include <stdio.h>

static void errors_are_one_line_and_return_false(void **state)
{
    (void)state;
    struct error e = {0};
    assert_false(error_input(&e, "%s:%d: two\nlines", "a.cfg", 7));
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_string_equal(e.text, "a.cfg:7: two lines");
    assert_false(error_run(&e, "%2000d", 1)); /* longer than the text: cut, not overrun */
    assert_int_equal(e.kind, ERROR_RUN);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
    assert_false(error_no_memory(NULL));
}

static void errors_are_collected_in_order(void **state)
{
    (void)state;
    struct errors es = {0};
    for (int i = 0; i < 100; i++)
        errors_add(&es, "fault %d", i);
    struct error run;
    error_run(&run, "disk");
    errors_add_error(&es, &run);
    assert_int_equal(es.n, 101);
    assert_string_equal(es.item[42].text, "fault 42");
    assert_int_equal(es.item[100].kind, ERROR_RUN);
    assert_false(es.overflow);
    errors_fini(&es);
}

static void errors_without_memory_are_marked(void **state)
{
    (void)state;
    struct errors es = {0};
    shim_fail_after(SHIM_ALLOC, 1);
    errors_add(&es, "lost");
    assert_true(es.overflow);
    assert_int_equal(es.n, 0);
    errors_add(&es, "kept");
    assert_int_equal(es.n, 1);
    errors_fini(&es);
}

static void text_grows(void **state)
{
    (void)state;
    struct text t = {0};
    char expected[5000] = "";
    assert_string_equal(text_str(&t), "");
    for (int i = 0; i < 1000; i++) {
        text_add(&t, "%d,", i);
        sprintf(expected + strlen(expected), "%d,", i);
    }
    assert_string_equal(text_str(&t), expected);
    assert_int_equal(t.len, strlen(expected));
    text_add_bytes(&t, "a\0b", 3);
    assert_int_equal(t.len, strlen(expected) + 3);
    text_fini(&t);
}

static void text_without_memory_stays_valid(void **state)
{
    (void)state;
    struct text t = {0};
    text_add(&t, "12345");
    shim_fail_after(SHIM_ALLOC, 1);
    text_add(&t, "%100d", 1);
    assert_true(t.failed);
    text_add(&t, "more");
    assert_string_equal(text_str(&t), "12345");
    text_fini(&t);
}

static void closest_name(void **state)
{
    (void)state;
    static const char *const names[] = {"l2.mshr.entries", "l2.frc.entries", "l1.ways",
                                        "scheduler"};
    assert_string_equal(text_closest("l2.mhsr.entries", names, 4), names[0]); /* a transposition */
    assert_string_equal(text_closest("l2.frcentries", names, 4), names[1]);
    assert_string_equal(text_closest("sceduller", names, 4), names[3]);
    assert_string_equal(text_closest("l1.ways", names, 4), names[2]);
    assert_null(text_closest("dram.page", names, 4));
    assert_null(text_closest("l1", names, 4)); /* short words must be exact */
    assert_null(text_closest("", names, 4));
    /* "abc" to "acb" is one transposition: within a third of three letters; two edits are not. */
    static const char *const short_names[] = {"acb", "bca"};
    assert_string_equal(text_closest("abc", short_names, 2), "acb");
    assert_null(text_closest("abc", short_names + 1, 1));
}

static const char *alike(const char *word)
{
    static const char *const names[] = {"a100",    "a100-40",   "h100-pcie", "h100-sxm", "h200",
                                        "ml/gemm", "ml/gemm-a", "ml/gemm-b", "ml/gemm-c"};
    static struct text t;
    text_fini(&t);
    return text_alike(&t, word, names, sizeof names / sizeof *names) ? text_str(&t) : NULL;
}

static void what_a_word_begins_goes_before_spelling(void **state)
{
    (void)state;
    assert_string_equal(alike("h100"), "h100-pcie or h100-sxm"); /* one letter from h200 */
    assert_string_equal(alike("H100-s"), "h100-sxm");
    assert_string_equal(alike("h20"), "h200");
    assert_string_equal(alike("h2o0"), "h200");
    assert_string_equal(alike("A100-4O"), "a100-40");
    assert_string_equal(alike("ml/"), "ml/gemm, ml/gemm-a, ml/gemm-b or ml/gemm-c");
    assert_null(alike("h"));
    assert_null(alike("vega64"));
}

static void lines_that_differ_lead_from_one_text_to_the_other(void **state)
{
    (void)state;
    static const char from[] = "a = 1;\nb = {\n    c = 2;\n};\n";
    static const char *const to[] = {from, "a = 3;\nb = {\n    c = 2;\n};\n",
                                     "a = 1;\nb = {\n\n}; # 7:\n", "\n\n\n\n"};
    static const char *const lines[] = {"", "1:a = 3;\n", "3:\n4:}; # 7:\n", "1:\n2:\n3:\n4:\n"};
    for (int i = 0; i < 4; i++) {
        struct text changes = {0}, back = {0};
        assert_true(line_change_find(from, to[i], &changes));
        assert_string_equal(text_str(&changes), lines[i]);
        assert_true(line_change_apply(from, text_str(&changes), &back));
        assert_string_equal(text_str(&back), to[i]);
        text_fini(&changes);
        text_fini(&back);
    }
}

static void changes_of_another_text_are_refused(void **state)
{
    (void)state;
    static const char from[] = "a\nb\n";
    static const char *const other[] = {"", "a\n", "a\nb\nc\n", "a\nb"};
    static const char *const changes[] = {
        "3:c\n", "0:c\n",      "1:c",        "1c\n",
        "x",     "2:c\n1:d\n", "1:c\n1:d\n", "18446744073709551615:c\n"};
    struct text t = {0};
    for (int i = 0; i < 4; i++)
        assert_false(line_change_find(from, other[i], &t));
    for (int i = 0; i < 8; i++)
        assert_false(line_change_apply(from, changes[i], &t));
    text_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_one_line_and_return_false),
        cmocka_unit_test(errors_are_collected_in_order),
        cmocka_unit_test(errors_without_memory_are_marked),
        cmocka_unit_test(text_grows),
        cmocka_unit_test(text_without_memory_stays_valid),
        cmocka_unit_test(closest_name),
        cmocka_unit_test(what_a_word_begins_goes_before_spelling),
        cmocka_unit_test(lines_that_differ_lead_from_one_text_to_the_other),
        cmocka_unit_test(changes_of_another_text_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
