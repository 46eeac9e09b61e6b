/* constants.h - the tuned numbers of the base.  See base/constant.h. */
#pragma once

#include "base/constant.h"

#define BASE_CONSTANTS(X)                                                              \
    X(WHOLE, EFFORT, SIMULATE, TEAM_SPINS, 1000, "pauses",                             \
      "of a thread of a team that waits for work before it lets others have its core", \
      "chosen by hand, no source")                                                     \
    X(WHOLE, EFFORT, SIMULATE, TEAM_YIELDS, 100, "yields", "before it sleeps",         \
      "chosen by hand, no source")

BASE_CONSTANTS(CONSTANT_DEFINE)
