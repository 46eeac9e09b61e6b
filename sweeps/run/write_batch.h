/* write_batch.h - finished runs of one worker that wait to be stored together.
 *
 * An estimate takes about as long as its transaction, so several go into one: at most BACKLOG_RUNS,
 * and none waits longer than BACKLOG_SECONDS for others to end.  That much a killed sweep may have
 * to do again. Runs that take long are stored at once (limit = 1). */
#ifndef PLUMB_SWEEPS_RUN_WRITE_BATCH_H
#define PLUMB_SWEEPS_RUN_WRITE_BATCH_H

#include "base/text/text.h"
#include "gpu/machine/load/machine.h"
#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

enum { BACKLOG_RUNS = 64 };
#define BACKLOG_SECONDS 0.1

struct finished {
    uint32_t point, workload;
    struct machine machine;
    struct record record;
    struct text config; /* while it is being stored */
    const char *path[AXES_MAX], *value[AXES_MAX];
};

struct backlog {
    struct finished *run;
    struct stored_run *row; /* workspace */
    uint32_t n, limit;
    double since; /* when the first of them ended */
};

bool backlog_init(struct backlog *b, uint32_t limit, struct error *e);
void backlog_fini(struct backlog *b);
/* Where the next run goes, cleared; backlog_add counts it in. */
struct finished *backlog_next(struct backlog *b);
void backlog_add(struct backlog *b);
bool backlog_due(const struct backlog *b);
/* All of them, in one transaction; n stays for the caller to look at.  known[point]: its machine is
 * stored; shared by all backlogs of the sweep. */
bool backlog_store(struct backlog *b, const struct plan *p, struct store *s, enum engine engine,
                   _Atomic bool *known, struct error *e);

#endif
