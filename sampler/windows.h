/* windows.h - runs chosen units on the cycle model, side by side.
 *
 * One functional pass leaves the state at every unit's beginning (less its warm-up); then each
 * window runs on its own simulation.  Snapshots are held for at most about a gigabyte at a time:
 * beyond it, several passes. Results lie by index and depend on nothing but the window: the same
 * for any number of threads. */
#ifndef PLUMB_SAMPLER_WINDOWS_H
#define PLUMB_SAMPLER_WINDOWS_H

#include "base/error.h"
#include "base/metrics.h"
#include "base/progress.h"
#include "sampler/population.h"

struct machine;
struct program;

struct windows {
    const struct machine *machine;
    const struct program *program;
    const uint64_t *before; /* [launch] warp instructions of the program before it */
    unsigned threads;
    uint32_t snapshots_max; /* held at a time */
    bool cold;
    struct progress *progress; /* may be NULL */
};

struct window_run {
    const struct unit *unit;
    uint64_t warmup;  /* instructions */
    struct metrics m; /* out: the measured part, scaled to the unit's exact length */
    uint64_t cost;    /* out: instructions issued, warm-up included; 0: was not run to its end */
};

/* How many snapshots of this machine fit into `bytes`, at least one. */
uint32_t windows_snapshots(const struct machine *m, uint64_t bytes);
bool windows_run(const struct windows *w, struct window_run *run, uint32_t n, struct error *e);

#endif
