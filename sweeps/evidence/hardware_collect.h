/* hardware_collect.h - the command line that makes a profiler collect what plumb compares. */
#ifndef PLUMB_SWEEPS_EVIDENCE_HARDWARE_COLLECT_H
#define PLUMB_SWEEPS_EVIDENCE_HARDWARE_COLLECT_H

#include "base/text/text.h"

#include <stdbool.h>

/* Names of the tools, separated by spaces. */
#define COLLECT_TOOLS "ncu nvprof rocprof rocprofv3"
/* false: no such tool. */
bool hardware_collect(const char *tool, struct text *out);

#endif
