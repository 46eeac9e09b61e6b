/* worker_internal.h - a worker under way; shared by worker.c, worker_chunks.c and worker_lead.c. */
#pragma once

#include "base/memory/rng.h"
#include "sweeps/run/runner.h"
#include "sweeps/workers/work_dir.h"
#include "sweeps/workers/worker.h"

enum { CHUNKS_HELD_MAX = LEASES_MAX - 1 }; /* and the leader's */

struct sweep_worker {
    const struct plan *plan;
    const struct work_request *request;
    struct work_result *result;
    struct work_dir dir;
    struct leases leases;
    char name[LEASE_HOLDER_MAX];
    struct store *store; /* its own database; NULL: nothing to store yet */
    struct profile_pool profiles;
    struct rng rng;
    double pause;         /* seconds of the last wait; 0: something has happened since */
    uint32_t number;      /* of the next batch */
    uint32_t first_group; /* workers begin with different programs' profiles */
    /* The batch that it works on. */
    struct run_batch batch;
    struct chunk_claim *claim; /* [batch.chunks], as of the last look */
    size_t *fresh;             /* chunks that nobody had claimed then, in ascending order */
    size_t n_fresh;
    /* Of the chunks under way: as many as keep all threads busy. */
    size_t chunk[CHUNKS_HELD_MAX];
    struct lease *lease[CHUNKS_HELD_MAX];
    int n_chunks;
    struct lease *leader; /* of the choice of runs; NULL: another has it */
};

/* Interrupted, or told to stop. */
bool worker_is_stopped(const struct sweep_worker *w);
/* Opens its own database. */
bool worker_open_store(struct sweep_worker *w, struct error *e);
/* Waits a while for others; false: it is stopped. */
bool worker_wait(struct sweep_worker *w);
/* Tells the user. */
void worker_say(const struct sweep_worker *w, const char *fmt, ...) PLUMB_PRINTF(2, 3);

/* Makes runs of batch w->number with the others until none is left, and goes on to the next.
 * *over: every chunk is done or left; else it is stopped or leaves. */
bool worker_batch(struct sweep_worker *w, bool *over, struct error *e);

/* Decides which runs there are, if nobody else does: publishes batches.  *leading: it did. */
bool worker_lead(struct sweep_worker *w, bool *leading, struct error *e);
