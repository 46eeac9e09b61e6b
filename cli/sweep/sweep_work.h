/* sweep_work.h - plumb sweep work: one of the workers of a sweep. */
#pragma once

#include "cli/sweep/sweep.h"
#include "sweeps/workers/work_dir.h"

#include <inttypes.h>

/* The line about chunks that are left, of a uint64_t. */
#define SWEEP_WORK_LEFT                                                                     \
    "%" PRIu64 " chunks have ended every worker that took them; 'plumb sweep work --retry'" \
    " takes them up again, 'plumb sweep merge' and then 'plumb sweep run' shows why"

int sweep_work_run(struct sweep *s);
/* How far the workers are, for `plumb sweep status`. */
int sweep_work_status(const struct sweep *s, const struct work_dir *d);
