/* Are the parameter tables sound, do single values read and print as they should, and is the
 * reference page up to date? */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/conf.h"
#include "gpu/machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A part that exists only here, with every type. */
struct sample {
    bool flag;
    uint32_t n;
    double x;
    uint64_t bytes;
    enum { SAMPLE_RED = 3, SAMPLE_BLUE = 5 } colour;
    char text[PARAM_TEXT_MAX];
    struct param_list list;
};

static const struct choice colours[] = {
    {"red", SAMPLE_RED, ""}, {"blue", SAMPLE_BLUE, ""}, {NULL, 0, NULL}};

static const struct param rows[] = {
    {.path = "flag", .unit = "", .type = PARAM_BOOL, .offset = offsetof(struct sample, flag)},
    {.path = "n",
     .unit = "KB",
     .type = PARAM_INT,
     .offset = offsetof(struct sample, n),
     .lo = 1,
     .hi = 64},
    {.path = "x",
     .unit = "",
     .type = PARAM_REAL,
     .offset = offsetof(struct sample, x),
     .lo = -1,
     .hi = 1e9},
    {.path = "bytes",
     .unit = "bytes",
     .type = PARAM_SIZE,
     .offset = offsetof(struct sample, bytes),
     .lo = 16,
     .hi = 1e12},
    {.path = "colour",
     .unit = "",
     .type = PARAM_ENUM,
     .offset = offsetof(struct sample, colour),
     .choices = colours},
    {.path = "text", .unit = "", .type = PARAM_TEXT, .offset = offsetof(struct sample, text)},
    {.path = "list",
     .unit = "",
     .type = PARAM_LIST,
     .offset = offsetof(struct sample, list),
     .lo = 0,
     .hi = 100},
};

static const struct param *row(const char *path)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].path, path) == 0) return &rows[i];
    fail_msg("no row %s", path);
    return NULL;
}

/* { row, value on a command line, value in a file, how it prints; NULL = refused there } */
static const char *const values[][4] = {
    {"flag", "true", "true", "true"},
    {"flag", "1", "1", NULL},
    {"flag", "yes", "\"yes\"", NULL},
    {"n", "64", "64", "64"},
    {"n", "0x10", "0x10", "16"},
    {"n", "0", "0", NULL},
    {"n", "65", "65", NULL},
    {"n", "4294967297", "4294967297L", NULL},
    {"n", "2.0", "2.0", NULL},
    {"n", "2x", "\"2x\"", NULL},
    {"n", "", "\"\"", NULL},
    {"n", "99999999999999999999", "\"99999999999999999999\"", NULL},
    {"x", "0.1", "0.1", "0.1"},
    {"x", "7", "7", "7.0"},
    {"x", "1e9", "1e9", "1000000000.0"},
    {"x", "-1", "-1", "-1.0"},
    {"x", "nan", "\"nan\"", NULL},
    {"x", "inf", "\"inf\"", NULL},
    {"x", "-1.0001", "-1.0001", NULL},
    {"bytes", "32KB", "\"32KB\"", "32768"},
    {"bytes", "3GB", "\"3GB\"", "3221225472L"},
    {"bytes", "16", "16", "16"},
    {"bytes", "16B", "\"16B\"", "16"},
    {"bytes", "15", "15", NULL},
    {"bytes", "-1MB", "\"-1MB\"", NULL},
    {"bytes", "1 KB", "\"1 KB\"", NULL},
    {"bytes", "1TB", "\"1TB\"", NULL},
    {"bytes", "KB", "\"KB\"", NULL},
    {"bytes", "1.5", "1.5", NULL},
    {"colour", "blue", "\"blue\"", "\"blue\""},
    {"colour", "\"red\"", "\"red\"", "\"red\""},
    {"colour", "Blue", "\"Blue\"", NULL},
    {"colour", "", "\"\"", NULL},
    {"text", "a b", "\"a b\"", "\"a b\""},
    {"text", "", "\"\"", "\"\""},
    {"text", "a\\b", "\"a\\\\b\"", NULL},
    {"list", "[0, 5, 100]", "[0, 5, 100]", "[0, 5, 100]"},
    {"list", "0,5,100", "(0, 5, 100)", "[0, 5, 100]"},
    {"list", "[]", "[]", "[]"},
    {"list", "7", "[7]", "[7]"},
    {"list", "[0, 101]", "[0, 101]", NULL},
    {"list", "[0, 1.5]", "[0, 1.5]", NULL},
    {"list", "[0, 1", "[\"a\"]", NULL},
    {"list", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
     "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]", NULL},
};

static bool from_file(const struct param *p, struct sample *s, const char *value, struct text *why)
{
    char text[160];
    struct error e;
    snprintf(text, sizeof text, "v = %s;", value);
    struct conf *c = conf_parse(text, "t", &e);
    if (!c) fail_msg("%s: %s", text, e.text);
    bool ok = param_from_conf(p, s, conf_find(conf_root(c), "v"), why);
    conf_free(c);
    return ok;
}

