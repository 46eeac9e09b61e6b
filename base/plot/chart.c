/* chart.c - see chart.h: lines and points. */
#include "base/plot/chart_draw.h"

#ifdef PLUMB_CAIRO

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PLOT_HEIGHT = 240, LEFT = 58, RIGHT = 24, TOP = 14, TITLE = 20, TICKS = 18,
                    LABEL = 20, ENTRY_HEIGHT = 16, ENTRY_GAP = 18, STROKE = 26, DOT = 2.2;
enum { TICKS_MAX = 32, TICKS_WANTED = 9, DASHES = 4 };

static const struct {
    double length[4];
    int n;
} dash[DASHES] = {{{0}, 0}, {{6, 2.5}, 2}, {{2, 2}, 2}, {{7, 2, 2, 2}, 4}};

struct drawing {
    cairo_t *to;
    const struct chart *c;
    double x0, y0, x1, y1;                /* the frame: left, bottom, right, top */
    double entry_width[CHART_SERIES_MAX]; /* of the legend */
    uint32_t row[CHART_SERIES_MAX], rows;
    char name[CHART_SERIES_MAX][CHART_NAME_BYTES];
};

struct ticks {
    double at[TICKS_MAX];
    uint32_t n;
};

static double on_scale(const struct chart_axis *a, double v)
{
    switch (a->scale) {
    case CHART_LINEAR: return v;
    case CHART_LOG2: return v > 0 ? log2(v) : -1e3;
    case CHART_LOG10: return v > 0 ? log10(v) : -1e3;
    }
    return v;
}

static double share_of(const struct chart_axis *a, double v)
{
    double lo = on_scale(a, a->lo), hi = on_scale(a, a->hi);
    return (on_scale(a, v) - lo) / (hi - lo);
}

static double place_x(const struct drawing *d, double v)
{
    return d->x0 + share_of(&d->c->x, v) * (d->x1 - d->x0);
}

static double place_y(const struct drawing *d, double v)
{
    return d->y0 + share_of(&d->c->y, v) * (d->y1 - d->y0);
}

/* --- ticks --- */

/* 1, 2 or 5 times a power of ten, so that at most `wanted` fit. */
static double nice_step(double range, double wanted)
{
    double raw = range / wanted, unit = pow(10, floor(log10(raw)));
    return raw <= unit ? unit : raw <= 2 * unit ? 2 * unit : raw <= 5 * unit ? 5 * unit : 10 * unit;
}

static void find_ticks(const struct chart_axis *a, uint32_t wanted, struct ticks *t)
{
    double lo = on_scale(a, a->lo), hi = on_scale(a, a->hi), slack = 1e-9 * (hi - lo);
    double step = nice_step(hi - lo, wanted);
    t->n = 0;
    if (a->scale == CHART_LOG2) step = ceil((hi - lo) / wanted); /* whole powers */
    if (a->scale != CHART_LINEAR && step < 1) step = 1;
    for (double v = ceil((lo - slack) / step) * step; v <= hi + slack && t->n < TICKS_MAX;
         v += step)
        t->at[t->n++] = a->scale == CHART_LOG2 ? exp2(v) : a->scale == CHART_LOG10 ? pow(10, v) : v;
}

static void tick_text(enum chart_unit unit, double v, char out[32])
{
    static const char *const prefix[] = {"B", "KB", "MB", "GB", "TB"};
    unsigned p = 0;
    switch (unit) {
    case CHART_NUMBER: chart_number(v, out); return;
    case CHART_PERCENT: snprintf(out, 32, "%.4g %%", fabs(v) < 1e-12 ? 0 : 100 * v); return;
    case CHART_BYTES: break;
    }
    for (; v >= 1024 && p < 4; p++)
        v /= 1024;
    snprintf(out, 32, "%.4g %s", v, prefix[p]);
}

/* --- layout --- */

