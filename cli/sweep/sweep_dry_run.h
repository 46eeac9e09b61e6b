/* sweep_dry_run.h - plumb sweep run --dry-run: prints how many runs there are, and how long they
 * will take. */
#pragma once

#include "cli/parse/args.h"
#include "sweeps/plan/plan.h"

int sweep_dry_run(const struct args *a, const struct plan *p);