static void values_read_print_and_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        const char *const *v = values[i];
        const struct param *p = row(v[0]);
        for (int way = 0; way < 2; way++) {
            struct sample s = {.n = 7, .bytes = 77, .colour = SAMPLE_RED, .x = 0.5}, before = s;
            struct text why = {0}, out = {0};
            bool ok = way ? from_file(p, &s, v[2], &why) : param_from_text(p, &s, v[1], &why);
            if (ok != (v[3] != NULL)) fail_msg("%s = %s: %s", v[0], v[1 + way], text_str(&why));
            if (ok) {
                param_print(p, &s, &out);
                assert_string_equal(text_str(&out), v[3]);
                assert_int_equal(why.len, 0);
            } else {
                assert_memory_equal(&s, &before, sizeof s);
                assert_non_null(strstr(text_str(&why), "; allowed: "));
            }
            text_fini(&why);
            text_fini(&out);
        }
    }
}

static void numbers_and_comparisons(void **state)
{
    struct sample s = {.flag = true, .n = 12, .colour = SAMPLE_BLUE, .x = 0.25, .bytes = 4096};
    double v = 0;
    (void)state;
    assert_true(param_number(row("flag"), &s, &v) && v == 1);
    assert_true(param_number(row("n"), &s, &v) && v == 12);
    assert_true(param_number(row("x"), &s, &v) && v == 0.25);
    assert_true(param_number(row("bytes"), &s, &v) && v == 4096);
    assert_true(param_number(row("colour"), &s, &v) && v == SAMPLE_BLUE);
    assert_false(param_number(row("text"), &s, &v));
    assert_false(param_number(row("list"), &s, &v));
    assert_true(param_is(row("colour"), &s, "blue"));
    assert_false(param_is(row("colour"), &s, "red"));
    assert_true(param_is(row("flag"), &s, "true"));
    assert_false(param_is(row("flag"), &s, "false"));
    assert_true(param_is(row("n"), &s, "12"));
    assert_false(param_is(row("n"), &s, "0"));
}

/* --- the real tables ----------------------------------------------------------------------- */

static void check_row(const struct part *part, const struct param *p)
{
    char path[128];
    const struct part *found;
    assert_true(p->path[0] && p->unit && p->meaning[0] && p->source[0] && p->dflt);
    assert_true(p->offset < part->size);
    assert_int_equal(p->type == PARAM_ENUM, p->choices != NULL);
    snprintf(path, sizeof path, "%s.%s", part->name, p->path);
    assert_ptr_equal(machine_find_param(path, &found, NULL), p);
    assert_ptr_equal(found, part);
    assert_string_equal(path, p->full_path);
    if (!p->seen || !p->term) fail_msg("%s: nobody said who sees it", path);
    if (!p->when) return;
    size_t n = strcspn(p->when, "!=");
    snprintf(path, sizeof path, "%.*s", (int)n, p->when);
    assert_non_null(machine_find_param(path, NULL, NULL));
}

static void tables_are_sound(void **state)
{
    struct machine m;
    struct errors all = {0};
    (void)state;
    for (uint32_t i = 0; i < machine_parts_n; i++) {
        const struct part *part = machine_parts[i];
        assert_true(part->offset + part->size <= sizeof m && part->n > 0);
        for (uint32_t r = 0; r < part->n; r++)
            check_row(part, &part->params[r]);
    }
    machine_defaults(&m); /* asserts that each default is allowed */
    assert_true(machine_parse(&m, "", "empty.cfg", NULL, 0, &all)); /* and that they go together */
    errors_fini(&all);
}

/* No two rows write the same bytes. */
static void rows_have_fields_of_their_own(void **state)
{
    static const size_t sizes[] = {[PARAM_BOOL] = sizeof(bool),
                                   [PARAM_INT] = 4,
                                   [PARAM_REAL] = sizeof(double),
                                   [PARAM_SIZE] = 8,
                                   [PARAM_ENUM] = sizeof(int),
                                   [PARAM_TEXT] = PARAM_TEXT_MAX,
                                   [PARAM_LIST] = sizeof(struct param_list),
                                   [PARAM_FRAGMENT] = PARAM_TEXT_MAX};
    static unsigned char used[sizeof(struct machine)];
    (void)state;
    for (uint32_t i = 0; i < machine_parts_n; i++) {
        const struct part *part = machine_parts[i];
        for (uint32_t r = 0; r < part->n; r++) {
            unsigned char *bytes = used + part->offset + part->params[r].offset;
            for (size_t b = 0; b < sizes[part->params[r].type]; b++)
                assert_int_equal(bytes[b]++, 0);
        }
    }
}

