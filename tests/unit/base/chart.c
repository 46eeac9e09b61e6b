/* Charts: both formats are what they say, the same input gives the same bytes, failures are told.
 */
#include "base/plot/chart.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const double x[] = {1024, 4096, 65536, 1 << 20}, y[] = {1, 0.8, 0.2, 0.05},
                    z[] = {0.9, 0.9, 0.9, 0.1};

static void add(struct chart *c, const char *name, const double *at)
{
    chart_series(c, CHART_LINES, name, false);
    for (int i = 0; i < 4; i++)
        chart_point(c, x[i], at[i], 0);
}

static struct chart chart_of(uint32_t n)
{
    struct chart c = {.title = "a title",
                      .x = {.label = "capacity", .scale = CHART_LOG2, .unit = CHART_BYTES},
                      .y = {.label = "miss ratio", .unit = CHART_PERCENT, .lo = 0, .hi = 1}};
    add(&c, "first", y);
    if (n > 1) add(&c, "second & <last>", z);
    return c;
}

/* Draws and frees the chart. false: there is no gnuplot, and said so. */
static bool draw(struct chart *c, enum chart_format f, const char *path, struct error *e)
{
    bool ok = chart_write(c, f, path, e);
    chart_fini(c);
    if (!ok && !strstr(e->text, "gnuplot, which draws charts")) fail_msg("%s", e->text);
    return ok;
}

static char *drawn(struct chart *c, enum chart_format f, const char *name, size_t *n)
{
    struct error e = {0};
    char *bytes;
    if (!draw(c, f, in_folder(name), &e)) skip();
    if (!file_read_bytes(in_folder(name), &bytes, n, &e)) fail_msg("%s", e.text);
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
    c = chart_of(2);
    char *png = drawn(&c, CHART_PNG, "a.png", &n);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(png + n - 8, "IEND", 4);
    assert_int_equal((unsigned char)png[18] * 256 + (unsigned char)png[19], 1200); /* its width */
    mem_free(png);
}

/* gnuplot runs what stands between backquotes, and took a text that begins with a quote for two. */
static void names_are_text(void **state)
{
    (void)state;
    static const char *const name[] = {
        "'; system \"touch RAN\"; '",     "`touch RAN`", "\"; system 'x'", "\\", "a\nb\033[31m",
        "%s @x $(touch RAN) \xe2\x80\xae"};
    size_t n;
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        struct chart c = {.title = name[i], .x = {.label = name[i]}, .y = {.label = name[i]}};
        add(&c, name[i], y);
        add(&c, name[i], z);
        chart_text(&c, 5000, 0.5, CHART_LEFT, 0, name[i]);
        chart_tick(&c, 'x', 5000, name[i]);
        char *svg = drawn(&c, CHART_SVG, "name.svg", &n);
        assert_null(strpbrk(svg, "\033"));
        assert_null(strstr(svg, "\xe2\x80\xae"));
        assert_false(file_exists("RAN"));
        mem_free(svg);
    }
}

static void same_input_same_bytes(void **state)
{
    (void)state;
    for (enum chart_format f = CHART_SVG; f <= CHART_PNG; f++) {
        struct chart one = chart_of(1), two = chart_of(2), again = chart_of(2);
        size_t n, m, k;
        char *a = drawn(&two, f, "a", &n), *other = drawn(&one, f, "c", &k),
             *b = drawn(&again, f, "b", &m);
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
    c = chart_of(2);
    c.x.scale = CHART_LOG10;
    char *log10 = drawn(&c, CHART_SVG, "b", &m);
    assert_true(n != m || memcmp(log2, log10, n) != 0);
    assert_null(strstr(log2, "nan"));
    assert_null(strstr(log10, "nan"));
    mem_free(log2);
    mem_free(log10);
}

/* --- cells, bars, coloured lines --- */

static const char long_name[] =
    "a program whose name is longer than its place, by \u00fc\u00fc\u00fc";

static struct chart cells_of(const double *log2_ratio, bool more)
{
    struct chart c = {.x = {.label = "l1.kb", .lo = -0.5, .hi = 2.5},
                      .y = {.lo = 0.5, .hi = -0.5},
                      .bare = true,
                      .more = more};
    chart_series(&c, CHART_CELLS, NULL, false);
    for (int i = 0; i < 3; i++)
        if (isfinite(log2_ratio[i])) chart_point(&c, i, 0, log2_ratio[i]);
    chart_tick(&c, 'y', 0, long_name);
    return c;
}

static struct chart other_kind(int kind)
{
    static const double ratio[] = {0, -1, 2};
    struct chart c = {
        .x = {.lo = 0, .hi = 2, .label = "label"}, .y = {.lo = 0, .hi = 1}, .bare = true};
    if (kind == 0) return cells_of(ratio, false);
    chart_series(&c, kind == 1 ? CHART_BARS : CHART_LINES, NULL, kind == 2);
    chart_point(&c, 0, 0, 0x0072b2);
    chart_point(&c, 1, NAN, 0);
    chart_point(&c, 0.7, 1, 0x737373);
    chart_text(&c, 0.7, 1, CHART_RIGHT, 0, "70 %");
    return c;
}

static void other_kinds_are_drawn_and_the_same_again(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        size_t n, m;
        struct chart a = other_kind(kind), b = other_kind(kind);
        char *first = drawn(&a, CHART_SVG, "k1", &n), *second = drawn(&b, CHART_SVG, "k2", &m);
        assert_int_equal(n, m);
        assert_memory_equal(first, second, n);
        assert_null(strstr(first, "nan"));
        mem_free(first);
        mem_free(second);
    }
}

