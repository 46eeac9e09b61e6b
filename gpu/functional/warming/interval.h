/* interval.h - a time slice of the full machine: what the functional pass leaves at its beginning,
 * and how much of it is simulated.  checkpoints.h makes it; the cycle model runs it (sim_interval).
 */
#ifndef PLUMB_GPU_FUNCTIONAL_WARMING_INTERVAL_H
#define PLUMB_GPU_FUNCTIONAL_WARMING_INTERVAL_H

#include <stdint.h>

/* Where a CTA's warps are on an SM. */
struct warp_names {
    uint32_t cta_slot;
    const uint16_t *warp; /* [warps_per_cta] sub-core * 64 + slot, of those that have not exited */
};

/* Where a functional pass says that everything stands at one moment inside a launch. */
struct resident {
    uint64_t cta;
    uint32_t sm, subcore;      /* of its first warp */
    const uint64_t *warp_done; /* [warps_per_cta]: instructions already executed; UINT64_MAX = warp
                                  has exited */
    struct warp_names name;    /* warp NULL: nothing is remembered by them, any place will do */
};

struct cta_queue;
struct warm_state; /* tags and recency of every cache, open rows: made by checkpoints.h */

struct interval {
    uint32_t launch;
    uint64_t next_cta; /* CTAs dispatched: the next one, where SMs have no queues of their own */
    const struct cta_queue *queues; /* [sm.count] where they have, and some were dispatched */
    uint32_t n_residents;
    const struct resident *residents;
    const uint32_t *next_subcore;  /* [sm.count] where the next CTA asks first; with residents */
    uint64_t warmup_instructions;  /* issued before measuring begins */
    uint64_t measure_instructions; /* then this many, or to the launch's end */
};

#endif
