/* sweep_import.h - plumb sweep import: reads a profiler's counters into a sweep's database. */
#pragma once

#include "cli/parse/args.h"
#include "sweeps/plan/plan.h"

/* sweep_what_to_collect: prints the command line for that tool, which is one of COLLECT_TOOLS. */
int sweep_what_to_collect(const char *tool);
int sweep_import(const struct args *a, const struct plan *p);
