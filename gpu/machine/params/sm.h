/* sm.h - parameters of one streaming multiprocessor (AMD: compute unit). */
#pragma once

#include "gpu/machine/rows/param.h"

#include <stdbool.h>
#include <stdint.h>

enum { SM_COUNT_MAX = 1024, SM_MAX_SUBCORES = 8, SM_SUBCORE_SLOTS = 64, CTA_MAX_WARPS = 64 };

/* The order in which ready warps issue. */
enum sched_kind {
    SCHED_LRR,
    SCHED_GTO,
    SCHED_TWO_LEVEL, /* a first level of warps that do not wait, LRR inside (Mao 3.4.2) */
    SCHED_INTERCL,   /* a first level filled CTA by CTA, GTO inside (Mao 4.2.3) */
    SCHED_OWL,       /* groups of CTAs in a fixed order that differs between SMs (Jog 2013) */
    SCHED_RMWS,      /* whose operands need the fewest shifts, then oldest (Mao 3.3.2) */
    SCHED_TBAS,      /* a running set filled thread batch by thread batch (Mao 5.3) */
    SCHED_N
};

/* Which thread batch enters tbas's running set next (Mao 5.3, figure 37). */
enum tbas_steps {
    TBAS_GATHER,      /* who has waited longest since enough of its warps can issue [A] (37c) */
    TBAS_SUCCESSOR,   /* the one behind the batch that entered last (37d) */
    TBAS_OLDER_FIRST, /* the oldest (37e) */
    TBAS_STEPS_N
};

/* How many warps may issue. */
enum throttle_kind {
    THROTTLE_NONE,
    THROTTLE_FIXED,
    THROTTLE_IWL,  /* working sets that fit into the L1, from samples (Mao 4.2.1) */
    THROTTLE_CCWS, /* only loads are throttled, by lost locality (Rogers 2012) */
    THROTTLE_N
};

/* Which warps are active, with throttles that limit their number. */
enum active_kind {
    ACTIVE_SPREAD, /* a warp of each CTA in turn (Mao, figure 22a) */
    ACTIVE_CTA,    /* from as few CTAs as possible: IntraCL (Mao 4.2.2) */
    ACTIVE_N
};

/* Which SM a CTA goes to. */
enum dispatch_kind {
    DISPATCH_INTERLEAVED, /* the next CTA goes to any SM with room */
    DISPATCH_SERIAL,      /* each SM has a queue of consecutive CTAs (Mao 4.2.3) */
    DISPATCH_BALANCED,    /* an SM whose queue is empty takes half of the longest queue */
    DISPATCH_N
};

/* What IWL counts as an access of a warp to the L1 (equation 4.5). */
enum iwl_access {
    IWL_TRANSACTIONS, /* the transactions of its instructions */
    IWL_INSTRUCTIONS, /* its memory instructions */
    IWL_ACCESS_N
};

struct iwl_params {
    double alpha, beta;   /* equations 4.2 and 4.6 */
    uint32_t amt_entries; /* bits of the address miss table */
    uint32_t counter_bits;
    enum iwl_access accesses;
};

struct ccws_params {
    uint32_t tags, tag_ways; /* size and associativity of a warp's victim tag array */
    uint32_t base_score;
    double gain; /* K_THROTTLE: scores set per VTA hit and instruction */
};

/* When a warp with a load in flight stops issuing. */
enum memory_wait {
    WAIT_BLOCK,      /* at the memory instruction itself (Candel 2.5.B) */
    WAIT_ALL_AT_USE, /* at the first use of any loaded register, for all outstanding loads
                        (s_waitcnt 0; M2S) */
    WAIT_SCOREBOARD  /* at the first use of that register */
};

enum shared_pipeline {
    SHARED_OWN,   /* the local data share of a compute unit */
    SHARED_MEMORY /* a unified L1 and shared memory behind one load/store unit */
};

enum cta_binding {
    CTA_WARPS_ROUND_ROBIN, /* warp w of a CTA on sub-core (slot mod sub-cores) (NVIDIA) */
    CTA_ONE_SUBCORE        /* all warps of a CTA on one sub-core, CTAs in turn (Candel 1.2.2) */
};

/* Whether the entries of the vector memory buffer belong to the SM or to each warp, and when one is
 * free again (Candel 3.5.3; M2S). */
