/* Charts: both formats are what they say, the same input gives the same bytes, failures are told.
 */
#include "base/chart.h"
#include "base/file.h"
#include "base/mem.h"
#include "tests/unit/check.h"
#include "tests/unit/folder.h"

static const double x[] = {1024, 4096, 65536, 1 << 20}, y[] = {1, 0.8, 0.2, 0.05},
                    z[] = {0.9, 0.9, 0.9, 0.1};
static const struct chart_series series[] = {{.name = "first", .x = x, .y = y, .n = 4},
                                             {.name = "second & <last>", .x = x, .y = z, .n = 4}};

static struct chart chart_of(uint32_t n)
{
    return (struct chart){.title = "a title",
                          .x = {"capacity", 1024, 1 << 20, CHART_LOG2, CHART_BYTES},
                          .y = {"miss ratio", 0, 1, CHART_LINEAR, CHART_PERCENT},
                          .series = series,
                          .n = n};
}

/* false: this build cannot draw, and said so. */
static bool draw(const struct chart *c, enum chart_format f, const char *path, struct error *e)
{
    if (chart_write(c, f, path, e)) return true;
    if (!strstr(e->text, "without cairo")) fail_msg("%s", e->text);
    return false;
}

static char *drawn(const struct chart *c, enum chart_format f, const char *name, size_t *n)
{
    struct error e = {0};
    char *bytes;
    if (!draw(c, f, in_folder(name), &e)) skip();
    if (!file_read(in_folder(name), &bytes, n, &e)) fail_msg("%s", e.text);
    return bytes;
}

static void formats_are_what_they_say(void **state)
{
    (void)state;
    struct chart c = chart_of(2);
    size_t n;
    char *svg = drawn(&c, CHART_SVG, "a.svg", &n);
    assert_memory_equal(svg, "<?xml", 5);
    assert_contains(svg, "<svg ");
    assert_contains(svg + n - 10, "</svg>");
    mem_free(svg);
    char *png = drawn(&c, CHART_PNG, "a.png", &n);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(png + n - 8, "IEND", 4);
    assert_int_equal((unsigned char)png[18] * 256 + (unsigned char)png[19], 1200); /* its width */
    mem_free(png);
}

static void same_input_same_bytes(void **state)
{
    (void)state;
    for (enum chart_format f = CHART_SVG; f <= CHART_PNG; f++) {
        struct chart one = chart_of(1), two = chart_of(2);
        size_t n, m, k;
        char *a = drawn(&two, f, "a", &n), *other = drawn(&one, f, "c", &k),
             *b = drawn(&two, f, "b", &m);
        assert_int_equal(n, m);
        assert_memory_equal(a, b, n);
        assert_true(k != n || memcmp(a, other, n) != 0); /* the second series is seen */
        mem_free(a);
        mem_free(b);
        mem_free(other);
    }
}

static void scales_reach_their_ends(void **state)
{
    (void)state;
    struct chart c = chart_of(2);
    size_t n, m;
    char *log2 = drawn(&c, CHART_SVG, "a", &n);
    c.x.scale = CHART_LOG10;
    char *log10 = drawn(&c, CHART_SVG, "b", &m);
    assert_true(n != m || memcmp(log2, log10, n) != 0);
    assert_null(strstr(log2, "nan"));
    assert_null(strstr(log10, "nan"));
    mem_free(log2);
    mem_free(log10);
}

static void failures_are_told(void **state)
{
    (void)state;
    struct chart c = chart_of(2);
    struct error e = {0};
    const char *path = in_folder("none/a.svg");
    assert_false(chart_write(&c, CHART_SVG, path, &e));
    assert_contains(e.text, path);
    if (!draw(&c, CHART_SVG, in_folder("whole.svg"), &e)) skip();
    shim_fail_after(SHIM_WRITE, 1);
    bool ok = chart_write(&c, CHART_SVG, in_folder("half.svg"), &e);
    shim_fail_after(SHIM_WRITE, 0);
    assert_false(ok);
    assert_false(file_exists(in_folder("half.svg")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_what_they_say),
        cmocka_unit_test(same_input_same_bytes),
        cmocka_unit_test(scales_reach_their_ends),
        cmocka_unit_test(failures_are_told),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
