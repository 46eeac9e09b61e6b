/* report_figures.h - the report's plots as pictures for papers: the trade-off with its Pareto
 * front, the goal along each numeric axis, a cheaper engine against a dearer one, which axis
 * matters, parallel coordinates, programs by each axis.  Values as in the page: the sweep's
 * answers, means over all programs. */
#ifndef PLUMB_SWEEPS_REPORT_REPORT_FIGURES_H
#define PLUMB_SWEEPS_REPORT_REPORT_FIGURES_H

#include "base/error.h"
#include "base/plot/chart.h"
#include "sweeps/analyse/results.h"

#include <stdbool.h>
#include <stdint.h>

/* Into the folder, which is made; *written: how many.  What has nothing to show is left out. */
bool report_figures(const struct results *r, enum chart_format format, const char *folder,
                    uint32_t *written, struct error *e);

#endif
