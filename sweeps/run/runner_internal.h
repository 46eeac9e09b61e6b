/* runner_internal.h - a sweep under way; shared by runner.c and runner_shared.c. */
#pragma once

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
    uint32_t workload;
    const struct program *program; /* as its members' machines read the workload */
    /* the point whose intervals all members use; PLAN_ALONE: they only share a profile */
    uint32_t base;
    struct profile_view view;
    uint64_t runs;
    bool profile_ahead; /* the cache lacks its profile, which is made first */
};

struct runner {
    const struct plan *plan;
    struct store *store;
    const struct run_request *request;
    struct run_result *result;
    struct task *task;
    size_t n_tasks, cap_tasks;
    struct sweep_task *planned; /* every run of the plan, whether stored or not */
    size_t n_planned, cap_planned;
    struct task_group *group;
    size_t n_groups, cap_groups;
    struct task **member; /* the members of the current group */
    size_t n_members;
    /* the current group's profile; NULL: the engine needs none, or it failed */
    const struct profile *profile;
    struct error profile_error;
    struct write_batch *write_batch; /* one per worker */
    unsigned workers;
    struct write_bases bases;
    struct write_target target;
    struct best best;
    pthread_mutex_t lock; /* guards result, best, the progress and first_error */
    struct error first_error;
    pthread_mutex_t storing; /* serialises the runs of a shared sample */
};

/* Fills r->task and r->group with the runs left to do and counts in r->result; the caller calls
 * runner_forget. */
bool runner_outline(struct runner *r, struct error *e);
void runner_forget(struct runner *r);
void runner_record_answer(struct record *rec, const struct answer *a);
void runner_record_failure(struct record *rec, const struct error *e);
/* Records the first error; returns false. */
bool runner_note_error(struct runner *r, const struct error *e);
/* Stores the runs that a worker has finished. */
bool runner_hand_in(struct runner *r, struct write_batch *b);
/* Runs all members of the group on the base point's intervals; the base runs again even if it is
 * stored. */
bool runner_shared(struct runner *r, const struct task_group *g);
