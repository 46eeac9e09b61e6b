/* write_batch.h - finished runs of one worker that wait to be stored together.
 *
 * An estimate takes about as long as its transaction, so several go into one: at most
 * WRITE_BATCH_RUNS, and none waits longer than WRITE_BATCH_SECONDS for others to end.  That much a
 * killed sweep may have to do again. Runs that take long are stored at once (limit = 1). */
#ifndef PLUMB_SWEEPS_RUN_WRITE_BATCH_H
#define PLUMB_SWEEPS_RUN_WRITE_BATCH_H

#include "base/text/text.h"
#include "gpu/machine/load/machine.h"
#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

enum { WRITE_BATCH_RUNS = 64 };
#define WRITE_BATCH_SECONDS 0.1

struct finished {
    uint32_t point, workload;
    struct machine machine;
    struct record record;
    struct text config; /* while it is being stored */
    const char *path[AXES_MAX], *value[AXES_MAX];
};

struct write_batch {
    struct finished *run;
    struct stored_run *row; /* workspace */
    uint32_t n, limit;
    double since; /* when the first of them ended */
};

bool write_batch_init(struct write_batch *b, uint32_t limit, struct error *e);
void write_batch_fini(struct write_batch *b);
/* Where the next run goes, cleared; write_batch_add counts it in. */
struct finished *write_batch_next(struct write_batch *b);
void write_batch_add(struct write_batch *b);
bool write_batch_due(const struct write_batch *b);
/* All of them, in one transaction; n stays for the caller to look at.  known[point]: its machine is
 * stored; shared by all backlogs of the sweep. */
bool write_batch_store(struct write_batch *b, const struct plan *p, struct store *s,
                       enum engine engine, _Atomic bool *known, struct error *e);

#endif
