/* gnuplot.h - runs gnuplot over a script and keeps the picture that it writes.
 *
 * gnuplot is looked for on the PATH when a picture is drawn; without it the call refuses with one
 * clear line.  The same script gives the same bytes. */
#ifndef PLUMB_BASE_PLOT_GNUPLOT_H
#define PLUMB_BASE_PLOT_GNUPLOT_H

#include "base/plot/chart.h"
#include "base/text/text.h"

/* A command, or the part of one, that ends in any text: quoted, and cut at a whole character where
 * it is longer than `most` bytes. */
void gnuplot_string(struct text *script, const char *command, const char *s, int most);
/* A tick of that text on an axis, whose own ones "set xtics ()" removes. */
void gnuplot_tick(struct text *script, char axis, const char *s, int most, double at);
/* width, height: in points; a PNG has 2.5 pixels in each. */
bool gnuplot_draw(const struct text *script, int width, int height, enum chart_format format,
                  const char *path, struct error *e);

#endif
