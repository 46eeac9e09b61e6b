/* constants.h - the tuned numbers of calibrations and ranges; see base/constant.h. */
#pragma once

#include "base/constant.h"

#define CALIBRATION_CONSTANTS(X)                                                                   \
    X(REAL, MODEL, CALIBRATE, TEACH_OF_SHARE, 0.1, "1",                                            \
      "weight of a difference of stations' shares beside one of the logarithm of cycles, in "      \
      "what runs teach",                                                                           \
      "chosen by hand, no source")                                                                 \
    X(REAL, MODEL, CALIBRATE, KERNEL_OFFSET, 0.2, "1", "prior deviation of a program's own error", \
      "mean errors of estimates are 10 to 20 %")                                                   \
    X(REAL, MODEL, CALIBRATE, KERNEL_NOISE, 0.02, "1", "what no smooth function says of a run",    \
      "second differences of log simulated cycles over noc.latency, 30 programs on rx540: root "   \
      "mean square 0.022")                                                                         \
    X(REAL, MODEL, CALIBRATE, KERNEL_TAIL, 3, "degrees of freedom",                                \
      "of the distribution of a program's errors",                                                 \
      "the fewest with a variance: likelihoods of less grow without end towards 2")                \
    X(REAL, MODEL, CALIBRATE, KERNEL_AMPLITUDE, 0.05, "1",                                         \
      "prior deviation of the part of a group of parameters", "chosen by hand, no source")         \
    X(REAL, MODEL, CALIBRATE, KERNEL_LENGTH, 1, "1",                                               \
      "prior length of a group's part: of a factor of e", "chosen by hand, no source")             \
    X(REAL, MODEL, CALIBRATE, KERNEL_USE_LENGTH, 0.5, "1",                                         \
      "prior length of the part of the use, which is shares", "chosen by hand, no source")         \
    X(REAL, MODEL, CALIBRATE, KERNEL_MACHINE_LENGTH, 4, "1",                                       \
      "prior length of the part of the whole machine", "presets are 5 to 15 apart")                \
    X(REAL, MODEL, CALIBRATE, KERNEL_PRIOR_SD, 1.5, "1", "deviation of the priors' logarithms",    \
      "chosen by hand: wide")                                                                      \
    X(WHOLE, EFFORT, CALIBRATE, KERNEL_STEPS, 60, "steps", "of BFGS for the kernel",               \
      "the likelihood moves by less than 1 afterwards")                                            \
    X(REAL, THRESHOLD, CALIBRATE, SIMILAR_MACHINES, 5, "1",                                        \
      "distance of machines (place.h) beyond which runs of one do not correct the other",          \
      "what-ifs of eight parameters are up to 4 apart, most presets 5 to 30; runs of other "       \
      "presets made estimates worse (20.4 for 18.3 %)")                                            \
    X(REAL, MODEL, CALIBRATE, NEAR_TIME, 0.02, "1",                                                \
      "change of the estimated cycles beside which smaller ones are alike, for ranges",            \
      "chosen by hand, no source")                                                                 \
    X(REAL, MODEL, CALIBRATE, NEAR_CORRECTION, 0.01, "1",                                          \
      "correction beside which smaller ones are alike, for ranges", "chosen by hand, no source")   \
    X(REAL, MODEL, CALIBRATE, RANGE_TAIL, 4, "degrees of freedom",                                 \
      "of Student's distribution of errors over their scale",                                      \
      "the usual robust choice: Lange, Little & Taylor 1989")                                      \
    X(REAL, MODEL, CALIBRATE, RANGE_RIDGE, 100, "cases",                                           \
      "that believe that no feature matters, at a weight of 1",                                    \
      "the likelihood of programs and machines left out of the learned half")                      \
    X(REAL, THRESHOLD, CALIBRATE, RANGE_NOTHING, 1e-3, "1", "error that is none",                  \
      "chosen by hand: a tenth of what anybody compares")                                          \
    X(REAL, THRESHOLD, TEXT, RANK_NEAR, 0.02, "1",                                                 \
      "relative difference below which the order of two designs is a matter of taste",             \
      "chosen by hand, no source")                                                                 \
    X(WHOLE, THRESHOLD, CALIBRATE, RANGE_CASES, 50, "cases", "from which a metric has a range",    \
      "the 95 % quantile is then below the second largest error")

CALIBRATION_CONSTANTS(CONSTANT_DEFINE)
