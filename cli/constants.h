/* constants.h - the tuned numbers of what is printed; see base/constant.h. */
#pragma once

#include "base/constant.h"

#define CLI_CONSTANTS(X)                                                                           \
    X(REAL, THRESHOLD, TEXT, WHY_TIME, 0.005, "1",                                                 \
      "relative difference of the time that is worth an explanation", "chosen by hand, no source") \
    X(REAL, THRESHOLD, TEXT, WHY_SHARE, 0.01, "1",                                                 \
      "share, or difference of shares, of a rate, a station or a wait that is worth a word",       \
      "chosen by hand, no source")                                                                 \
    X(REAL, THRESHOLD, TEXT, WHY_COUNT, 0.02, "1",                                                 \
      "relative difference of a count that is worth a word", "chosen by hand, no source")

CLI_CONSTANTS(CONSTANT_DEFINE)
