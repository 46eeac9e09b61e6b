/* profile_pool.h - the profiles that a sweep's machines need, each loaded once and kept. */
#ifndef PLUMB_SWEEPS_RUN_PROFILE_POOL_H
#define PLUMB_SWEEPS_RUN_PROFILE_POOL_H

#include "sweeps/plan/plan.h"

struct profile_slot {
    uint32_t workload;
    struct profile_view view;
    struct profile *profile;
};
struct profiles {
    struct profile_slot *slot;
    size_t n, cap;
};

/* Of that workload as machine *m sees it; NULL: *e.  One thread at a time; what it returned before
 * stays valid until profiles_fini. */
const struct profile *profiles_get(struct profiles *all, const struct plan *p,
                                   const struct machine *m, uint32_t workload, unsigned threads,
                                   struct error *e);
/* One that was got before, else NULL.  Any number of threads, while nobody gets. */
const struct profile *profiles_find(const struct profiles *all, const struct machine *m,
                                    uint32_t workload);
/* Whether the disk cache holds it, so that getting it costs next to nothing. */
bool profile_is_kept(const struct plan *p, const struct program *program,
                     const struct profile_view *view);
void profiles_fini(struct profiles *all);

#endif
