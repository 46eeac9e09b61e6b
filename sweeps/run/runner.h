/* runner.h - makes the runs of a plan that its store lacks.
 *
 * A sweep resumes by itself: a run whose key is stored is skipped; one that failed is repeated on
 * request.  A failed run is recorded with its message and never stops the others.  One profile
 * serves all runs with the same program and view.  Runs go in parallel, each on one thread; results
 * do not depend on the number of threads.  On an interrupt (plumb_interrupted) the runs under way
 * are dropped; everything stored stays. */
#pragma once

#include "base/run/progress.h"
#include "engine/profile_pool.h"
#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

struct run_request {
    enum engine engine;
    const uint32_t *point; /* NULL: all */
    uint32_t n_points;
    const bool *wanted; /* [n_points][workloads]: which runs of those points to make; NULL: all */
    uint32_t shard, shards; /* only points i with i % shards = shard - 1; shards = 0: all */
    bool retry;             /* repeat runs that failed before */
    bool plan_only;         /* records the plan and counts, makes no run */
    bool count_only;        /* counts, does not change the store */
    bool runs_only;         /* stores runs and no plan, in few transactions: the disk is shared */
    /* Asked before each run, by any thread; true: no further run begins.  NULL: never. */
    bool (*stop)(void *ctx);
    void *ctx;
    /* Keeps the profiles for later requests; NULL: none is kept after its last run. */
    struct profile_pool *profiles;
    uint32_t first_group; /* which program's runs begin, counted around */
    unsigned threads;
    struct progress *progress; /* NULL: silent */
};

struct run_result {
    /* total = stored + failed_before + left; left = done + failed, unless it was interrupted,
     * stopped or only planned */
    uint64_t total, stored, failed_before, left, done, failed;
    bool interrupted;
    int64_t sweep; /* its row in the store (sweep_tables.h) */
};

/* false: the store failed or there is no memory (*e); the remaining runs were not made. */
bool runner_run(const struct plan *p, struct store *s, const struct run_request *q,
                struct run_result *r, struct error *e);

/* The key under which that run is stored. */
struct run_key runner_key(const struct plan *p, uint32_t point, const struct machine *m,
                          uint32_t workload, enum engine engine);
/* That of a run of a machine that need be no point, uncorrected, on intervals of its own. */
struct run_key runner_key_alone(const struct plan *p, struct digest machine, struct digest program,
                                enum engine engine);
/* Reads a run from the store. */
enum stored runner_get(const struct plan *p, struct store *s, uint32_t point, uint32_t workload,
                       enum engine engine, struct record *r, struct error *e);
