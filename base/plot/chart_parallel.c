/* chart_parallel.c - see chart.h: parallel coordinates and bars. */
#include "base/plot/chart_draw.h"

#ifdef PLUMB_CAIRO

#include <assert.h>
#include <math.h>
#include <stdio.h>

static const double WIDE = 640, PLOT_HEIGHT = 250, SIDE = 42, HEAD = 34, FOOT = 30, TICK = 3;
static const double BAR = 20, NAMES_MAX = 190, BEHIND = 96, LABEL = 34, TOP = 8, GAP = 6;
enum { RANKS = 16, CROWD = 60 };

/* --- parallel coordinates --- */

static double axis_x(const struct chart_parallel *c, uint32_t axis)
{
    return SIDE + axis * (WIDE - 2 * SIDE) / (c->axes - 1);
}

static double height_at(double t)
{
    return HEAD + (1 - t) * PLOT_HEIGHT;
}

static void draw_line(cairo_t *to, const struct chart_parallel *c, uint32_t line)
{
    const double *at = &c->at[(size_t)line * c->axes];
    for (uint32_t a = 0; a < c->axes; a++) {
        if (isnan(at[a]))
            cairo_new_sub_path(to);
        else
            cairo_line_to(to, axis_x(c, a), height_at(at[a]));
    }
    cairo_stroke(to);
}

/* Light to dark: what is best lies above the rest. */
static void draw_lines(cairo_t *to, const struct chart_parallel *c)
{
    double opacity = fmin(0.9, fmax(0.15, (double)CROWD / (c->lines ? c->lines : 1)));
    cairo_set_line_width(to, 0.8);
    for (int r = RANKS; r-- > 0;) {
        double t = r / (RANKS - 1.0);
        cairo_set_source_rgba(to, 0.80 * t, 0.45 + 0.38 * t, 0.70 + 0.16 * t, opacity);
        for (uint32_t i = 0; i < c->lines; i++)
            if (!c->strong[i] && (int)(fmin(c->rank[i], 1) * (RANKS - 1) + 0.5) == r)
                draw_line(to, c, i);
    }
    chart_grey(to, 0);
    cairo_set_line_width(to, 1.2);
    for (uint32_t i = 0; i < c->lines; i++)
        if (c->strong[i]) draw_line(to, c, i);
}

static void draw_tick(cairo_t *to, const struct chart_upright *u, uint32_t i, double x)
{
    char number[32];
    double t = u->tick ? u->at[i] : i / (u->ticks - 1.0), y = height_at(t);
    const char *text = u->tick ? u->tick[i] : number;
    if (!u->tick) chart_number(u->lo + t * (u->hi - u->lo), number);
    double width = chart_text_width(to, text);
    chart_grey(to, 0.2);
    chart_line(to, x - TICK, y, x, y);
    cairo_set_source_rgba(to, 1, 1, 1, 0.75);
    cairo_rectangle(to, x - TICK - 1 - width, y - CHART_FONT * 0.5, width, CHART_FONT);
    cairo_fill(to);
    chart_grey(to, 0);
    chart_text(to, text, x - TICK - 1, y + CHART_FONT * 0.35, 1);
}

/* Two lines for long names, so that neighbours do not meet. */
static void draw_axis(cairo_t *to, const struct chart_parallel *c, uint32_t axis)
{
    char name[CHART_NAME_BYTES];
    const struct chart_upright *u = &c->axis[axis];
    double x = axis_x(c, axis);
    chart_grey(to, 0.2);
    cairo_set_line_width(to, 0.8);
    chart_line(to, x, height_at(0), x, height_at(1));
    for (uint32_t i = 0; i < u->ticks; i++)
        draw_tick(to, u, i, x);
    chart_grey(to, 0);
    chart_short_name(u->label, name);
    chart_text(to, name,
               fmin(fmax(x, chart_text_width(to, name) / 2), WIDE - chart_text_width(to, name) / 2),
               axis % 2 ? HEAD - 8 : HEAD - 8 - CHART_FONT * 1.2, 0.5);
}

