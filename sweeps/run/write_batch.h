/* write_batch.h - finished runs of one worker that wait to be stored together.
 *
 * Storing an estimate in a transaction of its own takes about as long as the estimate, so several
 * share one: at most `limit`, and a run that ends `seconds` after the last transaction or later
 * waits for no other.  A killed sweep has to repeat at most that much. */
#pragma once

#include "base/text/text.h"
#include "gpu/machine/machine.h"
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
    double seconds, since; /* since: the last transaction */
};

bool write_batch_init(struct write_batch *b, uint32_t limit, double seconds, struct error *e);
void write_batch_fini(struct write_batch *b);
/* write_batch_next: the cleared place for the next run; write_batch_add: adds that run to the
 * batch. */
struct finished *write_batch_next(struct write_batch *b);
void write_batch_add(struct write_batch *b);
bool write_batch_due(const struct write_batch *b);
/* Stores all runs in one transaction, from whose end `since` counts; does not reset n, which the
 * caller reads.  known[point]: the point's machine is stored; all batches of the sweep share it. */
bool write_batch_store(struct write_batch *b, const struct plan *p, struct store *s,
                       enum engine engine, _Atomic bool *known, struct error *e);
