/* Byte order marks, carriage returns, UTF-16 and NULs in text, in every way in which text is
 * opened.
 */
#include "tests/support/check.h"

#include "tests/support/folder.h"

#include "base/io/file.h"
#include "base/io/plain_text.h"
#include "base/memory/alloc.h"
#include "base/text/conf.h"

#define MARK "\xef\xbb\xbf"

static void marks_and_carriage_returns_are_taken_away(void **state)
{
    (void)state;
    static const struct {
        const char *text, *plain;
    } rows[] = {
        {MARK "a\r\nb\n", "a\nb\n"}, {"a\r\n\r\nb", "a\n\nb"},  {MARK, ""},           {"", ""},
        {"a\rb\r", "a\rb\r"},        {MARK MARK "a", MARK "a"}, {"a" MARK, "a" MARK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e = {0};
        char *bytes;
        size_t n;
        assert_true(file_read(folder_text("t", rows[i].text), &bytes, &n, &e));
        assert_string_equal(bytes, rows[i].plain);
        assert_int_equal(n, strlen(rows[i].plain));
        mem_free(bytes);
    }
}

static void lines_have_neither(void **state)
{
    (void)state;
    struct error e = {0};
    size_t n;
    struct instream *s =
        instream_open(folder_text("t", MARK "one\r\n" MARK "two\r\n\r\nthree"), &e);
    assert_string_equal(instream_line(s, &n, &e), "one");
    assert_int_equal(n, 3);
    assert_string_equal(instream_line(s, &n, &e), MARK "two"); /* only a text begins with one */
    assert_string_equal(instream_line(s, &n, &e), "");
    assert_string_equal(instream_line(s, &n, &e), "three");
    assert_null(instream_line(s, &n, &e));
    assert_int_equal(e.kind, ERROR_NONE);
    instream_close(s);
}

static void other_encodings_are_refused_in_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        const char *said;
    } rows[] = {
        {"\xff\xfe"
         "a\0=\0",
         6, "UTF-16"},
        {"\xfe\xff"
         "\0a\0=",
         6, "UTF-16"},
        {"a\0=\0"
         "1\0",
         6, "UTF-16"},
        {"\0a\0="
         "\0"
         "1",
         6, "UTF-16"},
        {"a = 1;\0b", 8, "holds a NUL"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e = {0}, f = {0}, g = {0};
        char *bytes;
        size_t n;
        const char *path = folder_file("t", rows[i].bytes, rows[i].n);
        assert_false(file_read(path, &bytes, &n, &e));
        assert_contains(e.text, rows[i].said);
        struct instream *s = instream_open(path, &f);
        assert_null(instream_line(s, &n, &f));
        assert_contains(f.text, rows[i].said);
        instream_close(s);
        assert_null(conf_load(path, NULL, &g));
        assert_contains(g.text, rows[i].said);
    }
}

static void configurations_may_have_both(void **state)
{
    (void)state;
    static const char text[] = MARK "# a comment\r\na = 1;\r\nb = \"x\";\r\n";
    struct error e = {0};
    struct conf *file = conf_load(folder_text("c", text), NULL, &e);
    struct conf *given = conf_parse(text, "given", &e);
    struct conf *const both[] = {file, given};
    for (int i = 0; i < 2; i++) {
        int64_t v = 0;
        assert_non_null(both[i]);
        const struct conf_node *b = conf_find(conf_root(both[i]), "b");
        assert_true(conf_int(conf_find(conf_root(both[i]), "a"), &v) && v == 1);
        assert_string_equal(conf_text(b), "x");
        assert_int_equal(conf_line(b), 3);
        conf_free(both[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_and_carriage_returns_are_taken_away),
        cmocka_unit_test(lines_have_neither),
        cmocka_unit_test(other_encodings_are_refused_in_one_line),
        cmocka_unit_test(configurations_may_have_both),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
