/* chart_heat.c - see chart.h: heat maps. */
#include "base/plot/chart_draw.h"

#ifdef PLUMB_CAIRO

#include <assert.h>
#include <math.h>
#include <stdio.h>

static const double TOP = 10, CELL = 19, LABEL = 20, NAMES_MAX = 150, GAP = 6, SCALE = 66,
                    STRIP = 12, LEAST = 0.05, TILT = 0.6;
enum { NUMBERS_MAX = 14, STEPS = 40 };

struct heat {
    const struct chart_heat *c;
    double left, cell, heading; /* heading: room for the columns' names */
    double most;                /* the largest |log2| */
    bool tilted;
};

static double height_of(const struct heat *h)
{
    double map = h->c->rows * CELL;
    return ceil(fmax(TOP + map + h->heading + LABEL, 2 * TOP + SCALE));
}

static double swing(double ratio)
{
    return ratio > 0 ? fabs(log2(ratio)) : 0;
}

static void plan_heat(cairo_t *to, void *ctx)
{
    struct heat *h = ctx;
    const struct chart_heat *c = h->c;
    char name[CHART_NAME_BYTES];
    double widest = 0;
    h->left = 0;
    for (uint32_t i = 0; i < c->rows; i++) {
        chart_fitting_name(to, c->row[i], NAMES_MAX, name);
        h->left = fmax(h->left, chart_text_width(to, name) + 2 * GAP);
    }
    h->cell = (CHART_WIDTH - h->left - SCALE) / c->columns;
    for (uint32_t i = 0; i < c->columns; i++) {
        chart_short_name(c->column[i], name);
        widest = fmax(widest, chart_text_width(to, name));
    }
    h->tilted = widest + 4 > h->cell;
    h->heading = h->tilted ? widest * sin(TILT) + 2 * GAP : CHART_FONT + GAP;
    h->most = LEAST;
    for (uint32_t i = 0; i < c->rows * c->columns; i++)
        h->most = fmax(h->most, swing(c->value[i]));
}

/* good: -1 (worst) to 1 (best). */
static void set_colour(cairo_t *to, double good)
{
    const double *end = chart_colour[good > 0 ? 1 : 2];
    double t = fmin(fabs(good), 1);
    cairo_set_source_rgb(to, 0.96 + t * (end[0] - 0.96), 0.96 + t * (end[1] - 0.96),
                         0.96 + t * (end[2] - 0.96));
}

static double goodness(const struct heat *h, double ratio)
{
    return (h->c->more ? 1 : -1) * log2(ratio) / h->most;
}

static void draw_cell(cairo_t *to, const struct heat *h, uint32_t row, uint32_t column)
{
    char text[32];
    double v = h->c->value[row * h->c->columns + column];
    double x = h->left + column * h->cell, y = TOP + row * CELL;
    if (!(v > 0)) return;
    set_colour(to, goodness(h, v));
    cairo_rectangle(to, x, y, h->cell, CELL);
    cairo_fill(to);
    if (h->c->columns > NUMBERS_MAX) return;
    snprintf(text, sizeof text, v >= 99.5 ? "%.0f" : v >= 9.95 ? "%.1f" : "%.2f", v);
    if (chart_text_width(to, text) > h->cell) return;
    chart_grey(to, fabs(goodness(h, v)) > 0.6 ? 1 : 0);
    chart_text(to, text, x + h->cell / 2, y + CELL / 2 + CHART_FONT * 0.35, 0.5);
}

static void draw_names(cairo_t *to, const struct heat *h)
{
    char name[CHART_NAME_BYTES];
    const struct chart_heat *c = h->c;
    double bottom = TOP + c->rows * CELL;
    /* so many that their texts would touch are thinned out */
    uint32_t step = (uint32_t)ceil((CHART_FONT + 2) / (h->tilted ? h->cell * sin(TILT) : h->cell));
    chart_grey(to, 0);
    for (uint32_t i = 0; i < c->rows; i++) {
        chart_fitting_name(to, c->row[i], NAMES_MAX, name);
        chart_text(to, name, h->left - GAP, TOP + (i + 0.5) * CELL + CHART_FONT * 0.35, 1);
    }
    for (uint32_t i = 0; i < c->columns; i += h->tilted ? step : 1) {
        chart_short_name(c->column[i], name);
        cairo_save(to);
        cairo_translate(to, h->left + (i + 0.5) * h->cell, bottom + CHART_FONT + 1);
        if (h->tilted) cairo_rotate(to, -TILT);
        chart_text(to, name, 0, 0, h->tilted ? 1 : 0.5);
        cairo_restore(to);
    }
    chart_text(to, c->label, (h->left + CHART_WIDTH - SCALE) / 2, height_of(h) - 6, 0.5);
}

/* The colours' scale at the right, the best at its top. */
static void draw_scale(cairo_t *to, const struct heat *h)
{
    char text[2][32];
    double x = CHART_WIDTH - SCALE + 2 * GAP, top = TOP, end = exp2(h->most);
    for (int i = 0; i < STEPS; i++) {
        set_colour(to, 1 - 2 * (i + 0.5) / STEPS);
        cairo_rectangle(to, x, top + i * SCALE / STEPS, STRIP, SCALE / STEPS + 0.3);
        cairo_fill(to);
    }
    snprintf(text[0], sizeof text[0], "%.3g", h->c->more ? end : 1 / end);
    snprintf(text[1], sizeof text[1], "%.3g", h->c->more ? 1 / end : end);
    chart_grey(to, 0);
    chart_text(to, text[0], x + STRIP + 3, top + CHART_FONT, 0);
    chart_text(to, "1", x + STRIP + 3, top + SCALE / 2 + CHART_FONT * 0.35, 0);
    chart_text(to, text[1], x + STRIP + 3, top + SCALE, 0);
}

static void draw_heat(cairo_t *to, void *ctx)
{
    const struct heat *h = ctx;
    for (uint32_t r = 0; r < h->c->rows; r++)
        for (uint32_t k = 0; k < h->c->columns; k++)
            draw_cell(to, h, r, k);
    draw_names(to, h);
    draw_scale(to, h);
}

bool chart_heat_write(const struct chart_heat *c, enum chart_format format, const char *path,
                      struct error *e)
{
    assert(c->rows > 0 && c->columns > 0);
    struct heat h = {.c = c};
    chart_measure(plan_heat, &h);
    const struct picture p = {
        .width = CHART_WIDTH, .height = height_of(&h), .draw = draw_heat, .ctx = &h};
    return chart_file(&p, format, path, e);
}

#else

bool chart_heat_write(const struct chart_heat *c, enum chart_format format, const char *path,
                      struct error *e)
{
    (void)c, (void)format;
    return chart_no_cairo(path, e);
}

#endif
