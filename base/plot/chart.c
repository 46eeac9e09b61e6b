/* chart.c - see chart.h: a chart as a gnuplot script. */
#include "base/plot/gnuplot.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* In points.  CHARACTER: the mean width of one. */
static const double LINE_HEIGHT = 16, CHARACTER = 5.5;
enum { WIDTH = 480, HEIGHT = 300, NAME = 47, LABEL = 80, ROW_NAME = 32, COLOURS = 8 };

/* Okabe and Ito's colours, black first. */
static const char *const colour_of[COLOURS] = {"#000000", "#0072b2", "#d55e00", "#009e73",
                                               "#cc79a7", "#e69f00", "#56b4e9", "#737373"};

static const char style[] =
    "set border lc rgb '#333333' lw 0.8\n"
    "set tics nomirror scale 0.5 textcolor rgb 'black'\n"
    "set grid lt 1 lc rgb '#d9d9d9' lw 0.5\n"
    "set style textbox opaque noborder margins 0.2,0.2 fillcolor rgb '#ffffff'\n"
    "set style fill solid noborder\n";

/* --- what the caller adds --- */

/* How a series is drawn: its columns are x, y and the colour. */
static void add_look(struct text *s, enum chart_mark mark, uint32_t i, bool rgb)
{
    const char *colour = colour_of[i % COLOURS];
    switch (mark) {
    case CHART_LINES:
        if (rgb)
            text_add(s, "using 1:2:3 with lines lw 0.8 lc rgb variable");
        else
            text_add(s, "using 1:2 with lines dt %" PRIu32 " lw %g lc rgb '%s'", i % 4 + 1,
                     i ? 1.2 : 1.8, colour);
        break;
    case CHART_POINTS: text_add(s, "using 1:2 with points pt 7 ps 0.4 lc rgb '%s'", colour); break;
    case CHART_CELLS: text_add(s, "using 1:2:(0.5):(0.5):3 with boxxyerror lc palette"); break;
    case CHART_BARS:
        text_add(s, "using ($1/2):2:($1/2):(0.35):3 with boxxyerror lc rgb variable");
        break;
    }
}

void chart_series(struct chart *c, enum chart_mark mark, const char *name, bool rgb)
{
    size_t length = name ? strlen(name) : 0;
    c->mark = mark;
    text_add(&c->data, c->n ? "EOD\n$d%" PRIu32 " << EOD\n" : "$d%" PRIu32 " << EOD\n", c->n);
    text_add(&c->plot, "%s $d%" PRIu32 " ", c->n ? "," : "plot", c->n);
    add_look(&c->plot, mark, c->n, rgb);
    gnuplot_string(&c->plot, " title", name ? name : "", NAME);
    if (c->n == 0) { /* drawn again at the end, on top */
        text_add(&c->top, ", $d0 ");
        add_look(&c->top, mark, 0, rgb);
        text_add(&c->top, " notitle");
    }
    if (length > c->longest) c->longest = length < NAME ? length : NAME;
    c->named += name != NULL;
    c->n++;
}

static double shown(const struct chart_axis *a, double v)
{
    return a->unit == CHART_PERCENT ? 100 * v : v;
}

static void widen(struct chart_axis *a, double v)
{
    a->least = a->any ? fmin(a->least, v) : v;
    a->most = a->any ? fmax(a->most, v) : v;
    a->any = true;
}

void chart_point(struct chart *c, double x, double y, double colour)
{
    if (!isfinite(x) || !isfinite(y)) {
        text_add(&c->data, "\n");
        return;
    }
    widen(&c->x, x);
    widen(&c->y, y);
    if (c->mark == CHART_CELLS) c->swing = fmax(c->swing, fabs(colour));
    text_add(&c->data, "%.10g %.10g %.10g\n", shown(&c->x, x), shown(&c->y, y), colour);
}

void chart_text(struct chart *c, double x, double y, enum chart_side side, uint32_t rgb,
                const char *text)
{
    static const char *const where[] = {[CHART_CENTRE] = "center",
                                        [CHART_LEFT] = "left offset 0.7,0",
                                        [CHART_RIGHT] = "right offset -0.5,0 boxed"};
    gnuplot_string(&c->marks, "set label", text, LABEL);
    text_add(&c->marks, " at %.10g,%.10g %s front textcolor rgb '#%06" PRIx32 "'\n", x, y,
             where[side], rgb);
}

void chart_tick(struct chart *c, char axis, double at, const char *text)
{
    (axis == 'x' ? &c->x : &c->y)->named = true;
    gnuplot_tick(&c->marks, axis, text, axis == 'x' ? NAME : ROW_NAME, at);
}

/* --- the script --- */

/* The range of the data with a margin, unless the caller gave one. */
static void find_range(struct chart_axis *a)
{
    double lo = a->least, hi = a->most;
    bool given = a->lo < a->hi || a->lo > a->hi;
    if ((given ? a->lo : lo) <= 0) a->scale = CHART_LINEAR;
    if (given) return;
    double margin = hi > lo ? 0.05 * (hi - lo) : fmax(fabs(hi) * 0.05, 0.5);
    bool powers = a->scale != CHART_LINEAR;
    a->lo = powers ? lo / 1.15 : lo >= 0 ? fmax(0, lo - margin) : lo - margin;
    a->hi = powers ? hi * 1.15 : hi + margin;
}

