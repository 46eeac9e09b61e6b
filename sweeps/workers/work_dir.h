/* work_dir.h - the directory in which the workers of one sweep meet; lease.h says how they agree.
 *
 *   sweep         which sweep it is, and what its first worker chose: seconds of a lease, workers
 *                 expected
 *   sweep.cfg     a copy of the sweep file, for people
 *   batch-0 ...   lists of runs (batch.h), by whoever holds `leader`; the last one says so
 *   claims/       leases: of the leader, and of each chunk, B-C.G for chunk C of batch B
 *   workers/      a result database of each worker, HOST-PID-START.db; it alone writes to it, with
 * a rollback journal
 *
 * Every file but the databases, the leases' times and the clocks is written once, complete. */
#pragma once

#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"
#include "sweeps/workers/batch.h"
#include "sweeps/workers/lease.h"

#include <stdbool.h>
#include <stdint.h>

enum { WORK_DIR_MAX = 800 };

struct work_dir {
    char path[WORK_DIR_MAX], claims[WORK_DIR_MAX + 8];
    char file[1024];        /* the sweep file, absolute */
    char calibration[1024]; /* absolute; "": the sweep's own, or "none" */
    char digest[33];
    double lease;
    uint32_t workers;
};

/* "results.db" gives "results.work": where a sweep's workers meet unless told otherwise; mem_free
 * it. */
char *work_dir_beside(const char *output);
/* Whether a sweep's workers meet there. */
bool work_dir_exists(const char *path);
/* Reads which sweep it is. */
bool work_dir_read(struct work_dir *d, const char *path, struct error *e);
/* Makes it, for *p with d's lease and workers, or joins it; then d has those of its first worker.
 * Refuses the directory of another sweep.  calibration: what replaces the sweep's own, or NULL. */
bool work_dir_join(struct work_dir *d, const char *path, const struct plan *p,
                   const char *calibration, struct error *e);
/* Refuses *p unless it is the directory's sweep. */
bool work_dir_check(const struct work_dir *d, const struct plan *p, struct error *e);

/* *there false: it is not published yet. */
bool work_dir_batch(const struct work_dir *d, uint32_t number, const struct plan *p,
                    struct run_batch *b, bool *there, struct error *e);
/* Publishes the next batch. */
bool work_dir_publish(const struct work_dir *d, uint32_t number, const struct run_batch *b,
                      struct error *e);
/* The database of that worker. */
void work_dir_database(const struct work_dir *d, const char *holder, char *path, size_t room);
/* Calls each with the path of every worker's database but that of `except`; false: it returned
 * false, or *e. */
typedef bool work_database_fn(const char *path, void *ctx, struct error *e);
bool work_dir_each(const struct work_dir *d, const char *except, work_database_fn *each, void *ctx,
                   struct error *e);
struct work_merged {
    uint32_t databases, skipped;
    uint64_t taken, known; /* as in struct merge_result */
};
/* Merges the databases of all workers but `except` (NULL: none) into the store.  One that cannot be
 * read is told of through `skip` and left out: runs that it alone has are missing. */
typedef void work_skip_fn(const char *why, void *ctx);
bool work_dir_merge(const struct work_dir *d, struct store *into, const char *except,
                    work_skip_fn *skip, void *ctx, struct work_merged *sum, struct error *e);

/* The lease of who publishes the batches. */
#define WORK_LEADER "leader"

/* What the claims of a batch say. */
struct chunk_claim {
    uint32_t generations; /* files B-C.0 ... there are */
    bool done;
};
/* claim[chunks], zeroed before. */
bool work_dir_claims(const struct work_dir *d, uint32_t number, struct chunk_claim *claim,
                     size_t chunks, struct error *e);
enum chunk_state {
    CHUNK_FRESH, /* nobody has claimed it */
    CHUNK_HELD,  /* its lease is renewed */
    CHUNK_STALE, /* its worker has gone or gave it back */
    CHUNK_LEFT,  /* the same, and it has ended so many workers that nobody takes it any more */
    CHUNK_DONE
};
/* now: shared_file_clock of the directory. */
enum chunk_state work_dir_chunk(const struct work_dir *d, uint32_t number, size_t chunk,
                                const struct chunk_claim *claim, shared_time now);
void work_dir_chunk_name(uint32_t number, size_t chunk, char what[LEASE_WHAT_MAX]);
