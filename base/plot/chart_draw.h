/* chart_draw.h - what all kinds of charts draw with: text, lines, colours, files.
 *
 * Everything is measured in points; a PNG has 2.5 pixels in each.  Inside base alone; without cairo
 * there is nothing but the refusal. */
#ifndef PLUMB_BASE_PLOT_CHART_DRAW_H
#define PLUMB_BASE_PLOT_CHART_DRAW_H

#include "base/plot/chart.h"

#ifdef PLUMB_CAIRO

#include <cairo.h>

#define CHART_WIDTH 480.0
#define CHART_FONT 10.5
enum { CHART_NAME_BYTES = 48 };

extern const double chart_colour[CHART_SERIES_MAX][3]; /* Okabe and Ito's, black first */

void chart_font(cairo_t *to);
double chart_text_width(cairo_t *to, const char *s);
/* at: 0 = begins at x, 0.5 = centred, 1 = ends there. */
void chart_text(cairo_t *to, const char *s, double x, double y, double at);
void chart_text_up(cairo_t *to, const char *s, double x, double y);
/* Cut at a whole character where it is longer than CHART_NAME_BYTES. */
void chart_short_name(const char *s, char out[CHART_NAME_BYTES]);
/* The same, and no wider than that. */
void chart_fitting_name(cairo_t *to, const char *s, double width, char out[CHART_NAME_BYTES]);
/* 2500, 25k, 1.5M: longer ones would run into the axis' label. */
void chart_number(double v, char out[32]);
void chart_grey(cairo_t *to, double v);
void chart_line(cairo_t *to, double x0, double y0, double x1, double y1);

struct picture {
    double width, height;
    void (*draw)(cairo_t *to, void *ctx); /* on white, with chart_font set */
    void *ctx;
};
bool chart_file(const struct picture *p, enum chart_format format, const char *path,
                struct error *e);
/* For what must be known before the size is: measure may ask for widths and draws nothing. */
void chart_measure(void (*measure)(cairo_t *to, void *ctx), void *ctx);

#else

bool chart_no_cairo(const char *path, struct error *e); /* false, *e set */

#endif
#endif
