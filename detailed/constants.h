/* constants.h - the tuned numbers of the cycle model, none of which is a latency or a width: those
 * are parameters.  See base/constant.h. */
#pragma once

#include "base/constant.h"

#define DETAILED_CONSTANTS(X)                                                             \
    X(REAL, EFFORT, SIMULATE, ROOTS_PERIOD, 61.382, "cycles",                             \
      "of the core between two looks at what sub-cores wait for",                         \
      "a prime and some, so that it keeps step with no loop")                             \
    X(WHOLE, THRESHOLD, SIMULATE, WATCHDOG_CYCLES, 2000000, "cycles",                     \
      "without progress after which a simulation is given up",                            \
      "more than queues hold before a network of one cycle each")                         \
    X(WHOLE, THRESHOLD, SIMULATE, WATCHDOG_WAITS, 16, "1",                                \
      "and so many times the machine's longest latency",                                  \
      "a chain of waits: refreshes before an activation before a burst")                  \
    X(WHOLE, EFFORT, SIMULATE, ANNOUNCED_SMS, 24, "SMs",                                  \
      "from which what replies touch is announced to the host's caches",                  \
      "measured: fwt took 10 % longer otherwise on 8 SMs (docs/notebook/performance.md)") \
    X(WHOLE, EFFORT, SIMULATE, TEAM_WORTH, 16, "objects",                                 \
      "due in a cycle, from which several threads step a kind of them",                   \
      "measured: two threads take 1.5 times as long for 8 SMs, 0.6 to 0.7 for 80")        \
    X(WHOLE, EFFORT, SIMULATE, SHARES_PER_THREAD, 4, "shares",                            \
      "into which the objects of a kind are divided for each thread", "chosen by hand, no source")

DETAILED_CONSTANTS(CONSTANT_DEFINE)
