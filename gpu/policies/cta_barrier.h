/* cta_barrier.h - the barrier of a CTA: it opens when every warp that has instructions left has
 * arrived. A warp whose stream has ended is not waited for.
 *
 * The owner asks cta_barrier_opens after each arrival and after each end, and lets the warps that
 * wait go on if it answers true.
 * Invariant: arrived <= live. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cta_barrier {
    uint32_t live, arrived; /* warps with instructions left; those of them that wait */
};

static inline void cta_barrier_arrive(struct cta_barrier *b)
{
    b->arrived++;
}
/* The stream of a warp that did not wait has ended. */
static inline void cta_barrier_end(struct cta_barrier *b)
{
    b->live--;
}
/* Whether it opens now; if so, nobody waits any more. */
static inline bool cta_barrier_opens(struct cta_barrier *b)
{
    if (!b->arrived || b->arrived < b->live) return false;
    b->arrived = 0;
    return true;
}
