/* sweep_work_here.h - several workers of one thread on this host, as processes.
 *
 * Runs of the cycle model last from milliseconds to hours and need nothing in common, so workers
 * that claim for themselves keep all processors busy to the end; threads of one worker would wait
 * for the longest run of what they claimed together. */
#pragma once

#include "sweeps/workers/worker.h"

/* worker_run in n processes; signals to stop are passed on to them, and they stop when this process
 * dies.  *r: sums over the workers.  false: a worker failed, which was told, and runs are left for
 * want of it. */
bool sweep_work_here(struct plan *p, const struct work_request *q, unsigned n,
                     struct work_result *r, struct error *e);
