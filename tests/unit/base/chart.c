/* Charts: both formats are what they say, the same input gives the same bytes, failures are told.
 */
#include "base/plot/chart.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* false: there is no gnuplot, and said so. */
static bool draw(const struct chart *c, enum chart_format f, const char *path, struct error *e)
{
    if (chart_write(c, f, path, e)) return true;
    if (!strstr(e->text, "gnuplot, which draws charts")) fail_msg("%s", e->text);
    return false;
}

static char *drawn(const struct chart *c, enum chart_format f, const char *name, size_t *n)
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
        struct chart_series s = {.name = name[i], .x = x, .y = y, .n = 4};
        struct chart c = chart_of(1);
        c.series = &s;
        c.title = c.x.label = c.y.label = name[i];
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

/* --- heat maps, parallel coordinates, bars --- */

static const double ratio[] = {1, 0.5, 4, 1, NAN, 2};
static const char *const programs[] =
    {"a program whose name is longer than its place, by \u00fc\u00fc\u00fc", "b"},
                         *const levels[] = {"8", "16", "32"};
static const double where[] = {0, 0.5, 1}, line_at[] = {0, 1, 0.3, 1, NAN, 0.9}, rank[] = {0, 1};
static const bool strong[] = {true, false};

static struct chart_heat heat(void)
{
    return (struct chart_heat){.label = "l1.kb",
                               .row = programs,
                               .column = levels,
                               .rows = 2,
                               .columns = 3,
                               .value = ratio};
}

static bool draw_kind(int kind, const char *path, struct error *e)
{
    const struct chart_heat h = heat();
    const struct chart_upright axis[] = {
        {.label = "l1.kb", .tick = levels, .at = where, .ticks = 3},
        {.label = "x", .tick = levels, .at = where, .ticks = 3},
        {.label = "cycles", .lo = 1e6, .hi = 2e6, .ticks = 5}};
    const struct chart_parallel p = {.axis = axis,
                                     .axes = 3,
                                     .lines = 2,
                                     .at = line_at,
                                     .rank = rank,
                                     .strong = strong,
                                     .legend = "l",
                                     .strong_legend = "s"};
    const struct chart_bar bar[] = {{.name = programs[0], .share = 0.7, .text = "70 %"},
                                    {.name = "b", .share = 0, .text = "0 %", .faint = true}};
    const struct chart_bars b = {.label = "share", .bar = bar, .bars = 2};
    return kind == 0   ? chart_heat_write(&h, CHART_SVG, path, e)
           : kind == 1 ? chart_parallel_write(&p, CHART_SVG, path, e)
                       : chart_bars_write(&b, CHART_SVG, path, e);
}

static char *drawn_heat(const struct chart_heat *h)
{
    struct error e = {0};
    char *svg;
    size_t n;
    if (!chart_heat_write(h, CHART_SVG, in_folder("h"), &e)) skip();
    assert_true(file_read(in_folder("h"), &svg, &n, &e));
    return svg;
}

static void other_kinds_are_drawn_and_the_same_again(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct error e = {0};
        char *first, *second;
        size_t n, m;
        if (!draw_kind(kind, in_folder("k1"), &e)) {
            assert_contains(e.text, "gnuplot, which draws charts");
            skip();
        }
        assert_true(draw_kind(kind, in_folder("k2"), &e));
        assert_true(file_read(in_folder("k1"), &first, &n, &e));
        assert_true(file_read(in_folder("k2"), &second, &m, &e));
        assert_int_equal(n, m);
        assert_memory_equal(first, second, n);
        assert_null(strstr(first, "nan"));
        mem_free(first);
        mem_free(second);
    }
}

/* Tilted names of 40 columns: no more than have a line's height between them. */
static void names_of_many_columns_are_thinned_out(void **state)
{
    enum { MANY = 40 };
    (void)state;
    char name[MANY][12], text[32];
    const char *column[MANY], *row[] = {"b"};
    double value[MANY];
    const struct chart_heat h = {
        .label = "x", .row = row, .column = column, .rows = 1, .columns = MANY, .value = value};
    int shown = 0;
    for (int i = 0; i < MANY; i++) {
        snprintf(name[i], sizeof name[i], "%d", 10 + i);
        column[i] = name[i];
        value[i] = 1;
    }
    char *svg = drawn_heat(&h);
    for (int i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "<text>%d</text>", 10 + i);
        shown += strstr(svg, text) != NULL;
    }
    /* some 400 points wide, tilted by 0.6: lines 12.5 points apart need 22 of them each */
    assert_in_range(shown, 10, 18);
    mem_free(svg);
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

/* Better is blue, worse is red, whichever way better lies; what is not known is left white. */
static void cells_have_the_colour_of_their_ratio(void **state)
{
    (void)state;
    static const double three[] = {1, 4, 0.25}, gap[] = {1, NAN, 0.25};
    struct chart_heat h = heat();
    double blue[3], red[3];
    h.rows = 1;
    for (int k = 0; k < 3; k++) {
        h.more = k == 1;
        h.value = k == 2 ? gap : three;
        char *svg = drawn_heat(&h);
        blue[k] = first_area(svg, "rgb(  0, 114, 178)");
        red[k] = first_area(svg, "rgb(213,  94,   0)");
        mem_free(svg);
    }
    assert_true(red[0] < blue[0]); /* the columns with 4 and 0.25 */
    assert_float_equal(blue[1], red[0], 1e-9);
    assert_float_equal(red[1], blue[0], 1e-9);
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
        cmocka_unit_test(names_are_text),
        cmocka_unit_test(same_input_same_bytes),
        cmocka_unit_test(scales_reach_their_ends),
        cmocka_unit_test(other_kinds_are_drawn_and_the_same_again),
        cmocka_unit_test(cells_have_the_colour_of_their_ratio),
        cmocka_unit_test(names_of_many_columns_are_thinned_out),
        cmocka_unit_test(failures_are_told),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
