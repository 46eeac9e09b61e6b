/* auto_surrogate.h - the second of engine auto's two predictors: what the estimates of a program
 * are off, as a function of the axes and of the estimate itself, learned for each program alone
 * (surrogate.h).
 *
 * The calibration (sampler/calibrate.h) knows the machine's physics and carries over between
 * programs: it says more where few points are simulated.  The surrogate has a reach of its own for
 * each axis and a plane through them: it says more where some tens are, above all of differences
 * between points that are much alike, which the list of the best is made of.  Program by program
 * the one with the smaller error left out is believed. */
#ifndef PLUMB_SWEEPS_AUTO_SURROGATE_H
#define PLUMB_SWEEPS_AUTO_SURROGATE_H

#include "sweeps/auto_model.h"

/* Where the points lie: one column per axis of numbers (their logarithms over 0..1; 0 lies apart),
 * one per choice of an axis of names. */
struct columns {
    uint32_t width;
    double *x; /* [points][width] */
};
bool columns_make(struct columns *c, const struct plan *p, struct error *e);
void columns_fini(struct columns *c);

/* Replaces the beliefs of unknown runs where the surrogate errs less.  left_out[workloads]: the
 * mean error of the present beliefs with each run left out (NaN: not known), replaced likewise. */
bool auto_surrogate_revise(struct auto_model *m, double *left_out, struct error *e);

#endif