static void plan_legend(struct drawing *d)
{
    double x = LEFT;
    d->rows = d->c->n > 1;
    for (uint32_t i = 0; i < d->c->n; i++) {
        chart_short_name(d->c->series[i].name, d->name[i]);
        d->entry_width[i] = STROKE + 6 + chart_text_width(d->to, d->name[i]) + ENTRY_GAP;
        if (x > LEFT && x + d->entry_width[i] > CHART_WIDTH) {
            x = LEFT;
            d->rows++;
        }
        d->row[i] = d->rows - 1;
        x += d->entry_width[i];
    }
}

static double height_of(const struct drawing *d)
{
    return TOP + (d->c->title ? TITLE : 0) + PLOT_HEIGHT + TICKS + LABEL + d->rows * ENTRY_HEIGHT +
           6;
}

static void plan_chart(struct drawing *d, cairo_t *to)
{
    d->to = to;
    plan_legend(d);
    d->x0 = LEFT;
    d->x1 = CHART_WIDTH - RIGHT;
    d->y1 = TOP + (d->c->title ? TITLE : 0);
    d->y0 = d->y1 + PLOT_HEIGHT;
}

/* --- drawing --- */

static void draw_grid(struct drawing *d, const struct ticks *x, const struct ticks *y)
{
    cairo_set_line_width(d->to, 0.5);
    chart_grey(d->to, 0.85);
    for (uint32_t i = 0; i < x->n; i++)
        chart_line(d->to, place_x(d, x->at[i]), d->y0, place_x(d, x->at[i]), d->y1);
    for (uint32_t i = 0; i < y->n; i++)
        chart_line(d->to, d->x0, place_y(d, y->at[i]), d->x1, place_y(d, y->at[i]));
}

static void draw_x_ticks(struct drawing *d, const struct ticks *t)
{
    char s[32];
    for (uint32_t i = 0; i < t->n; i++) {
        double x = place_x(d, t->at[i]);
        chart_line(d->to, x, d->y0, x, d->y0 + 4);
        tick_text(d->c->x.unit, t->at[i], s);
        chart_text(d->to, s, x, d->y0 + TICKS - 2, 0.5);
    }
    chart_text(d->to, d->c->x.label, (d->x0 + d->x1) / 2, d->y0 + TICKS + LABEL - 6, 0.5);
}

static void draw_y_ticks(struct drawing *d, const struct ticks *t)
{
    char s[32];
    for (uint32_t i = 0; i < t->n; i++) {
        double y = place_y(d, t->at[i]);
        chart_line(d->to, d->x0 - 4, y, d->x0, y);
        tick_text(d->c->y.unit, t->at[i], s);
        chart_text(d->to, s, d->x0 - 6, y + CHART_FONT * 0.35, 1);
    }
    chart_text_up(d->to, d->c->y.label, CHART_FONT + 2, (d->y0 + d->y1) / 2);
}

static void set_stroke(struct drawing *d, uint32_t i)
{
    cairo_set_source_rgb(d->to, chart_colour[i][0], chart_colour[i][1], chart_colour[i][2]);
    cairo_set_dash(d->to, dash[i % DASHES].length, dash[i % DASHES].n, 0);
    cairo_set_line_width(d->to, i == 0 ? 2 : 1.5);
}

/* Inside a stretch without slope: it need not be drawn. */
static bool is_level(const struct chart_series *s, uint32_t k)
{
    double y = s->y[k];
    return k && k + 1 < s->n && !(s->y[k - 1] < y) && !(s->y[k - 1] > y) && !(s->y[k + 1] < y) &&
           !(s->y[k + 1] > y);
}

static void draw_dot(struct drawing *d, double x, double y)
{
    cairo_new_sub_path(d->to);
    cairo_arc(d->to, x, y, DOT, 0, 2 * M_PI);
    cairo_fill(d->to);
}

static void draw_points(struct drawing *d, const struct chart_series *s)
{
    for (uint32_t k = 0; k < s->n; k++)
        if (isfinite(s->x[k]) && isfinite(s->y[k]))
            draw_dot(d, place_x(d, s->x[k]), place_y(d, s->y[k]));
}

