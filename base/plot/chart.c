/* chart.c - see chart.h: every kind of chart as a gnuplot script. */
#include "base/plot/gnuplot.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* In points.  CHARACTER: the mean width of one. */
static const double LINE_HEIGHT = 16, CHARACTER = 5.5;
enum { WIDTH = 480, WIDE = 640, NAME = 47, LABEL = 80, ROW_NAME = 32, TICKS_MAX = 32, NUMBER = 32 };

/* Okabe and Ito's colours, black first. */
static const char *const colour[CHART_SERIES_MAX] = {"#000000", "#0072b2", "#d55e00", "#009e73",
                                                     "#cc79a7", "#e69f00", "#56b4e9", "#737373"};

static const char style[] =
    "set border lc rgb '#333333' lw 0.8\n"
    "set tics nomirror scale 0.5 textcolor rgb 'black'\nset xtics ()\nset ytics ()\n"
    "set grid lt 1 lc rgb '#d9d9d9' lw 0.5\n"
    "set style textbox opaque noborder margins 0.2,0.2 fillcolor rgb "
    "'#ffffff'\n";

static void add_label(struct text *s, const char *label, const char *where)
{
    gnuplot_string(s, "set label", label, LABEL);
    text_add(s, " at %s\n", where);
}

/* --- ticks --- */

/* Formats as 2500, 25k, 1.5M: longer texts would overlap the axis' label. */
static void number_text(double v, char out[NUMBER])
{
    static const char letter[] = "kMGT";
    int p = -1;
    for (; fabs(v) >= (p < 0 ? 1e4 : 1e3) && p < 3; p++)
        v /= 1e3;
    if (p < 0)
        snprintf(out, NUMBER, "%.5g", fabs(v) < 1e-12 ? 0 : v);
    else
        snprintf(out, NUMBER, "%.4g%c", v, letter[p]);
}

static void tick_text(enum chart_unit unit, double v, char out[NUMBER])
{
    static const char *const prefix[] = {"B", "KB", "MB", "GB", "TB"};
    unsigned p = 0;
    switch (unit) {
    case CHART_NUMBER: number_text(v, out); return;
    case CHART_PERCENT: snprintf(out, NUMBER, "%.4g %%", fabs(v) < 1e-12 ? 0 : 100 * v); return;
    case CHART_BYTES: break;
    }
    for (; v >= 1024 && p < 4; p++)
        v /= 1024;
    snprintf(out, NUMBER, "%.4g %s", v, prefix[p]);
}

/* The step between ticks: 1, 2 or 5 times a power of ten, so that at most `wanted` ticks fit; whole
 * powers on logarithmic scales. */
static double tick_step(enum chart_scale scale, double range, double wanted)
{
    double raw = range / wanted, unit = pow(10, floor(log10(raw)));
    if (scale == CHART_LOG2) return ceil(raw);
    double step = raw <= unit ? 1 : raw <= 2 * unit ? 2 : raw <= 5 * unit ? 5 : 10;
    return scale == CHART_LOG10 ? fmax(step * unit, 1) : step * unit;
}

static void add_ticks(struct text *s, char which, const struct chart_axis *a, double wanted)
{
    static const double base[] = {[CHART_LOG2] = 2, [CHART_LOG10] = 10};
    bool powers = a->scale != CHART_LINEAR;
    double unit = powers ? log(base[a->scale]) : 1;
    double lo = powers ? log(a->lo) / unit : a->lo, hi = powers ? log(a->hi) / unit : a->hi;
    double slack = 1e-9 * (hi - lo), step = tick_step(a->scale, hi - lo, wanted);
    int n = 0;
    for (double v = ceil((lo - slack) / step) * step; v <= hi + slack && n < TICKS_MAX; v += step) {
        char text[NUMBER];
        double at = powers ? pow(base[a->scale], v) : v;
        tick_text(a->unit, at, text);
        gnuplot_tick(s, which, text, NUMBER, at);
        n++;
    }
    if (powers) text_add(s, "set logscale %c %g\n", which, base[a->scale]);
}

