/* chart.h - line and point charts, heat maps, parallel coordinates and bars for papers, as SVG or
 * PNG, drawn by gnuplot.
 *
 * The caller gives series in data units and axes with their range; the chart draws grid, ticks,
 * labels, the series in colours and dashes that can be told apart in grey, too, and a legend below.
 * Data outside the range are clipped at the frame. The same input gives the same bytes. Without
 * gnuplot the calls refuse with a one-line error. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum chart_scale { CHART_LINEAR, CHART_LOG2, CHART_LOG10 };
enum chart_unit { CHART_NUMBER, CHART_BYTES, CHART_PERCENT }; /* bytes: "64 KB"; 0.2: "20 %" */

struct chart_axis {
    const char *label;
    double lo, hi; /* lo < hi; with a logarithmic scale both above 0 */
    enum chart_scale scale;
    enum chart_unit unit;
};

enum chart_mark { CHART_LINE, CHART_POINTS };

struct chart_series {
    const char *name; /* in the legend; long names are shortened */
    const double *x, *y;
    uint32_t n;
    enum chart_mark mark; /* points that are not finite are omitted */
};

enum { CHART_SERIES_MAX = 8 };

struct chart {
    const char *title; /* NULL: none */
    struct chart_axis x, y;
    const struct chart_series *series;
    uint32_t n; /* series, at most CHART_SERIES_MAX; the first is drawn strongest, on top */
};

enum chart_format { CHART_SVG, CHART_PNG };

bool chart_write(const struct chart *c, enum chart_format format, const char *path,
                 struct error *e);

/* A heat map of ratios on a logarithmic scale of colours, 1 in the middle; up to 14 columns have
 * their numbers in the cells. */
struct chart_heat {
    const char *label; /* below the columns */
    const char *const *row, *const *column;
    uint32_t rows, columns; /* at least 1 */
    const double *value;    /* [row * columns + column]; cells that are not above 0 stay empty */
    bool more;              /* larger values are better */
};

bool chart_heat_write(const struct chart_heat *c, enum chart_format format, const char *path,
                      struct error *e);

/* Parallel coordinates: one line per point over upright axes. */
struct chart_upright {
    const char *label;
    const char *const *tick; /* [ticks] texts beside the axis; NULL: the numbers lo to hi */
    const double *at;        /* [ticks] positions of the texts: 0 (bottom) to 1 (top) */
    double lo, hi;           /* range of the numbers */
    uint32_t ticks;          /* at least 2 for numbers */
};

struct chart_parallel {
    const struct chart_upright *axis;
    uint32_t axes, lines; /* axes: at least 2 */
    const double *at;     /* [line * axes + axis] 0 to 1; NaN: the line has a gap there */
    const double *rank;   /* [line] 0 (best, drawn last and darkest) to 1 */
    const bool *strong;   /* [line] drawn on top, in black */
    const char *legend, *strong_legend;
};

bool chart_parallel_write(const struct chart_parallel *c, enum chart_format format,
                          const char *path, struct error *e);

/* Horizontal bars, each followed by its share. */
struct chart_bar {
    const char *name;
    double share;     /* 0..1 */
    const char *text; /* after the bar */
    bool faint;
};

struct chart_bars {
    const char *label; /* below */
    const struct chart_bar *bar;
    uint32_t bars; /* at least 1 */
};

bool chart_bars_write(const struct chart_bars *c, enum chart_format format, const char *path,
                      struct error *e);
