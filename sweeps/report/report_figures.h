/* report_figures.h - draws the report's plots as figures for papers: the trade-off with its Pareto
 * front, the objective along each numeric axis, a cheaper engine against a more expensive one,
 * which axis matters, parallel coordinates, programs by each axis.  figures.sql describes them over
 * the data of the page: the sweep's answers, means over all programs. */
#pragma once

#include "base/error.h"
#include "base/plot/chart.h"
#include "sweeps/analyse/results.h"

#include <stdbool.h>
#include <stdint.h>

/* Writes the figures into the folder, which it creates; *written: how many.  Figures without data
 * are left out. */
bool report_figures(const struct results *r, enum chart_format format, const char *folder,
                    uint32_t *written, struct error *e);
