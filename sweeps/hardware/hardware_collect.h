/* hardware_collect.h - writes the command line with which a profiler collects the counters that
 * plumb compares. */
#pragma once

#include "base/text/text.h"

#include <stdbool.h>

/* Names of the tools, separated by spaces. */
#define COLLECT_TOOLS "ncu nvprof opencl rocprof rocprofv3"
/* false: there is no such tool. */
bool hardware_collect(const char *tool, struct text *out);
