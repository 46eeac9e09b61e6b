/* One list of rows as JSON and as CSV: what each form has, what it leaves out, and the lack of
 * memory. */
#include "tests/support/check.h"

#include "base/memory/alloc.h"
#include "base/text/rows.h"

#include <math.h>
#include <stdio.h>

/* A record of every kind of row; b is a divisor. */
static void add_record(struct rows *r, uint64_t a, double b, const char *name)
{
    const uint64_t list[] = {1, 2};
    rows_item(r);
    rows_text(r, "name", "name", name);
    rows_count(r, "count", "count", a);
    rows_bytes(r, NULL, "in tables only", a);
    rows_object(r, "inner");
    rows_number(r, "number", NULL, "", 0.5);
    rows_share(r, "share", "share", (double)a, b);
    rows_counted(r, "part", "part", SHOW_RATIO, a, b);
    rows_end(r);
    rows_counts(r, "list", list, 2);
    rows_bool(r, "yes", "yes", true);
    rows_format(r, rows_name(r, "key%d", 7), NULL, "%d of %d", 1, 2);
    rows_end(r);
}

static void json_has_the_rows_with_keys(void **state)
{
    struct text out = {0};
    struct json j;
    struct rows r = {.json = &j};
    (void)state;
    json_init(&j, &out);
    add_record(&r, 3, 4, "a");
    assert_string_equal(text_str(&out), "{\n"
                                        "  \"name\": \"a\",\n"
                                        "  \"count\": 3,\n"
                                        "  \"inner\": {\n"
                                        "    \"number\": 0.5,\n"
                                        "    \"share\": 0.75,\n"
                                        "    \"part\": 3\n"
                                        "  },\n"
                                        "  \"list\": [1, 2],\n"
                                        "  \"yes\": true,\n"
                                        "  \"key7\": \"1 of 2\"\n"
                                        "}\n");
    assert_int_equal(r.n, 0); /* nothing was collected */
    rows_fini(&r);
    text_fini(&out);
}

static void json_leaves_out_what_is_unknown(void **state)
{
    struct text out = {0};
    struct json j;
    struct rows r = {.json = &j};
    (void)state;
    json_init(&j, &out);
    rows_item(&r);
    rows_text(&r, "text", NULL, NULL);
    rows_number(&r, "nan", NULL, "", (double)NAN);
    rows_number(&r, "infinite", NULL, "", (double)INFINITY);
    rows_share(&r, "of_nothing", NULL, 1, 0);
    rows_ratio(&r, "of_nothing", NULL, 0, 0);
    rows_end(&r);
    assert_string_equal(text_str(&out), "{}\n");
    rows_fini(&r);
    text_fini(&out);
}

static void csv_has_a_column_for_each_key(void **state)
{
    struct text out = {0};
    struct rows r = {0};
    (void)state;
    add_record(&r, 3, 0, "a,b"); /* the share is unknown */
    rows_csv_head(&r, NULL, &out);
    rows_csv(&r, NULL, &out);
    assert_string_equal(text_str(&out), "name,count,number,share,part,yes,key7\n"
                                        "\"a,b\",3,0.5,,3,yes,1 of 2\n");
    rows_fini(&r);
    text_fini(&out);
}

static void csv_drops_columns_without_use(void **state)
{
    struct text out = {0};
    struct rows r = {0};
    bool used[16] = {false};
    (void)state;
    for (int pass = 0; pass < 2; pass++) {
        rows_clear(&r);
        rows_item(&r);
        rows_number(&r, "a", NULL, "", (double)NAN);
        rows_number(&r, "b", NULL, "", 1e-9);
        rows_text(&r, "c", NULL, "");
        if (pass == 0) rows_csv_use(&r, used);
        if (pass == 1) rows_csv_head(&r, used, &out);
        if (pass == 1) rows_csv(&r, used, &out);
    }
    assert_string_equal(text_str(&out), "b\n1e-09\n");
    rows_fini(&r);
    text_fini(&out);
}

static void lack_of_memory_marks_rows_and_text(void **state)
{
    (void)state;
    unsigned failed = 0;
    for (unsigned n = 1; n < 64; n++) {
        struct text out = {0};
        struct rows r = {0};
        shim_fail_after(SHIM_ALLOC, n);
        add_record(&r, 3, 4, "a");
        bool rows_failed = r.failed;
        rows_csv(&r, NULL, &out);
        shim_fail_after(SHIM_ALLOC, 0);
        assert_true(!rows_failed || out.failed);
        failed += out.failed;
        rows_fini(&r);
        text_fini(&out);
    }
    assert_true(failed > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_the_rows_with_keys),
        cmocka_unit_test(json_leaves_out_what_is_unknown),
        cmocka_unit_test(csv_has_a_column_for_each_key),
        cmocka_unit_test(csv_drops_columns_without_use),
        cmocka_unit_test(lack_of_memory_marks_rows_and_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
