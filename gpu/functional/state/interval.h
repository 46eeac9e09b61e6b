/* interval.h - an interval of a launch that the cycle model simulates: the state in which the
 * functional pass has left the machine, and how much is simulated. checkpoints.h makes it;
 * sim_interval.c runs it. */
#pragma once

#include <stdint.h>

/* The places of a CTA's warps on an SM. */
struct warp_names {
    uint32_t cta_slot;
    /* [warps_per_cta] sub-core * 64 + slot; valid for warps that have not exited */
    const uint16_t *warp;
};

/* A resident CTA at the interval's beginning, as the functional pass left it. */
struct resident {
    uint64_t cta;
    uint32_t sm, subcore;      /* subcore: of its first warp */
    const uint64_t *warp_done; /* [warps_per_cta]: instructions already executed; UINT64_MAX: the
                                  warp has exited */
    struct warp_names name;    /* name.warp NULL: any place will do */
    uint32_t launching;        /* cycles before its first instruction (sm.cta_launch_cycles) */
};

struct cta_queue;
struct warm_state; /* tags and recency of every cache, open rows: warm_state.h */

struct interval {
    uint32_t launch;
    /* CTAs dispatched so far; without CTA queues also the number of the next CTA. */
    uint64_t next_cta;
    /* [sm.count] if SMs have CTA queues and some CTAs were dispatched, else NULL */
    const struct cta_queue *queues;
    uint32_t n_residents;
    const struct resident *residents;
    const uint32_t *next_subcore; /* [sm.count] the first sub-core to try for the next CTA; set with
                                     residents */
    uint64_t warmup_instructions; /* issued before measuring begins */
    uint64_t measure_instructions; /* then this many, or to the launch's end */
};
