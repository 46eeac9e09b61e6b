/* constants.h - the tuned numbers of the functional GPU; see base/constant.h. */
#pragma once

#include "base/constant.h"

#define FUNCTIONAL_CONSTANTS(X)                                                                    \
    X(WHOLE, EFFORT, SAMPLE, FLUID_QUANTUM, 16, "cycles",                                          \
      "that an SM goes on in the functional pass before the next one does, at most",               \
      "chosen by hand; not felt on rx540, where half an L2 hit is the limit")                      \
    X(WHOLE, THRESHOLD, LONG, SERVES_FROM, 5000000, "instructions",                                \
      "of a program from which bounded walks are tried", "chosen by hand, no source")              \
    X(WHOLE, THRESHOLD, LONG, SERVES_PART, 24, "1",                                                \
      "part of a program that no bounded walk takes more than", "chosen by hand, no source")       \
    X(WHOLE, THRESHOLD, LONG, SERVES_WINDOWS, 7000, "instructions per warp",                       \
      "for which a window is expected: a 32nd of the program in windows of 220",                   \
      "32 times 220, rounded; both chosen by hand")                                                \
    X(WHOLE, THRESHOLD, LONG, WARMING_GROWTH, 50, "1",                                             \
      "part of the L2's lines: if lines in use grow by less, the walk before a window is "         \
      "long enough",                                                                               \
      "chosen by hand, no source")                                                                 \
    X(WHOLE, MODEL, LONG, WARMING_WAVES, 2, "waves",                                               \
      "of CTAs that a walk before a window takes at least",                                        \
      "warps fall out of step within the first one")                                               \
    X(WHOLE, THRESHOLD, LONG, WARMING_INSIDE, 8, "waves",                                          \
      "of a launch from which walks may begin inside it", "chosen by hand, no source")             \
    X(WHOLE, EFFORT, LONG, PROBE_WAVES, 32, "waves", "that are searched for slow changes at most", \
      "chosen by hand, no source")                                                                 \
    X(WHOLE, EFFORT, LONG, PROBE_PART, 16, "1",                                                    \
      "such a part of the launch is searched if that is less", "chosen by hand, no source")        \
    X(WHOLE, EFFORT, LONG, PROBE_LEAST, 4, "waves", "that are searched for slow changes at least", \
      "chosen by hand, no source")                                                                 \
    X(REAL, THRESHOLD, LONG, PROBE_HITS, 0.03, "1",                                                \
      "change of the L2's hit rate that makes a walk longer", "chosen by hand, no source")         \
    X(REAL, THRESHOLD, LONG, PROBE_CLOCK, 0.05, "1",                                               \
      "relative change of the pass's clock that makes a walk longer", "chosen by hand, no source")

FUNCTIONAL_CONSTANTS(CONSTANT_DEFINE)
