/* sweep_import.h - plumb sweep import: reads a profiler's counters into a sweep's database. */
#ifndef PLUMB_CLI_SWEEP_SWEEP_IMPORT_H
#define PLUMB_CLI_SWEEP_SWEEP_IMPORT_H

#include "cli/parse/args.h"
#include "sweeps/plan/plan.h"

/* sweep_what_to_collect: prints the command line for that tool, which is one of COLLECT_TOOLS. */
int sweep_what_to_collect(const char *tool);
int sweep_import(const struct args *a, const struct plan *p);

#endif
