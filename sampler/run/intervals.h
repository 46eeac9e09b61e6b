/* intervals.h - runs chosen units on the cycle model, side by side.
 *
 * The functional pass is walked once and kept (gpu/functional/warming/checkpoints.h); each unit is
 * a job of its own that goes on from there to the unit's beginning less its warm-up, then runs its
 * window.  Who walks the pass on and who runs windows share one queue.  Results lie by index and
 * depend on nothing but the window: the same for any number of threads. */
#ifndef PLUMB_SAMPLER_RUN_INTERVALS_H
#define PLUMB_SAMPLER_RUN_INTERVALS_H

#include "base/error.h"
#include "base/run/progress.h"
#include "gpu/metrics/metrics.h"
#include "sampler/design/population.h"

struct machine;
struct program;
struct sim;
struct checkpoints;
struct checkpoint_runner;

struct intervals {
    const struct machine *machine;
    const struct program *program;
    const uint64_t *before; /* [launch] warp instructions of the program before it */
    unsigned threads;
    struct checkpoints *track;
    struct progress *progress; /* may be NULL */
};

struct interval_run {
    const struct sample_unit *unit;
    uint64_t warmup;  /* instructions */
    struct metrics m; /* out: the measured part, scaled to the unit's exact length */
    uint64_t cost;    /* out: instructions issued, warm-up included; 0: was not run to its end */
};

bool intervals_run(const struct intervals *w, struct interval_run *run, uint32_t n,
                   struct error *e);

/* What one thread has for one machine's windows, made by its first: for who has a queue of its own.
 */
struct intervals_worker {
    struct sim *sim;
    struct checkpoint_runner *walker;
};
bool intervals_run_one(const struct intervals *w, struct intervals_worker *k,
                       struct interval_run *run, struct error *e);
void intervals_worker_fini(struct intervals_worker *k);
/* Where its warm-up begins; before: as in struct intervals. */
uint64_t intervals_moment(const uint64_t *before, const struct interval_run *r);
/* order[n]: indices of run[] by those moments, equal ones as they stand.  false: no memory. */
bool intervals_order(const uint64_t *before, const struct interval_run *run, uint32_t n,
                     uint32_t *order);

#endif