static void paths_are_found_and_guessed(void **state)
{
    static const char *const guesses[][2] = {{"l2.bank_k", "l2.bank_kb"},
                                             {"l2.mshr.entires", "l2.mshr.entries"},
                                             {"dram.timing.trcdrd", NULL},
                                             {"sm.unit.int32.latency", "sm.units.int32.latency"},
                                             {"l3.bank_kb", "l3.kb"},
                                             {"l2.kb", "l2.bank_kb"}, /* the part comes first */
                                             {"sm.warps", "sm.max_warps"},
                                             {"", NULL},
                                             {"x", NULL}};
    (void)state;
    for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++) {
        const char *closest;
        assert_null(machine_find_param(guesses[i][0], NULL, &closest));
        if (guesses[i][1]) assert_string_equal(closest, guesses[i][1]);
    }
    uint32_t n, rows_n = 0;
    char **paths = machine_paths(&n);
    for (uint32_t i = 0; i < machine_parts_n; i++)
        rows_n += machine_parts[i]->n;
    assert_int_equal(n, rows_n);
    for (uint32_t i = 0; i < n; i++)
        assert_non_null(machine_find_param(paths[i], NULL, NULL));
    mem_free(paths);
}

static void values_are_got_by_path(void **state)
{
    struct machine m;
    struct text out = {0};
    double v;
    (void)state;
    machine_defaults(&m);
    m.l2.cache.mshr.entries = 48;
    m.sm.scheduler = SCHED_GTO;
    assert_true(machine_get_number(&m, "l2.mshr.entries", &v) && v == 48);
    assert_true(machine_get_number(&m, "sm.scheduler", &v) && v == SCHED_GTO);
    assert_true(machine_get_number(&m, "l1.enabled", &v) && v == 1);
    assert_false(machine_get_number(&m, "dram.mapping", &v));
    assert_false(machine_get_number(&m, "l2.nothing", &v));
    assert_true(machine_get(&m, "sm.scheduler", &out));
    assert_string_equal(text_str(&out), "\"gto\"");
    assert_false(machine_get(&m, "sm", &out));
    text_fini(&out);
}

/* docs/parameters.md is what the target docs makes. */
static void the_reference_page_is_up_to_date(void **state)
{
    char *page;
    size_t n;
    struct error e;
    struct text now = {0};
    (void)state;
    if (!file_read(PLUMB_SOURCE_CONFIG_DIR "/../docs/parameters.md", &page, &n, &e))
        fail_msg("%s", e.text);
    uint32_t rows_n = machine_reference("", REFERENCE_MARKDOWN, &now);
    assert_true(rows_n > 100);
    if (strcmp(page, text_str(&now)) != 0)
        fail_msg("docs/parameters.md is stale: cmake --build DIR --target docs");
    mem_free(page);
    text_fini(&now);
}

static void the_reference_holds_every_row(void **state)
{
    uint32_t n;
    char **paths = machine_paths(&n);
    (void)state;
    for (int format = REFERENCE_TEXT; format <= REFERENCE_MARKDOWN; format++) {
        struct text all = {0}, some = {0};
        assert_int_equal(machine_reference("", (enum reference_format)format, &all), n);
        for (uint32_t i = 0; i < n; i++)
            assert_non_null(strstr(text_str(&all), paths[i]));
        assert_int_equal(machine_reference("l2.mshr", (enum reference_format)format, &some), 2);
        assert_int_equal(machine_reference("dram[0].set", (enum reference_format)format, &some), 1);
        assert_int_equal(machine_reference("sm[0].count", (enum reference_format)format, &some), 0);
        assert_int_equal(machine_reference("frobnicate", (enum reference_format)format, &some), 0);
        assert_true(machine_reference("MSHR", (enum reference_format)format, &some) >= 4);
        assert_non_null(strstr(text_str(&some), "l1.mshr.entries"));
        text_fini(&all);
        text_fini(&some);
    }
    mem_free(paths);
}

/* Between structs of all ones and of zeros: the value's own bytes change, and no others. */
static void one_value_is_copied(void **state)
{
    (void)state;
    static const size_t size[] = {[PARAM_BOOL] = sizeof(bool),
                                  [PARAM_INT] = 4,
                                  [PARAM_REAL] = 8,
                                  [PARAM_SIZE] = 8,
                                  [PARAM_ENUM] = sizeof(int),
                                  [PARAM_TEXT] = PARAM_TEXT_MAX,
                                  [PARAM_FRAGMENT] = PARAM_TEXT_MAX,
                                  [PARAM_LIST] = sizeof(struct param_list)};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sample to, expected;
        static const struct sample zero;
        memset(&to, 1, sizeof to);
        memset(&expected, 1, sizeof expected);
        memset((char *)&expected + rows[i].offset, 0, size[rows[i].type]);
        param_copy(&rows[i], &to, &zero);
        assert_memory_equal(&to, &expected, sizeof to);
        assert_true(param_equal(&rows[i], &to, &zero));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_read_print_and_are_refused),
        cmocka_unit_test(numbers_and_comparisons),
        cmocka_unit_test(one_value_is_copied),
        cmocka_unit_test(tables_are_sound),
        cmocka_unit_test(rows_have_fields_of_their_own),
        cmocka_unit_test(paths_are_found_and_guessed),
        cmocka_unit_test(values_are_got_by_path),
        cmocka_unit_test(the_reference_page_is_up_to_date),
        cmocka_unit_test(the_reference_holds_every_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
