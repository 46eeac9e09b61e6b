/* profile_pool.h - the profiles that many machines need; each is loaded once and stays in memory.
 *
 * Any number of threads may use a pool at the same time: while one makes a profile the others wait,
 * since most of them want the same. Profiles stay valid until profile_pool_fini. */
#pragma once

#include "engine/engine.h"
#include "estimator/profile/profile.h"

#include <pthread.h>

struct profile_pool {
    pthread_mutex_t lock;
    size_t most; /* profiles that it keeps; 0: all that it is asked for */
    struct profile_slot {
        const struct program *program;
        struct profile_view view;
        double times; /* engine_job_times */
        struct profile *profile;
    } * slot;
    size_t n, cap;
};

void profile_pool_init(struct profile_pool *all, size_t most);
void profile_pool_fini(struct profile_pool *all);
/* The profile of the program (which outlives the pool) as machine *m sees it; of the options, how
 * exact it is, threads, and whether it may be read from the disk and kept there. NULL: *e says why;
 * or it says nothing, because the pool is full. */
const struct profile *profile_pool_get(struct profile_pool *all, const struct program *p,
                                       const struct machine *m, const struct run_opts *o,
                                       struct error *e);
/* A profile that profile_pool_get has returned, else NULL. */
const struct profile *profile_pool_find(struct profile_pool *all, const struct program *p,
                                        const struct machine *m, const struct run_opts *o);
/* Whether the disk has it, so that loading it costs next to nothing. */
bool profile_is_kept(const struct program *p, const struct profile_view *view,
                     const struct run_opts *o);
