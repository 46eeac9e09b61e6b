/* auto_error.h - how far off engine auto's answers are, found at points that were drawn.
 *
 * Most points are simulated because they may be good: they lie together, and with one of them left
 * out the others still say it.  What is left out among them tells nothing of points far away, and
 * a predictor that was taught there is too sure elsewhere.  The points drawn evenly over the
 * design (auto_model.even) stand for all others: their error left out, and what it may be off as
 * they are few, is the stated one, and each program's standard errors are widened until the runs
 * that are not known are said to err as much on average (never narrowed).  Half of a program's
 * factor is its own, half that of all programs, as the points are few. */
#ifndef PLUMB_SWEEPS_AUTO_AUTO_ERROR_H
#define PLUMB_SWEEPS_AUTO_AUTO_ERROR_H

#include "sweeps/auto/auto_model.h"

/* Widens m->beliefs and sets m->left_out; without even points nothing is widened. */
bool auto_doubt(struct auto_model *m, struct error *e);

#endif