static void draw_series(struct drawing *d, uint32_t i)
{
    const struct chart_series *s = &d->c->series[i];
    set_stroke(d, i);
    if (s->mark == CHART_POINTS) {
        draw_points(d, s);
        return;
    }
    for (uint32_t k = 0; k < s->n; k++)
        if (!is_level(s, k)) cairo_line_to(d->to, place_x(d, s->x[k]), place_y(d, s->y[k]));
    cairo_stroke(d->to);
}

/* What sticks out of the frame is painted over: cairo numbers clips, too (write_without_number). */
static void draw_all_series(struct drawing *d)
{
    const double past = 1.5; /* half a stroke along the frame is seen */
    cairo_save(d->to);
    cairo_set_line_join(d->to, CAIRO_LINE_JOIN_ROUND);
    for (uint32_t i = d->c->n; i-- > 0;)
        draw_series(d, i);
    cairo_restore(d->to);
    chart_grey(d->to, 1);
    cairo_set_fill_rule(d->to, CAIRO_FILL_RULE_EVEN_ODD);
    cairo_rectangle(d->to, 0, 0, CHART_WIDTH, height_of(d));
    cairo_rectangle(d->to, d->x0, d->y1 - past, d->x1 - d->x0, d->y0 - d->y1 + 2 * past);
    cairo_fill(d->to);
}

static void draw_legend(struct drawing *d)
{
    double x = d->x0, top = d->y0 + TICKS + LABEL;
    if (d->rows == 0) return;
    for (uint32_t i = 0; i < d->c->n; i++) {
        if (i && d->row[i] != d->row[i - 1]) x = d->x0;
        double y = top + (d->row[i] + 0.5) * ENTRY_HEIGHT;
        cairo_save(d->to);
        set_stroke(d, i);
        if (d->c->series[i].mark == CHART_POINTS)
            draw_dot(d, x + STROKE / 2, y);
        else
            chart_line(d->to, x, y, x + STROKE, y);
        cairo_restore(d->to);
        chart_grey(d->to, 0);
        chart_text(d->to, d->name[i], x + STROKE + 6, y + CHART_FONT * 0.35, 0);
        x += d->entry_width[i];
    }
}

static void draw(struct drawing *d)
{
    struct ticks x, y;
    find_ticks(&d->c->x, TICKS_WANTED, &x);
    find_ticks(&d->c->y, 6, &y);
    draw_grid(d, &x, &y);
    draw_all_series(d);
    chart_grey(d->to, 0);
    cairo_set_line_width(d->to, 0.5);
    if (d->c->title) chart_text(d->to, d->c->title, (d->x0 + d->x1) / 2, TOP + CHART_FONT / 2, 0.5);
    draw_x_ticks(d, &x);
    draw_y_ticks(d, &y);
    cairo_set_line_width(d->to, 0.8);
    chart_grey(d->to, 0.2);
    cairo_rectangle(d->to, d->x0, d->y1, d->x1 - d->x0, d->y0 - d->y1);
    cairo_stroke(d->to);
    draw_legend(d);
}

static void measure_chart(cairo_t *to, void *ctx)
{
    plan_chart(ctx, to);
}

static void draw_to(cairo_t *to, void *ctx)
{
    plan_chart(ctx, to);
    draw(ctx);
}

/* The height follows from the legend, which must be measured first. */
bool chart_write(const struct chart *c, enum chart_format format, const char *path, struct error *e)
{
    assert(c->n <= CHART_SERIES_MAX && c->x.lo < c->x.hi && c->y.lo < c->y.hi);
    struct drawing d = {.c = c};
    chart_measure(measure_chart, &d);
    const struct picture p = {
        .width = CHART_WIDTH, .height = ceil(height_of(&d)), .draw = draw_to, .ctx = &d};
    return chart_file(&p, format, path, e);
}

#else

bool chart_write(const struct chart *c, enum chart_format format, const char *path, struct error *e)
{
    (void)c, (void)format;
    return chart_no_cairo(path, e);
}

#endif
