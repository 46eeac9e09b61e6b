/* loaded_latency.h - the latency of accesses under load, measured from issue as in the cycle model.
 *
 * The closed network gives a round's total waiting, wherever it happens.  Behind the issue there is
 * a limited number of places (pipelines, miss queues, network buffers, the controllers' queues),
 * and by Little's law the time spent there is at most that number over the request rate; the rest
 * of the wait is before the issue.  The places before the slow station fill, those behind it do
 * not.  Before the L1's look-up wait the accesses in the access queue and the loads set aside for
 * an MSHR, in all no more than the vector memory buffer lets in; and no load takes longer than its
 * warp's round. Source: Little 1961. */
#pragma once

#include "estimator/launch/launch_model.h"

struct loaded_latency { /* core cycles */
    /* latency of loads that hit the L1, that hit the L2, that are fetched */
    double hit, l2, memory;
    double dram;           /* of `memory`, from the controller's acceptance to the last beat */
    double memory_dram[2]; /* ... of each of two memories */
    double request;        /* of l2 and memory, the wait from the SM to the slice */
    double l1_left;        /* share of a fetch that is left for a load that joins it in the L1 */
    double left;           /* waiting for which the path behind the look-up has no place */
};
struct issue_wait { /* mean waiting between issue and look-up, or MSHR; core cycles */
    double hit, miss;
    /* the longest mean time of a transaction from issue to answer; INFINITY: no bound */
    double most;
};
struct read_waits {    /* core cycles, of a read that an SM's port sends */
    double l2, memory; /* if the L2 has it; if the memory has it */
};
/* The places of one SM behind the issue. */
double loaded_latency_sm_places(const struct launch_model *m);
void loaded_latency_read_waits(const struct launch_model *m, struct read_waits *to);
/* loaded_latency_find: from the issue, without the part that loaded_latency_before_issue
 * computes. */
void loaded_latency_find(const struct launch_model *m, struct loaded_latency *l);
/* The places behind the issue of all SMs, slices and channels. */
double loaded_latency_places(const struct launch_model *m);
/* The latency of loads alone: what warps that begin with the launch load first comes as one batch
 * and waits for the first pages, and not for stores and atomics, which come later.  l: of all
 * accesses. */
void loaded_latency_of_loads(const struct launch_model *m, struct loaded_latency *l);
void loaded_latency_before_issue(const struct launch_model *m, const struct loaded_latency *l,
                                 struct issue_wait *b);