static void draw_parallel(cairo_t *to, void *ctx)
{
    const struct chart_parallel *c = ctx;
    double y = HEAD + PLOT_HEIGHT + FOOT - 8;
    cairo_set_line_join(to, CAIRO_LINE_JOIN_ROUND);
    draw_lines(to, c);
    for (uint32_t a = 0; a < c->axes; a++)
        draw_axis(to, c, a);
    cairo_set_source_rgb(to, 0, 0.45, 0.70);
    chart_text(to, c->legend, SIDE, y, 0);
    chart_grey(to, 0);
    chart_text(to, c->strong_legend, WIDE - SIDE, y, 1);
}

bool chart_parallel_write(const struct chart_parallel *c, enum chart_format format,
                          const char *path, struct error *e)
{
    assert(c->axes > 1);
    struct chart_parallel copy = *c;
    const struct picture p = {
        .width = WIDE, .height = HEAD + PLOT_HEIGHT + FOOT, .draw = draw_parallel, .ctx = &copy};
    return chart_file(&p, format, path, e);
}

/* --- bars --- */

struct bars {
    const struct chart_bars *c;
    double left, most;
};

static void plan_bars(cairo_t *to, void *ctx)
{
    struct bars *b = ctx;
    char name[CHART_NAME_BYTES];
    for (uint32_t i = 0; i < b->c->bars; i++) {
        chart_fitting_name(to, b->c->bar[i].name, NAMES_MAX, name);
        b->left = fmax(b->left, chart_text_width(to, name) + 2 * GAP);
        b->most = fmax(b->most, b->c->bar[i].share);
    }
}

static void draw_bars(cairo_t *to, void *ctx)
{
    const struct bars *b = ctx;
    char name[CHART_NAME_BYTES];
    double room = CHART_WIDTH - b->left - BEHIND;
    for (uint32_t i = 0; i < b->c->bars; i++) {
        const struct chart_bar *bar = &b->c->bar[i];
        const double *colour = chart_colour[bar->faint ? 7 : 1];
        double y = TOP + i * BAR, width = b->most > 0 ? room * bar->share / b->most : 0;
        cairo_set_source_rgb(to, colour[0], colour[1], colour[2]);
        cairo_rectangle(to, b->left, y + 3, width, BAR - 6);
        cairo_fill(to);
        chart_grey(to, 0);
        chart_fitting_name(to, bar->name, NAMES_MAX, name);
        chart_text(to, name, b->left - GAP, y + BAR / 2 + CHART_FONT * 0.35, 1);
        chart_text(to, bar->text, b->left + width + GAP, y + BAR / 2 + CHART_FONT * 0.35, 0);
    }
    cairo_set_line_width(to, 0.8);
    chart_grey(to, 0.2);
    chart_line(to, b->left, TOP, b->left, TOP + b->c->bars * BAR);
    chart_grey(to, 0);
    chart_text(to, b->c->label, CHART_WIDTH / 2, TOP + b->c->bars * BAR + LABEL / 2, 0.5);
}

bool chart_bars_write(const struct chart_bars *c, enum chart_format format, const char *path,
                      struct error *e)
{
    assert(c->bars > 0);
    struct bars b = {.c = c};
    chart_measure(plan_bars, &b);
    const struct picture p = {
        .width = CHART_WIDTH, .height = TOP + c->bars * BAR + LABEL, .draw = draw_bars, .ctx = &b};
    return chart_file(&p, format, path, e);
}

#else

bool chart_parallel_write(const struct chart_parallel *c, enum chart_format format,
                          const char *path, struct error *e)
{
    (void)c, (void)format;
    return chart_no_cairo(path, e);
}

bool chart_bars_write(const struct chart_bars *c, enum chart_format format, const char *path,
                      struct error *e)
{
    (void)c, (void)format;
    return chart_no_cairo(path, e);
}

#endif
