/* warm.h - the fast functional pass: runs a program without time and leaves, at chosen moments,
 * what a window needs: who is resident where, how far each warp is, tags and recency of all caches,
 * open rows.
 *
 * Pace: CTAs are dispatched as the cycle model does when slots free up; the resident warps of all
 * SMs advance at equal instruction rates.  Cost: a few tens of ns per transaction; memory: one
 * snapshot per moment. */
#ifndef PLUMB_DETAILED_WARM_H
#define PLUMB_DETAILED_WARM_H

#include "detailed/sim.h"

struct snapshot {
    struct window window;    /* launch, next_cta, residents; instruction counts are the caller's */
    struct warm_state *warm; /* NULL when the pass was asked not to warm */
    uint64_t launch_done;    /* instructions of this launch before this moment */
    struct resident *residents; /* what `window` points to, owned */
    uint64_t *warp_done;
};

/* moments: positions in warp instructions from the program's beginning, ascending; out[n] is filled
 * in order. want_warm = false leaves caches cold (tests of the warm-up). */
bool warm_pass(const struct machine *m, const struct program *p, const uint64_t *moments,
               uint32_t n, bool want_warm, struct snapshot *out, struct error *e);
void snapshot_fini(struct snapshot *s);

/* Warp instructions of each launch, counted by decoding if the program does not know.
 * out[program_launches]. */
bool program_count(const struct program *p, uint64_t *out, struct error *e);

#endif
