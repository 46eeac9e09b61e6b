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

/* The machines that a sweep's points change, in whose differences the points are stored. */
struct write_bases {
    struct machine_text *of; /* [n] */
    struct text *config;     /* [n] */
    uint32_t n;
};
bool write_bases_init(struct write_bases *b, const struct plan *p, struct error *e);
void write_bases_fini(struct write_bases *b);

/* What all batches of a run share. */
struct write_target {
    const struct plan *plan;
    struct store *store;
    enum engine engine;
    const struct write_bases *bases;
    bool sweep;          /* the store records the sweep, and with it its points' values */
    _Atomic bool *known; /* [point] its machine is stored */
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
 * caller reads. */
bool write_batch_store(struct write_batch *b, const struct write_target *t, struct error *e);
