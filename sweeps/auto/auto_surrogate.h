/* auto_surrogate.h - the second of engine auto's two predictors: it learns, for each program alone,
 * the error of the estimates as a function of the axes and of the estimate itself (surrogate.h; the
 * axes and the columns derived from them: auto_columns.h).
 *
 * The calibration (calibration/calibrate.h) knows the machine's physics and transfers
 * between programs, so it predicts better while few points are simulated.  The surrogate has a
 * length scale for each axis and a linear term, so it predicts better with some tens of points,
 * above all the differences between similar points, which decide the list of the best.  For each
 * program the predictor with the smaller leave-one-out error is used. */
#pragma once

#include "sweeps/auto/auto_model.h"

/* Replaces the predictions of unknown runs, and m->left of the known ones, for the programs where
 * the surrogate has the smaller leave-one-out error. */
bool auto_surrogate_revise(struct auto_model *m, struct error *e);