static void add_axis(struct text *s, char which, const struct chart_axis *a, double wanted)
{
    text_add(s, "set %crange [%.10g:%.10g]\nset %c", which, a->lo, a->hi + 1e-6 * (a->hi - a->lo),
             which); /* a tick at the very end is drawn, too */
    gnuplot_string(s, "label", a->label, LABEL);
    text_add(s, "\n");
    add_ticks(s, which, a, wanted);
}

/* --- lines and points --- */

static void add_data(struct text *s, const struct chart *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        text_add(s, "$d%" PRIu32 " << EOD\n", i);
        for (uint32_t k = 0; k < c->series[i].n; k++)
            text_add(s, "%.10g %.10g\n", c->series[i].x[k], c->series[i].y[k]);
        text_add(s, "EOD\n");
    }
}

/* Adds the legend with as many columns as fit below the chart; returns its number of rows. */
static uint32_t add_legend(struct text *s, const struct chart *c)
{
    size_t longest = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        size_t n = strlen(c->series[i].name);
        if (n > longest) longest = n < NAME ? n : NAME;
    }
    uint32_t columns = (uint32_t)(WIDTH / (CHARACTER * (double)longest + 50));
    if (c->n < 2) {
        text_add(s, "unset key\n");
        return 0;
    }
    if (columns < 1) columns = 1;
    text_add(s,
             "set key below left Left reverse samplen 2.5 width 1 height 0.7 maxcols %" PRIu32 "\n",
             columns);
    return (c->n + columns - 1) / columns;
}

static void add_plot(struct text *s, const struct chart_series *c, uint32_t i, const char *name)
{
    text_add(s, "$d%" PRIu32 " with ", i);
    text_add(s, c->mark == CHART_POINTS ? "points pt 7 ps 0.4" : "lines dt %d lw %g", i % 4 + 1,
             i ? 1.2 : 1.8);
    text_add(s, " lc rgb '%s'", colour[i]);
    gnuplot_string(s, " title", name, NAME);
}

/* Adds the series; the first one is drawn again at the end, on top. */
static void add_plots(struct text *s, const struct chart *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        text_add(s, i ? ", " : "plot ");
        add_plot(s, &c->series[i], i, c->series[i].name);
    }
    text_add(s, ", ");
    add_plot(s, &c->series[0], 0, "");
    text_add(s, "\n");
}

static bool draw(struct text *s, int width, double height, enum chart_format format,
                 const char *path, struct error *e)
{
    bool ok = gnuplot_draw(s, width, (int)ceil(height), format, path, e);
    text_fini(s);
    return ok;
}

bool chart_write(const struct chart *c, enum chart_format format, const char *path, struct error *e)
{
    struct text s = {0};
    assert(c->n <= CHART_SERIES_MAX && c->x.lo < c->x.hi && c->y.lo < c->y.hi);
    text_add(&s, "%s", style);
    gnuplot_string(&s, "set title", c->title ? c->title : "", LABEL);
    text_add(&s, " offset 0,-0.5\nset xlabel offset 0,0.4\n");
    add_axis(&s, 'x', &c->x, 9);
    add_axis(&s, 'y', &c->y, 6);
    double height = 300 + LINE_HEIGHT * add_legend(&s, c) + (c->title ? LINE_HEIGHT : 0);
    add_data(&s, c);
    add_plots(&s, c);
    return draw(&s, WIDTH, height, format, path, e);
}

/* --- heat maps --- */

