/* auto_surrogate.h - the second of engine auto's two predictors: what the estimates of a program
 * are off, as a function of the axes and of the estimate itself, learned for each program alone
 * (surrogate.h; the axes and what follows from them: auto_columns.h).
 *
 * The calibration (sampler/calibration/calibrate.h) knows the machine's physics and carries over
 * between programs: it says more where few points are simulated.  The surrogate has a reach of its
 * own for each axis and a plane through them: it says more where some tens are, above all of
 * differences between points that are much alike, which the list of the best is made of.  Program
 * by program the one with the smaller error left out is believed. */
#ifndef PLUMB_SWEEPS_AUTO_AUTO_SURROGATE_H
#define PLUMB_SWEEPS_AUTO_AUTO_SURROGATE_H

#include "sweeps/auto/auto_model.h"

/* Replaces the beliefs of unknown runs, and m->left of the known ones, where the surrogate errs
 * less with each run left out. */
bool auto_surrogate_revise(struct auto_model *m, struct error *e);

#endif
