/* gnuplot.h - runs gnuplot on a script and returns its picture. gnuplot is looked for on the PATH
 * when a picture is drawn; without it the call refuses with a one-line error. The same script gives
 * the same bytes. */
#pragma once

#include "base/plot/chart.h"
#include "base/text/text.h"

/* Adds a command, or a part of one, that ends in a text: quoted, shown (shown.h), and shortened to
 * at most `most` bytes at a character boundary. */
void gnuplot_string(struct text *script, const char *command, const char *s, int most);
/* Adds a tick with that text to an axis whose automatic ticks "set xtics ()" has removed. */
void gnuplot_tick(struct text *script, char axis, const char *s, int most, double at);
/* width, height: in points; a PNG has 2.5 pixels in each. */
bool gnuplot_draw(const struct text *script, int width, int height, enum chart_format format,
                  const char *path, struct error *e);
