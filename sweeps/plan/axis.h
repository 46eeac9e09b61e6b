/* axis.h - one entry of a sweep's axes: a parameter and the values it takes, or several parameters
 * that change together.
 *
 *   { path = "l2.bank_kb"; values = [128, 256]; }
 *   { path = "l2.mshr.entries"; range = [16, 256]; scale = "log2"; }
 *   { paths = ["l1.kb", "l1.ways"]; values = ( [16, 4], [32, 8] ); }      linked
 *   { path = "l2.frc.entries"; values = [16, 64]; when = "l2.miss == 'frc'"; }
 *
 * A range has `scale` and `points`: "linear" (the default) puts the points at equal distances,
 * "log2" at equal ratios; without `points` a log2 range of a grid doubles from lo to hi, and a
 * design that draws takes any value between the two.  Values of whole-number parameters are
 * rounded.  An axis with the same value twice is refused. */
#pragma once

#include "sweeps/plan/plan_reader.h"

/* Appends to the plan's axes, with dimension `dim`.  false: there were faults, and all are
 * recorded. */
bool axis_read(struct loading *l, const struct conf_node *n, uint32_t dim);
/* Reads the rows of a design "list": `points` holds the values, the axes (read by axis_read) only
 * have paths. */
bool axis_read_rows(struct loading *l, const struct conf_node *points);
