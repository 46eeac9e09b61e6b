/* sweep_import.h - plumb sweep import: a profiler's counters into a sweep's database. */
#ifndef PLUMB_CLI_SWEEP_IMPORT_H
#define PLUMB_CLI_SWEEP_IMPORT_H

#include "cli/args.h"
#include "sweeps/plan.h"

int sweep_import(const struct args *a, const struct plan *p);

#endif