/* Numbers as 2500, 25k, 1.5M: longer texts would overlap the axis' label. With a letter as many
 * digits behind the point as the steps between ticks need. */
static void add_format(struct text *s, char which, const struct chart_axis *a)
{
    double most = fmax(fabs(a->lo), fabs(a->hi)), unit = pow(1000, floor(log10(most) / 3));
    text_add(s, "set format %c ", which);
    if (a->unit == CHART_PERCENT)
        text_add(s, "'%%g %%%%'\n");
    else if (a->unit == CHART_BYTES)
        text_add(s, "'%%.0b %%BB'\n");
    else if (most < 1e4)
        text_add(s, "'%%g'\n");
    else
        text_add(s, "'%%.%.0fs%%c'\n", fmax(0, ceil(-log10(fabs(a->hi - a->lo) / 6 / unit))));
}

static void add_axis(struct text *s, char which, struct chart_axis *a, bool bare)
{
    static const int base[] = {[CHART_LOG2] = 2, [CHART_LOG10] = 10};
    find_range(a);
    double lo = shown(a, a->lo), hi = shown(a, a->hi);
    text_add(s, "set %crange [%.10g:%.10g]\n", which, lo,
             hi + 1e-6 * (hi - lo)); /* a tick at the very end is drawn, too */
    add_format(s, which, a);
    if (a->scale != CHART_LINEAR) text_add(s, "set logscale %c %d\n", which, base[a->scale]);
    if (bare)
        text_add(s, a->named ? "set %ctics ()\n" : "unset %ctics\n", which);
    else {
        text_add(s, "set %c", which);
        gnuplot_string(s, "label", a->label ? a->label : "", LABEL);
        text_add(s, "\n");
    }
}

/* A chart without a frame has names at its places. The label lies below the whole picture, where a
 * long one has room. */
static void add_bare(struct text *s, const struct chart *c)
{
    text_add(s, "set border %d\nunset grid\nset tics scale 0\nset bmargin %g\n",
             c->mark == CHART_BARS ? 2 : 0, (c->x.named ? 3.2 : 2.5) + c->tilt / LINE_HEIGHT);
    if (c->tilt > 0) text_add(s, "set xtics rotate by 35 right\n");
    gnuplot_string(s, "set label", c->x.label ? c->x.label : "", LABEL);
    text_add(s, " at screen 0.5,char 1 center\n");
}

/* Blue is better, whichever way better lies; the scale beside the cells says which ratio has which
 * colour. */
static void add_palette(struct text *s, const struct chart *c)
{
    double most = fmax(0.05, c->swing), best = exp2(c->more ? most : -most);
    text_add(s,
             "set palette defined (-1 '%s', 0 '#f5f5f5', 1 '%s')\nset cbrange [%.6g:%.6g]\n"
             "set cbtics ('%.3g' %.6g, '1' 0, '%.3g' %.6g)\n",
             colour_of[2], colour_of[1], -most, most, best, most, 1 / best, -most);
}

/* Adds the legend with as many columns as fit below the chart; returns its number of rows. */
static uint32_t add_legend(struct text *s, const struct chart *c)
{
    uint32_t columns = (uint32_t)(WIDTH / (CHARACTER * (double)c->longest + 50));
    if (c->named < 2) {
        text_add(s, "unset key\n");
        return 0;
    }
    if (columns < 1) columns = 1;
    text_add(s,
             "set key below left Left reverse samplen 2.5 width 1 height 0.7 maxcols %" PRIu32 "\n",
             columns);
    return (c->named + columns - 1) / columns;
}

static void add_part(struct text *s, const struct text *part)
{
    text_add_bytes(s, text_str(part), part->len);
    s->failed |= part->failed;
}

bool chart_write(struct chart *c, enum chart_format format, const char *path, struct error *e)
{
    struct text s = {0};
    assert(c->n > 0);
    text_add(&s, "%s", style);
    gnuplot_string(&s, "set title", c->title ? c->title : "", LABEL);
    text_add(&s, " offset 0,-0.5\nset xlabel offset 0,0.4\n");
    if (c->bare) add_bare(&s, c);
    add_axis(&s, 'x', &c->x, c->bare);
    add_axis(&s, 'y', &c->y, c->bare);
    if (c->mark == CHART_CELLS) add_palette(&s, c);
    double height = (c->height > 0 ? c->height : HEIGHT) + LINE_HEIGHT * add_legend(&s, c) +
                    (c->title ? LINE_HEIGHT : 0);
    add_part(&s, &c->data);
    text_add(&s, "EOD\n");
    add_part(&s, &c->marks);
    add_part(&s, &c->plot);
    if (!c->bare) add_part(&s, &c->top);
    text_add(&s, "\n");
    bool ok = gnuplot_draw(&s, (int)(c->width > 0 ? c->width : WIDTH), (int)ceil(height), format,
                           path, e);
    text_fini(&s);
    return ok;
}

void chart_fini(struct chart *c)
{
    text_fini(&c->data);
    text_fini(&c->plot);
    text_fini(&c->top);
    text_fini(&c->marks);
    *c = (struct chart){0};
}
