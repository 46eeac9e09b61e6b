/* write_batch.h - finished runs of one worker that wait to be stored together.
 *
 * Storing an estimate in a transaction of its own takes about as long as the estimate, so several
 * share one: at most WRITE_BATCH_RUNS, and none waits longer than WRITE_BATCH_SECONDS for others to
 * end.  A killed sweep has to repeat at most that much.  Runs that take long are stored at once
 * (limit = 1). */
#pragma once

#include "base/text/text.h"
#include "gpu/machine/load/machine.h"
#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

struct finished {
    uint32_t point, workload;
    struct machine machine;
    struct record record;
    struct text config; /* of the run that is being stored */
    const char *path[AXES_MAX], *value[AXES_MAX];
};

struct write_batch {
    struct finished *run;
    struct stored_run *row; /* workspace */
    uint32_t n, limit;
    double since; /* when the first run of the batch ended */
};

bool write_batch_init(struct write_batch *b, uint32_t limit, struct error *e);
void write_batch_fini(struct write_batch *b);
/* write_batch_next: the cleared place for the next run; write_batch_add: adds that run to the
 * batch. */
struct finished *write_batch_next(struct write_batch *b);
void write_batch_add(struct write_batch *b);
bool write_batch_due(const struct write_batch *b);
/* Stores all runs in one transaction; does not reset n, which the caller reads.  known[point]: the
 * point's machine is stored; all batches of the sweep share it. */
bool write_batch_store(struct write_batch *b, const struct plan *p, struct store *s,
                       enum engine engine, _Atomic bool *known, struct error *e);
