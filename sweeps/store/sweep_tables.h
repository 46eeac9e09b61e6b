/* sweep_tables.h - what a database knows of the sweep itself: its file, axes, points, programs,
 * which run answers which of them, and how the points rank.  Everything that a report needs is
 * there, without the sweep file.
 *
 * A sweep is known by the digest of its file's text, its machines, programs and calibration (and of
 * the models' versions with engine auto): a changed one is another sweep; the runs that both need
 * are shared, for these are found by their own keys.  Each call is one transaction.  A plan without
 * a file is not recorded (sweep 0). */
#ifndef PLUMB_SWEEPS_STORE_SWEEP_TABLES_H
#define PLUMB_SWEEPS_STORE_SWEEP_TABLES_H

#include "sweeps/analyse/summary.h"
#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

struct sweep_task {
    uint32_t point, workload;
    char key[33]; /* of the run that answers it */
};

/* Records the plan; *sweep: its row. */
bool sweep_tables_plan(struct store *s, const struct plan *p, int64_t *sweep, struct error *e);
/* The row of this plan; 0: it was not recorded yet. */
bool sweep_tables_find(struct store *s, const struct plan *p, int64_t *sweep, struct error *e);
/* The runs of one engine that the plan asks for now, instead of those recorded before for the same
 * points and programs. */
bool sweep_tables_tasks(struct store *s, int64_t sweep, enum engine engine,
                        const struct sweep_task *t, size_t n, struct error *e);
/* The points' objectives and the Pareto front, instead of those recorded before. */
bool sweep_tables_scores(struct store *s, int64_t sweep, const struct plan *p,
                         const struct summary *m, struct error *e);
/* A round of engine auto. */
struct sweep_round {
    uint32_t round, points, runs;
    const char *why;
    double error, worst; /* relative, of what was predicted; NaN: nothing was */
    double core_hours;   /* so far */
};
bool sweep_tables_round(struct store *s, int64_t sweep, const struct sweep_round *r,
                        struct error *e);
/* Another start of auto counts its rounds anew. */
bool sweep_tables_forget_rounds(struct store *s, int64_t sweep, struct error *e);
/* Another sweep recorded under the same file name (the newest), for a note to the user: when it was
 * planned ("": there is none). */
bool sweep_tables_other(struct store *s, const struct plan *p, char planned[32], struct error *e);

#endif
