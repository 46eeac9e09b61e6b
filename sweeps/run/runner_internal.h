/* runner_internal.h - a sweep under way: between runner.c and runner_shared.c. */
#ifndef PLUMB_SWEEPS_RUN_RUNNER_INTERNAL_H
#define PLUMB_SWEEPS_RUN_RUNNER_INTERNAL_H

#include "sweeps/run/best_so_far.h"
#include "sweeps/run/runner.h"
#include "sweeps/run/write_batch.h"
#include "sweeps/store/sweep_tables.h"

#include <pthread.h>

struct task {
    uint32_t point, workload;
    uint32_t group;
};

struct task_group {
    uint32_t workload, width;
    uint32_t base; /* whose intervals all of it share; PLAN_ALONE: they share a profile alone */
    struct profile_view view;
    uint64_t runs;
    bool profile_ahead; /* its profile is to be made first, and is not in the cache */
};

struct runner {
    const struct plan *plan;
    struct store *store;
    const struct run_request *request;
    struct run_result *result;
    struct task *task;
    size_t n_tasks, cap_tasks;
    struct sweep_task *planned; /* every run asked for, stored or not */
    size_t n_planned, cap_planned;
    struct task_group *group;
    size_t n_groups, cap_groups;
    struct task **member; /* of the group under way */
    size_t n_members;
    const struct profile *profile; /* of the group under way; NULL: engine needs none, or failed */
    struct error profile_error;
    struct write_batch *write_batch; /* of each worker */
    unsigned workers;
    _Atomic bool *known; /* [point] its machine is stored */
    struct best best;
    pthread_mutex_t lock; /* guards result, best, the progress and first_error */
    struct error first_error;
    pthread_mutex_t storing; /* one run of a shared sample at a time */
};

/* Fills r->task and r->group with what is left to do and counts in r->result; runner_forget. */
bool runner_outline(struct runner *r, struct error *e);
void runner_forget(struct runner *r);
void runner_record_answer(struct record *rec, const struct answer *a);
void runner_record_failure(struct record *rec, const struct error *e);
/* Keeps the first; returns false. */
bool runner_note_error(struct runner *r, const struct error *e);
/* Stores what a worker has finished. */
bool runner_hand_in(struct runner *r, struct write_batch *b);
/* All members of the group on the base's intervals; the base runs again where it is stored. */
bool runner_shared(struct runner *r, const struct task_group *g);

#endif
