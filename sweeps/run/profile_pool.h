/* profile_pool.h - the profiles that a sweep's machines need; each is loaded once and stays in
 * memory. */
#pragma once

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

/* Loads the profile of that workload as machine *m sees it; NULL: *e says why.  Only one thread at
 * a time may call it; profiles that it returned stay valid until profiles_fini. */
const struct profile *profiles_get(struct profiles *all, const struct plan *p,
                                   const struct machine *m, uint32_t workload, unsigned threads,
                                   struct error *e);
/* A profile that profiles_get has loaded, else NULL.  Any number of threads may call it while none
 * is in profiles_get. */
const struct profile *profiles_find(const struct profiles *all, const struct machine *m,
                                    uint32_t workload);
/* Whether the disk cache has the profile, so that loading it costs next to nothing. */
bool profile_is_kept(const struct plan *p, const struct program *program,
                     const struct profile_view *view);
void profiles_fini(struct profiles *all);
