/* intervals.h - runs the chosen units on the cycle model, in parallel.
 *
 * The functional pass runs once and is cached (gpu/functional/warming/checkpoints.h).  Each unit is
 * a job of its own: it starts from a checkpoint, advances to the unit's beginning less its warm-up,
 * then runs its window.  One queue serves the threads that advance the pass and those that run
 * windows. Results are stored by index and depend only on the window, so that they are the same for
 * any number of threads. */
#pragma once

#include "base/error.h"
#include "base/run/progress.h"
#include "sampler/extrapolation/interval_run.h"

struct machine;
struct program;
struct sim;
struct checkpoints;
struct checkpoint_runner;

struct intervals {
    const struct machine *machine;
    const struct program *program;
    const uint64_t *before; /* [launch] warp instructions of the program before the launch */
    unsigned threads;
    struct checkpoints *track;
    struct progress *progress; /* may be NULL */
};

bool intervals_run(const struct intervals *w, struct interval_run *run, uint32_t n,
                   struct error *e);

/* The objects that one thread needs for one machine's windows; the first window creates them.  For
 * callers with a queue of their own. */
struct intervals_worker {
    struct sim *sim;
    struct checkpoint_runner *walker;
};
bool intervals_run_one(const struct intervals *w, struct intervals_worker *k,
                       struct interval_run *run, struct error *e);
void intervals_worker_fini(struct intervals_worker *k);
/* The instruction at which the run's warm-up begins; before: as in struct intervals. */
uint64_t intervals_moment(const uint64_t *before, const struct interval_run *r);
/* order[n]: indices of run[], sorted by those instructions, stable.  false: no memory. */
bool intervals_order(const uint64_t *before, const struct interval_run *run, uint32_t n,
                     uint32_t *order);
