/* constants.h - the tuned numbers of the face of the three engines; see base/constant.h. */
#pragma once

#include "base/constant.h"

#define ENGINE_CONSTANTS(X)                                                                     \
    X(WHOLE, EFFORT, ESTIMATE, ANCHOR_INSTRUCTIONS, 4000000, "warp instructions",               \
      "up to which an anchor is simulated, and sampled beyond",                                 \
      "a few seconds of the cycle model")                                                       \
    X(WHOLE, EFFORT, ESTIMATE, ANCHOR_MOST, 16000000, "warp instructions",                      \
      "that an anchor may cost where nobody asked for it",                                      \
      "chosen by hand: one to two minutes of a core")                                           \
    X(REAL, THRESHOLD, TEXT, CAUSE_LEAST, 0.01, "1",                                            \
      "share of the time that a cause must save to be named", "chosen by hand, no source")      \
    X(REAL, THRESHOLD, TEXT, CAUSE_SATURATED, 0.85, "1",                                        \
      "utilization from which a station may hide another, so that pairs are tried",             \
      "chosen by hand, no source")                                                              \
    X(REAL, THRESHOLD, TEXT, CAUSE_PAIR_MORE, 0.02, "1",                                        \
      "share of the time that a pair must save beyond the better of the two",                   \
      "chosen by hand, no source")                                                              \
    X(REAL, EFFORT, TEXT, CAUSE_NOTHING, 0.005, "1",                                            \
      "share of the time below which a resource saves nothing, and those that it covers "       \
      "are not tried",                                                                          \
      "half of what is named; no cause is lost with 54 programs on three machines")             \
    X(WHOLE, EFFORT, TEXT, CAUSE_LAUNCHES, 24, "launches",                                      \
      "launches, at most, that stand for a program in the trials of what would help",           \
      "with 12, what 54 programs save on three machines moves by up to 1.8 points, with 24 by " \
      "0.7")                                                                                    \
    X(REAL, MARGIN, ESTIMATE, SAMPLED_CYCLES, 0.1, "1",                                         \
      "standard deviation of the logarithm of cycles that a sampled profile adds to an "        \
      "exact one's",                                                                            \
      "46 pairs: programs of the suites frc and mshr on rx540 and qv100")                       \
    X(REAL, MARGIN, ESTIMATE, SAMPLED_COUNTS, 0.3, "1",                                         \
      "the same of counts, as reads of the memory", "as SAMPLED_CYCLES; the widest count")      \
    X(REAL, THRESHOLD, SAMPLE, SHARED_WARPS, 1.5, "1",                                          \
      "ratio of resident warps up to which two machines share their intervals",                 \
      "chosen by hand, no source")

ENGINE_CONSTANTS(CONSTANT_DEFINE)