/* Adds the columns' names. Names whose texts would touch are tilted, and then thinned out. */
static double add_columns(struct text *s, const struct chart_heat *c)
{
    size_t longest = 0;
    for (uint32_t i = 0; i < c->columns; i++)
        if (strlen(c->column[i]) > longest) longest = strlen(c->column[i]);
    double cell = 0.65 * WIDTH / c->columns, widest = CHARACTER * fmin((double)longest, NAME);
    bool tilted = widest + 4 > cell;
    uint32_t step = tilted ? (uint32_t)ceil(LINE_HEIGHT * 1.3 / cell) : 1;
    for (uint32_t i = 0; i < c->columns; i += step)
        gnuplot_tick(s, 'x', c->column[i], NAME, i);
    if (tilted) text_add(s, "set xtics rotate by 35 right\n");
    return tilted ? 0.6 * widest : 0;
}

/* Adds the cells, in blue where a value is better, in either direction. Returns the largest |log2|.
 */
static double add_cells(struct text *s, const struct chart_heat *c)
{
    double most = 0.05;
    text_add(s, "$d << EOD\n");
    for (uint32_t r = 0; r < c->rows; r++) {
        for (uint32_t k = 0; k < c->columns; k++) {
            double v = c->value[r * c->columns + k], swing = v > 0 ? log2(v) : 0;
            if (v > 0) most = fmax(most, fabs(swing));
            if (v > 0)
                text_add(s, "%" PRIu32 " %" PRIu32 " %.6g %.*f\n", k, r, c->more ? swing : -swing,
                         v >= 99.5   ? 0
                         : v >= 9.95 ? 1
                                     : 2,
                         v);
        }
    }
    text_add(s, "EOD\n");
    return most;
}

bool chart_heat_write(const struct chart_heat *c, enum chart_format format, const char *path,
                      struct error *e)
{
    struct text s = {0};
    assert(c->rows > 0 && c->columns > 0);
    text_add(&s, "%s", style);
    double heading = add_columns(&s, c), most = add_cells(&s, c),
           end = exp2(c->more ? most : -most);
    for (uint32_t i = 0; i < c->rows; i++)
        gnuplot_tick(&s, 'y', c->row[i], ROW_NAME, i);
    add_label(&s, c->label, "screen 0.5,char 1 center");
    text_add(&s,
             "unset key\nunset border\nunset grid\nset tics scale 0\nset bmargin %g\n"
             "set xrange [-0.5:%" PRIu32 ".5]\nset yrange [%" PRIu32 ".5:-0.5]\n"
             "set palette defined (-1 '%s', 0 '#f5f5f5', 1 '%s')\nset cbrange [%.6g:%.6g]\n"
             "set cbtics ('%.3g' %.6g, '1' 0, '%.3g' %.6g)\nset style fill solid noborder\n"
             "plot $d using 1:2:(0.5):(0.5):3 with boxxyerror lc palette",
             3.2 + heading / LINE_HEIGHT, c->columns - 1, c->rows - 1, colour[2], colour[1], -most,
             most, end, most, 1 / end, -most);
    if (c->columns <= 14)
        text_add(&s,
                 ", $d using 1:2:(stringcolumn(4)):(abs($3) > %g ? 0xffffff : 0)"
                 " with labels textcolor rgb variable",
                 0.6 * most);
    text_add(&s, "\n");
    return draw(&s, WIDTH, 80 + heading + 19 * fmax(c->rows, 3), format, path, e);
}

/* --- parallel coordinates --- */

/* Adds a line; lines go from light to dark, so that the best lie on top. The colour is the third
 * column. */
static void add_line(struct text *s, const struct chart_parallel *c, uint32_t line)
{
    double t = fmin(c->rank[line], 1);
    int rgb =
        c->strong[line] ? 0 : (int)(204 * t) << 16 | (int)(115 + 97 * t) << 8 | (int)(178 + 41 * t);
    for (uint32_t a = 0; a < c->axes; a++) {
        double at = c->at[(size_t)line * c->axes + a];
        if (isnan(at))
            text_add(s, "\n");
        else
            text_add(s, "%" PRIu32 " %.6g %d\n", a, at, rgb);
    }
    text_add(s, "\n");
}

