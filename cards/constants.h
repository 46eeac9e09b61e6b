/* constants.h - the tuned numbers of probes and fits to cards; see base/constant.h. */
#pragma once

#include "base/constant.h"

#define CARDS_CONSTANTS(X)                                                                        \
    X(WHOLE, EFFORT, TEXT, PROBE_CHASE_LOADS, 4096, "loads",                                      \
      "of a pointer chase that are measured",                                                     \
      "two halves agree within 1 % on a random mix of hits")                                      \
    X(WHOLE, EFFORT, TEXT, PROBE_CHASE_SETTLE, 64, "loads",                                       \
      "of a pointer chase in detail before them", "as many as are in flight at most, 64 times")   \
    X(WHOLE, EFFORT, TEXT, PROBE_CHASE_WARM, 8192, "loads", "that warm caches and TLBs at least", \
      "several times the entries of the largest TLB")                                             \
    X(REAL, EFFORT, TEXT, PROBE_CHASE_FAR, 4, "1",                                                \
      "times all caches, from which on a ring finds nothing in them",                             \
      "random replacement keeps a fiftieth of it, LRU nothing")                                   \
    X(REAL, EFFORT, TEXT, PROBE_FILLS, 1.5, "1",                                                  \
      "of the caches' capacity that a kernel has touched before it is measured",                  \
      "from 1 on all lines are the kernel's; hashes spread them unevenly")                        \
    X(WHOLE, EFFORT, TEXT, PROBE_STREAM_WARM, 3, "waves", "of CTAs before those in detail",       \
      "warps fall out of step within the first")                                                  \
    X(WHOLE, EFFORT, TEXT, PROBE_STREAM_MOST, 4096, "waves", "of CTAs at most",                   \
      "so little parallelism does not feel what else the caches hold")                            \
    X(WHOLE, EFFORT, TEXT, PROBE_STREAM_SETTLE, 2, "waves", "of CTAs in detail before measuring", \
      "chosen by hand")                                                                           \
    X(WHOLE, EFFORT, TEXT, PROBE_STREAM_WAVES, 4, "waves", "of CTAs that are measured at least",  \
      "chosen by hand; the halves of the measured part are compared")                             \
    X(REAL, EFFORT, TEXT, PROBE_STREAM_THREADS, 262144, "threads", "that are measured at least",  \
      "65,536 sectors or more")                                                                   \
    X(WHOLE, EFFORT, TEXT, PROBE_READ_LOADS, 131072, "warp loads",                                \
      "of cached blocks that are measured", "a million sectors")                                  \
    X(WHOLE, EFFORT, TEXT, PROBE_SHARED_PAIRS, 32, "pairs of loads of a warp",                    \
      "of shared buffers that are measured at least", "chosen by hand")                           \
    X(WHOLE, EFFORT, TEXT, PROBE_STRIDE_STEPS, 64, "steps of 8 loads of a warp",                  \
      "that are measured of a stride", "chosen by hand")                                          \
    X(WHOLE, EFFORT, TEXT, PROBE_WATCH, 256, "core cycles", "between looks at the rate",          \
      "chosen by hand")                                                                           \
    X(REAL, EFFORT, TEXT, PROBE_REACH, 8, "1", "times the last cache that a curve reaches",       \
      "a random ring then hits an eighth at most")                                                \
    X(REAL, THRESHOLD, TEXT, PROBE_STEADY, 0.05, "1",                                             \
      "by which the rates of two halves of a steady point differ at most", "chosen by hand")      \
    X(WHOLE, EFFORT, TEXT, PROBE_LONGER, 2, "1",                                                  \
      "times longer is a point run that was not steady", "chosen by hand")                        \
    X(WHOLE, EFFORT, TEXT, PROBE_LONGEST, 4, "1", "times longer at most", "chosen by hand")       \
    X(REAL, THRESHOLD, TEXT, PROBE_FLAT, 0.03, "1",                                               \
      "by which the values of a curve's plateau differ at most",                                  \
      "twice the scatter of measured curves")                                                     \
    X(REAL, THRESHOLD, TEXT, PROBE_SPAN, 1.4, "1", "of a plateau's x at least",                   \
      "half a doubling of a buffer")                                                              \
    X(REAL, THRESHOLD, TEXT, PROBE_APART, 0.10, "1", "between two plateaus' values at least",     \
      "chosen by hand")                                                                           \
    X(REAL, THRESHOLD, TEXT, PROBE_JUMP, 0.04, "1",                                               \
      "between two neighbours' values from which a point between them is run", "chosen by hand")  \
    X(REAL, THRESHOLD, TEXT, PROBE_NEAR, 1.04, "1",                                               \
      "between two neighbours' x below which none is run between them", "chosen by hand")         \
    X(REAL, THRESHOLD, TEXT, PROBE_FIT_CLOSE, 0.6, "cycles",                                      \
      "from a plateau within which a latency is not fitted", "whole cycles are half a cycle off") \
    X(REAL, THRESHOLD, TEXT, PROBE_FIT_SLOPE, 0.05, "cycles per unit",                            \
      "of a parameter above which it is fitted", "others have no effect on the chase")            \
    X(REAL, THRESHOLD, TEXT, PROBE_RAMP, 0.9, "1", "of saturation below which a stream ramps up", \
      "chosen by hand")

CARDS_CONSTANTS(CONSTANT_DEFINE)
