/* auto_error.h - the error of engine auto's answers, measured at points that were drawn evenly.
 *
 * Most points are simulated because they may be good.  They lie close together, so leave-one-out
 * errors among them say nothing about distant points, and a predictor fitted to them is
 * overconfident elsewhere.  The points drawn evenly over the design (auto_model.even) represent all
 * others: the stated error is their leave-one-out error plus an allowance for their small number.
 * Each program's standard errors are widened (never narrowed) until the mean error that they imply
 * for the unknown runs equals the stated one.  As the points are few, half of a program's factor is
 * its own and half that of all programs. */
#pragma once

#include "sweeps/auto/auto_model.h"

/* Widens the standard errors in m->predictions and sets m->left_out; without even points it widens
 * nothing. */
bool auto_doubt(struct auto_model *m, struct error *e);
