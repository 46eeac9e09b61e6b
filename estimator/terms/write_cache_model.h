/* write_cache_model.h - what QuickRelease's split caches change in a launch: its levels, its
 * releases, its end.
 *
 * L1s keep their content over launches and acquires, and what is stored leaves the read caches: the
 * profile's view says so (profile.h). Here an L1 loses hits on lines that other SMs have stored to.
 * The first SM that loads such a line again misses all caches, others hit the L2 after it.
 *
 * Stores gather in the L1s' write caches between releases, which the profile counts; those of the
 * L2 and the L3 join what other SMs store to the same line soon after. A release waits for
 * its marker: to the slices, from there to the L1s, which drop what was written, and back. Every
 * block that leaves the L2's write cache is told to all L1s.
 *
 * Units: core cycles. Source: Hechtman 2014, 3.1; docs/models/estimator.md. */
#pragma once

#include "estimator/launch/launch_model.h"

static inline bool write_cache_model_applies(const struct coherence_params *c)
{
    return c->protocol == PROTOCOL_QUICKRELEASE;
}
/* Takes from the L1s what other SMs have stored to, and joins stores. */
void write_cache_model_find(struct cache_levels *v, const struct launch_profile *p,
                            const struct est_params *e);
/* What a round's releases wait for, without queues; 0 without write caches. */
double write_cache_release_cycles(const struct launch_model *m);
/* What the release of everything adds to the end of a launch; 0 without write caches. */
double write_cache_end_cycles(const struct launch_model *m);
/* Invalidations that a round sends to L1s; 0 without write caches. */
double write_cache_invalidations(const struct launch_model *m);
