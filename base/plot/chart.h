/* chart.h - pictures for papers, as SVG or PNG, drawn by gnuplot: lines, points, cells and bars
 * over two axes, and texts among them.
 *
 * The caller sets title and axes, adds series, points and names in data units, and writes. The
 * chart adds grid, ticks, colours and dashes that can be told apart in grey, too, and a legend
 * below where two series have names. What lies outside a given range is clipped. The same calls
 * give the same bytes. Texts are shortened. Without gnuplot chart_write refuses with a one-line
 * error. The caller frees with chart_fini. */
#pragma once

#include "base/error.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stdint.h>

enum chart_scale { CHART_LINEAR, CHART_LOG2, CHART_LOG10 };   /* values not above 0: linear */
enum chart_unit { CHART_NUMBER, CHART_BYTES, CHART_PERCENT }; /* 65536: 64 KiB; 0.2: 20 % */

struct chart_axis {
    const char *label;
    enum chart_scale scale;
    enum chart_unit unit;
    double lo, hi; /* lo = hi: the range of the data with a margin; lo > hi: the axis is turned */
    /* what the data span; whether places on it have names */
    double least, most;
    bool any, named;
};

enum chart_mark {
    CHART_LINES,  /* a point that is not finite ends a line */
    CHART_POINTS, /* a point that is not finite is omitted */
    CHART_CELLS,  /* one wide and high around (x, y); colour: -most (worst) to most (best) */
    CHART_BARS    /* from 0 to x around y; colour: RGB */
};
enum chart_side { CHART_CENTRE, CHART_LEFT, CHART_RIGHT }; /* which side of a text lies at (x, y) */

struct chart {
    const char *title; /* NULL: none */
    struct chart_axis x, y;
    double width, height; /* in points without title and legend; 0: 480 and 300 */
    bool bare;            /* no frame, no grid, no ticks but names; x.label stands at the foot */
    double tilt;          /* names along x are tilted and take that many points; 0: level */
    bool more;            /* of cells, which are log2 of a ratio: a larger ratio is better */
    /* the script so far */
    struct text data, plot, top, marks;
    uint32_t n, named;
    size_t longest;
    double swing; /* the largest |colour| of cells */
    enum chart_mark mark;
};

enum chart_format { CHART_SVG, CHART_PNG };

/* Begins a series, whose points follow. name: in the legend; NULL: it has no place there.
 * rgb: each point of a line brings its colour; else colours and dashes are the chart's. */
void chart_series(struct chart *c, enum chart_mark mark, const char *name, bool rgb);
void chart_point(struct chart *c, double x, double y, double colour);
/* Adds a text at a place; rgb: such as 0xffffff. */
void chart_text(struct chart *c, double x, double y, enum chart_side side, uint32_t rgb,
                const char *text);
/* Names a place on an axis ('x' or 'y') instead of the axis' numbers. */
void chart_tick(struct chart *c, char axis, double at, const char *text);

/* Needs at least one series. */
bool chart_write(struct chart *c, enum chart_format format, const char *path, struct error *e);
void chart_fini(struct chart *c);
