/* sweep_work.h - plumb sweep work: one of the workers of a sweep. */
#pragma once

#include "cli/sweep/sweep.h"
#include "sweeps/work/work_dir.h"

int sweep_work_run(struct sweep *s);
/* How far the workers are, for `plumb sweep status`. */
int sweep_work_status(const struct sweep *s, const struct work_dir *d);