/* Where the first area of that colour begins; cells come before the scale of colours. */
static double first_area(const char *svg, const char *colour)
{
    double from = -1;
    char area[64];
    snprintf(area, sizeof area, "<polygon fill = '%s' points = '", colour);
    const char *at = strstr(svg, area);
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(area), "%lf", &from), 1);
    return from;
}

/* Better is blue, worse is red; what is not known is left white. The scale names the ratios of
 * both ends, the better one at its top. */
static void cells_have_the_colour_of_their_ratio(void **state)
{
    (void)state;
    static const double three[] = {0, -2, 2}, gap[] = {0, NAN, 2};
    double blue[3], red[3];
    for (int k = 0; k < 3; k++) {
        size_t n;
        struct chart c = cells_of(k == 2 ? gap : three, k == 1);
        char *svg = drawn(&c, CHART_SVG, "h", &n);
        blue[k] = first_area(svg, "rgb(  0, 114, 178)");
        red[k] = first_area(svg, "rgb(213,  94,   0)");
        const char *four = strstr(svg, "<text>4</text>"),
                   *quarter = strstr(svg, "<text>0.25</text>");
        assert_non_null(four);
        assert_non_null(quarter);
        assert_int_equal(four < quarter, k != 1); /* the lower end is written first */
        mem_free(svg);
    }
    assert_true(red[0] < blue[0]);
    assert_float_equal(red[1], red[0], 1e-9);
    assert_float_equal(blue[2], blue[0], 1e-9);
    assert_true(red[2] > blue[2] + 20); /* in the scale alone */
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
    c = chart_of(2);
    shim_fail_after(SHIM_WRITE, 1);
    bool ok = chart_write(&c, CHART_SVG, in_folder("half.svg"), &e);
    shim_fail_after(SHIM_WRITE, 0);
    chart_fini(&c);
    assert_false(ok);
    assert_false(file_exists(in_folder("half.svg")));
}

/* The program called gnuplot ends by a signal. */
static void a_killed_gnuplot_is_told(void **state)
{
    (void)state;
    struct chart c = chart_of(1);
    struct error e = {0};
    const char *program = in_folder("gnuplot"), *path = getenv("PATH");
    char *before = strdup(path ? path : ""), folders[4096];
    FILE *f = fopen(program, "w");
    assert_non_null(f);
    fputs("#!/bin/sh\nkill -9 $$\n", f);
    fclose(f);
    assert_int_equal(chmod(program, 0755), 0);
    snprintf(folders, sizeof folders, "%.*s", (int)(strlen(program) - strlen("/gnuplot")), program);
    setenv("PATH", folders, 1);
    bool ok = chart_write(&c, CHART_SVG, in_folder("killed.svg"), &e);
    setenv("PATH", before, 1);
    free(before);
    chart_fini(&c);
    assert_false(ok);
    assert_contains(e.text, "signal 9 ended gnuplot");
    assert_false(file_exists(in_folder("killed.svg")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_what_they_say),
        cmocka_unit_test(names_are_text),
        cmocka_unit_test(same_input_same_bytes),
        cmocka_unit_test(scales_reach_their_ends),
        cmocka_unit_test(other_kinds_are_drawn_and_the_same_again),
        cmocka_unit_test(cells_have_the_colour_of_their_ratio),
        cmocka_unit_test(failures_are_told),
        cmocka_unit_test(a_killed_gnuplot_is_told),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
