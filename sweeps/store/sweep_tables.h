/* sweep_tables.h - what a database records of the sweep itself: its file, axes, points and
 * programs, the run that answers each of them, and the ranking of the points.  A report needs
 * nothing else, not even the sweep file.
 *
 * A sweep is identified by the digest of its file's text, its machines, programs and calibration
 * (and, with engine auto, of the models' versions).  A changed sweep is another sweep; runs that
 * both need are shared, because runs have keys of their own.  Each call is one transaction.  A plan
 * without a file is not recorded (sweep 0). */
#pragma once

#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

struct sweep_task {
    uint32_t point, workload;
    char key[33]; /* key of the run that answers the task */
};

/* What identifies the sweep of this plan. */
void sweep_tables_digest(const struct plan *p, char hex[33]);
/* Records the plan; *sweep: its row. */
bool sweep_tables_plan(struct store *s, const struct plan *p, int64_t *sweep, struct error *e);
/* The row of this plan; 0: it is not recorded yet. */
bool sweep_tables_find(struct store *s, const struct plan *p, int64_t *sweep, struct error *e);
/* Records the runs of one engine that the plan needs now, and replaces those recorded for the same
 * points and programs. */
bool sweep_tables_tasks(struct store *s, int64_t sweep, enum engine engine,
                        const struct sweep_task *t, size_t n, struct error *e);
/* A round of engine auto. */
struct sweep_round {
    uint32_t round, points, runs;
    const char *why;
    double error, worst; /* relative errors of the round's predictions; NaN: there were none */
    double core_hours;   /* spent so far */
};
/* point: the r->points that the round simulated. */
bool sweep_tables_round(struct store *s, int64_t sweep, const struct sweep_round *r,
                        const uint32_t *point, struct error *e);
/* Removes the recorded rounds: each start of engine auto counts its rounds from the beginning. */
bool sweep_tables_forget_rounds(struct store *s, int64_t sweep, struct error *e);
/* Finds the newest other sweep recorded under the same file name, for a note to the user: when it
 * was planned ("": there is none). */
bool sweep_tables_other(struct store *s, const struct plan *p, char planned[32], struct error *e);
