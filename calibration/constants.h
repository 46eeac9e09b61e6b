/* constants.h - the tuned numbers of calibrations and ranges; see base/constant.h. */
#pragma once

#include "base/constant.h"

#define CALIBRATION_CONSTANTS(X)                                                                 \
    X(REAL, MODEL, CALIBRATE, TEACH_OF_SHARE, 0.1, "1",                                          \
      "weight of a difference of stations' shares beside one of the logarithm of cycles, in "    \
      "what runs teach",                                                                         \
      "chosen by hand, no source")                                                               \
    X(REAL, SOLVER, CALIBRATE, GP_JITTER, 1e-9, "1",                                             \
      "of a variance, added to the diagonal so that equal points do no harm", "rounding")        \
    X(WHOLE, EFFORT, CALIBRATE, LEARN_POINTS, 192, "points",                                     \
      "that lengths and amplitudes are learned from", "cost grows with their cube")              \
    X(WHOLE, EFFORT, CALIBRATE, LEARN_STEPS, 150, "steps", "of Adam for them",                   \
      "chosen by hand, no source")                                                               \
    X(REAL, SOLVER, CALIBRATE, ADAM_STEP, 0.1, "1", "length of a step of Adam in a logarithm",   \
      "chosen by hand, no source")                                                               \
    X(REAL, SOLVER, CALIBRATE, ADAM_FIRST, 0.9, "1", "decay of the first moment",                \
      "Kingma & Ba 2015")                                                                        \
    X(REAL, SOLVER, CALIBRATE, ADAM_SECOND, 0.99, "1", "decay of the second moment",             \
      "Kingma & Ba 2015 have 0.999; fewer steps here")                                           \
    X(REAL, SOLVER, CALIBRATE, ADAM_LEAST, 1e-8, "1", "added to the root of the second moment",  \
      "Kingma & Ba 2015")                                                                        \
    X(WHOLE, EFFORT, CALIBRATE, CROSS_FOLDS, 4, "folds",                                         \
      "of the cross-validation of the residuals' process", "chosen by hand, no source")          \
    X(WHOLE, THRESHOLD, CALIBRATE, CROSS_POINTS, 16, "points", "below which there is none",      \
      "chosen by hand, no source")                                                               \
    X(WHOLE, THRESHOLD, CALIBRATE, LEVEL_POINTS, 3, "points",                                    \
      "of a program from which a constant may serve for it", "chosen by hand, no source")        \
    X(REAL, MODEL, CALIBRATE, LEVEL_BELIEF, 0.3, "points",                                       \
      "that believe that a program's level is 0", "chosen by hand, no source")                   \
    X(REAL, MODEL, CALIBRATE, STRETCH_BELIEF, 10, "points",                                      \
      "that believe that the process's deviations are right", "chosen by hand, no source")       \
    X(REAL, MODEL, CALIBRATE, STRETCH_LEAST, 0.5, "1",                                           \
      "by which deviations are shortened at most, at the 95 % quantile",                         \
      "chosen by hand, no source")                                                               \
    X(REAL, THRESHOLD, CALIBRATE, ESTIMATE_REACH, 2, "1",                                        \
      "deviations of a program's estimates beyond which the process is not extrapolated",        \
      "trained estimates hardly lie further out")                                                \
    X(REAL, MODEL, CALIBRATE, ESTIMATE_WEIGHT, 0.3, "1",                                         \
      "of a program's estimates, in their deviations, in the process's distance",                \
      "their spread is then about 1 from end to end")                                            \
    X(REAL, MODEL, CALIBRATE, RESIDUAL_NOISE, 0.02, "1",                                         \
      "prior of what no smooth function says of a run", "chosen by hand, no source")             \
    X(REAL, MODEL, CALIBRATE, RESIDUAL_LENGTH, 0.5, "1", "prior length of the term by features", \
      "chosen by hand, no source")                                                               \
    X(REAL, MODEL, CALIBRATE, RESIDUAL_WEIGHT, 0.1, "1",                                         \
      "prior deviation of the terms by features, by programs' axes and of programs' "            \
      "constants",                                                                               \
      "chosen by hand, no source")                                                               \
    X(REAL, MODEL, CALIBRATE, RESIDUAL_COMMON, 0.05, "1",                                        \
      "prior deviation of the terms by axes that programs share and of the plane",               \
      "chosen by hand, no source")                                                               \
    X(REAL, THRESHOLD, CALIBRATE, CONTRADICTED, 2.5, "1",                                        \
      "standard deviations from which a point is contradicted by the others",                    \
      "chosen by hand, no source")                                                               \
    X(WHOLE, EFFORT, CALIBRATE, LEARN_ROUNDS, 3, "rounds",                                       \
      "of learning while points turn out to be contradicted", "chosen by hand, no source")       \
    X(REAL, MODEL, CALIBRATE, RANGE_TAIL, 4, "degrees of freedom",                               \
      "of Student's distribution of errors over their scale",                                    \
      "the usual robust choice: Lange, Little & Taylor 1989")                                    \
    X(REAL, MODEL, CALIBRATE, RANGE_RIDGE, 100, "cases",                                         \
      "that believe that no feature matters, at a weight of 1",                                  \
      "the likelihood of programs and machines left out of the learned half")                    \
    X(REAL, THRESHOLD, CALIBRATE, RANGE_NOTHING, 1e-3, "1", "error that is none",                \
      "chosen by hand: a tenth of what anybody compares")                                        \
    X(REAL, THRESHOLD, TEXT, RANK_NEAR, 0.02, "1",                                               \
      "relative difference below which the order of two designs is a matter of taste",           \
      "chosen by hand, no source")                                                               \
    X(REAL, MODEL, CALIBRATE, ORDER_WORSE, 0.03, "1",                                            \
      "of Kendall's tau that a correction may lose at points left out before it is not used",    \
      "what the order's measure loses by chance with some 30 pairs")                             \
    X(WHOLE, THRESHOLD, CALIBRATE, RANGE_CASES, 50, "cases", "from which a metric has a range",  \
      "the 95 % quantile is then below the second largest error")

CALIBRATION_CONSTANTS(CONSTANT_DEFINE)
