/* worker.h - one of any number of processes that make a sweep's runs together; work_dir.h and
 * lease.h say how they meet and agree.
 *
 * A worker claims a chunk, makes its runs into a database of its own, and marks the chunk as done.
 * When no chunk is free it waits until all are done, and takes over those whose workers have gone;
 * runs that these had stored are not made again.  A chunk that has ended WORK_DEATHS workers is
 * left until work_state_retry.  Any worker may join or leave at any time.
 *
 * Which runs there are is decided once, by whoever holds the lease `leader`: for an engine the runs
 * that the sweep's output lacks; for engine auto batch after batch (auto.h), which all workers
 * make, the leader among them.  If the leader goes, another repeats its choices from the stored
 * runs.  So the answers are those of one process. */
#pragma once

#include "base/run/progress.h"
#include "sweeps/auto/auto.h"
#include "sweeps/plan/plan.h"

#include <stdbool.h>
#include <stdint.h>

/* What the first worker chooses unless told otherwise; as numbers, and for the help. */
#define WORK_LEASE_SECONDS 120
#define WORK_LEASE_TEXT "120"
#define WORK_WORKERS 32
#define WORK_WORKERS_TEXT "32"

struct work_request {
    const char *dir;
    const char *calibration; /* what replaces the sweep's own; NULL: nothing */
    double lease;            /* seconds; the first worker's counts */
    uint32_t workers;        /* expected; the first worker's counts */
    bool leave;              /* end when no chunk is free */
    bool retry;              /* runs that failed in the output again */
    unsigned threads;
    const _Atomic bool *stop; /* set: the runs under way end, the rest is given back; may be NULL */
    /* Called with lines of text for the user; may be NULL. */
    void (*say)(const char *line, void *ctx);
    void *ctx;
};

struct work_result {
    uint64_t done, failed;  /* runs of this worker */
    uint32_t chunks, taken; /* chunks that it finished; of them, those of workers that had gone */
    uint32_t lost, given, left; /* chunks that it lost, gave back; that nobody takes any more */
    bool complete;              /* every chunk is done or left */
    bool led;                   /* it chose the runs of engine auto to the end: *chosen */
    struct auto_result chosen;
    double seconds, running, waiting; /* in all, making runs, waiting for other workers */
};

/* false: *e says why; claims are given back. */
bool worker_run(struct plan *p, const struct work_request *q, struct work_result *r,
                struct error *e);
