/* chart.h - line and point charts for papers, as SVG or PNG from the same drawing code (cairo).
 *
 * The caller gives series in data units and axes with their range; the chart draws grid, ticks,
 * labels, the series in colours and dashes that stay apart in grey, too, and a legend below.  What
 * lies outside the range is cut off at the frame.  The same input gives the same bytes.
 *
 * Built without cairo, chart_write refuses with one clear line. */
#ifndef PLUMB_BASE_CHART_H
#define PLUMB_BASE_CHART_H

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
    const char *name; /* in the legend, cut where it is long */
    const double *x, *y;
    uint32_t n;
    enum chart_mark mark; /* points: what is not finite is left out */
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

#endif