static void add_lines(struct text *s, const struct chart_parallel *c)
{
    enum { RANKS = 16 };
    text_add(s, "$d << EOD\n");
    for (int r = RANKS; r-- > 0;)
        for (uint32_t i = 0; i < c->lines; i++)
            if (!c->strong[i] && (int)(fmin(c->rank[i], 1) * (RANKS - 1) + 0.5) == r)
                add_line(s, c, i);
    for (uint32_t i = 0; i < c->lines; i++)
        if (c->strong[i]) add_line(s, c, i);
    text_add(s, "EOD\n");
}

static void add_upright(struct text *s, const struct chart_upright *u, uint32_t axis)
{
    char where[64], number[NUMBER];
    text_add(s,
             "set arrow from %" PRIu32 ",0 to %" PRIu32 ",1 nohead lc rgb '#333333' lw 0.8 front\n",
             axis, axis);
    for (uint32_t i = 0; i < u->ticks; i++) {
        double t = u->tick ? u->at[i] : i / (u->ticks - 1.0);
        if (!u->tick) number_text(u->lo + t * (u->hi - u->lo), number);
        snprintf(where, sizeof where, "%" PRIu32 ",%.6g right offset -0.5,0 front boxed", axis, t);
        add_label(s, u->tick ? u->tick[i] : number, where);
    }
    /* long names take two lines, so that neighbours do not overlap */
    snprintf(where, sizeof where, "%" PRIu32 ",1 center offset 0,%g", axis, axis % 2 ? 0.9 : 2.0);
    add_label(s, u->label, where);
}

bool chart_parallel_write(const struct chart_parallel *c, enum chart_format format,
                          const char *path, struct error *e)
{
    struct text s = {0};
    assert(c->axes > 1);
    text_add(&s, "%s", style);
    for (uint32_t a = 0; a < c->axes; a++)
        add_upright(&s, &c->axis[a], a);
    add_label(&s, c->legend, "graph 0,-0.08 left textcolor rgb '#0072b2'");
    add_label(&s, c->strong_legend, "graph 1,-0.08 right");
    add_lines(&s, c);
    text_add(&s,
             "unset key\nunset border\nunset grid\nunset tics\nset lmargin 9\nset rmargin 9\nset "
             "tmargin 4\n"
             "set bmargin 3\nset xrange [0:%" PRIu32 "]\nset yrange [0:1]\n"
             "plot $d using 1:2:3 with lines lw 0.8 lc rgb variable\n",
             c->axes - 1);
    return draw(&s, WIDE, 314, format, path, e);
}

/* --- bars --- */

bool chart_bars_write(const struct chart_bars *c, enum chart_format format, const char *path,
                      struct error *e)
{
    struct text s = {0};
    double most = 0;
    char where[64];
    text_add(&s, "%s", style);
    for (uint32_t i = 0; i < c->bars; i++) {
        const struct chart_bar *bar = &c->bar[i];
        gnuplot_tick(&s, 'y', bar->name, ROW_NAME, i);
        text_add(&s, "set object rectangle from 0,%g to %.6g,%g fc rgb '%s' fs solid noborder\n",
                 i - 0.35, bar->share, i + 0.35, colour[bar->faint ? 7 : 1]);
        snprintf(where, sizeof where, "%.6g,%" PRIu32 " left offset 0.7,0", bar->share, i);
        add_label(&s, bar->text, where);
        most = fmax(most, bar->share);
    }
    add_label(&s, c->label, "screen 0.5,char 1 center");
    text_add(&s,
             "unset key\nunset grid\nset tics scale 0\nunset xtics\nset border 2\nset bmargin 2.5\n"
             "set xrange [0:%.6g]\nset yrange [%g:-0.5]\nplot NaN\n",
             most > 0 ? 1.6 * most : 1, c->bars - 0.5);
    return draw(&s, WIDTH, 20 * c->bars + 42, format, path, e);
}