enum vmb_scope { VMB_PER_SM, VMB_PER_WARP, VMB_SCOPE_N };
enum vmb_release {
    VMB_OUT_OF_ORDER,  /* when its instruction is finished */
    VMB_IN_ORDER,      /* when also all older entries of the SM are free */
    VMB_IN_ORDER_WARP, /* when also all older entries of its warp are free */
    VMB_RELEASE_N
};

/* Latency: issue to result.  Interval: cycles between two instructions on the same unit. */
struct unit_params {
    uint32_t latency, interval;
};

struct sm_params {
    uint32_t count;      /* SMs */
    uint32_t warp_width; /* 32 or 64 lanes */
    uint32_t max_warps, max_ctas;
    uint32_t registers;     /* 32-bit registers (per lane) x lanes, e.g. 65536; 0 = no limit */
    uint32_t register_unit; /* registers per lane are allocated in units of so many */
    uint32_t shared_kb;     /* most shared memory per SM; 0 = no limit */
    uint32_t subcores; /* each with a scheduler that issues one instruction per cycle and units of
                          its own */
    enum sched_kind scheduler;
    uint32_t two_level_warps, intercl_warps; /* in the first level, per sub-core */
    uint32_t owl_ctas;                       /* per group */
    /* Consecutive CTAs that make a thread batch; 0: those that share pages of so many KB. */
    uint32_t batch_blocks, batch_page_kb;
    uint32_t tbas_warps; /* in the running set, per sub-core */
    enum tbas_steps tbas_steps;
    enum throttle_kind throttle;
    uint32_t active_warps; /* per SM, with throttle = fixed */
    enum active_kind active_set;
    struct iwl_params iwl;
    struct ccws_params ccws;
    enum dispatch_kind dispatch;
    bool reuse_classes; /* count hits and misses by the warp that accessed the block last */
    enum cta_binding cta_binding;
    enum memory_wait memory_wait;
    bool nonblocking_stores; /* a store leaves the vector memory buffer when its accesses are issued
                                (Candel 3.5.3) */
    /* A warp keeps its place until its stores have been acknowledged; if not, it ends before. */
    bool exit_waits_for_stores;
    uint32_t launch_cycles; /* from a launch command to its first CTA */
    /* The same of a launch behind another, from the other's end on; 0: launch_cycles. */
    uint32_t next_launch_cycles;
    uint32_t cta_launch_cycles; /* from a CTA's place on an SM to its first instruction */
    double cta_rate;            /* CTAs per core cycle that all SMs get together; 0 = no limit */
    struct unit_params int32, fp32, fp64, sfu, tensor, branch;
    /* Of a matrix unit with an instruction of one warp; 0: as with a warpgroup's, tensor.interval.
     */
    double mma_sync_interval;
    double fp32_interval; /* of an FP32 unit with an instruction, a mean; 0: fp32.interval */
    bool warpgroups; /* four warps multiply together and read B once: libraries choose such tiles */
    uint32_t vmb_entries; /* vector memory instructions in flight; 0 = unbounded */
    enum vmb_scope vmb_scope;
    enum vmb_release vmb_release;
    /* Whether an instruction coalesces over all lanes before it goes to the L1; if not, only within
     * a phase of phase_lanes, one phase per cycle (Candel 3.5.2). */
    bool coalesce_loads, coalesce_stores;
    uint32_t phase_lanes;
    bool combine_atomics;    /* an atomic's lanes with one address make one access */
    uint32_t coalesce_lanes; /* lanes that coalesce together: 8 (Volta), 32 (Fermi), 64 (GCN: the
                                instruction) */
    uint32_t coalesce_bytes; /* size of a transaction: 32-byte sector, 64 or 128-byte line */
    uint32_t memory_latency; /* cycles from issue to the first access in the L1's input queue */
    enum shared_pipeline shared_pipeline;
    uint32_t shared_latency; /* cycles to the result without conflicts, from the issue or, with the
                                address pipeline, from its end */
    uint32_t shared_banks;   /* of 4 bytes */
    uint32_t shared_bytes;   /* a cycle between it and the registers; 0: the banks decide */
};

/* The cycles before the first CTA of a program's first launch, or of one behind another. */
static inline uint32_t sm_launch_cycles(const struct sm_params *p, bool behind)
{
    return behind && p->next_launch_cycles ? p->next_launch_cycles : p->launch_cycles;
}
