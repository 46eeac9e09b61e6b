/* figures.h - pictures of the curves: the machine's as lines, measured ones as points. */
#pragma once

#include "base/error.h"
#include "base/plot/chart.h"
#include "cards/probe/curve.h"

/* Writes FOLDER/GPU-EXPERIMENT.svg (or .png) for every curve; measured may be NULL.  *written
 * counts the files. */
bool probe_figures(const struct probe_curves *ours, const struct probe_curves *measured,
                   const char *folder, enum chart_format format, uint32_t *written,
                   struct error *e);
