/* launch_run.h - the state of a running launch, and what its SMs count. */
#pragma once

#include "gpu/geometry/register_map.h"
#include "gpu/policies/cta_dispatch.h"

struct launch;

/* What SMs count in a launch, modulo 2^64: all of them, or those that are stepped together. */
struct launch_counts {
    uint64_t instructions; /* issued since sim_new */
    uint64_t done_ctas;
    /* In flight without a warp that waits: stores of ended warps, fetches ahead (l1.h). */
    uint64_t requests_behind;
    uint64_t ask_cta; /* SMs that wait for sm_dispatch_in_order */
};

/* The state of a running launch, shared by all SMs. */
struct launch_run {
    const struct launch *launch;
    struct register_map registers; /* with a register file */
    uint32_t index;
    struct cta_dispatch dispatch;
    uint32_t batch_ctas; /* CTAs of a thread batch */
    struct launch_counts counts;
    uint64_t starts; /* core cycle from which CTAs may be dispatched */
    uint64_t age;    /* counter for warp ages */
    bool running;
};
