/* loaded_latency.h - what accesses take under load, counted as the cycle model counts: from issue.
 *
 * The closed network says how long a warp's round waits, wherever that is.  Behind the issue there
 * are only so many places (pipelines, miss queues, network buffers, the controllers' queues), and
 * by Little's law no more than that many requests over their rate is spent there; the rest of the
 * wait is in front of the issue.  Places in front of a station fill when it is the slow one, those
 * behind it do not.  In front of the L1's look-up stand what the access queue and the list of loads
 * that wait aside for an MSHR hold, and no more in all than the vector memory buffer lets in; nor
 * does a load take longer than its warp's round.
 * Source: Little 1961. */
#ifndef PLUMB_ESTIMATOR_NETWORK_LOADED_LATENCY_H
#define PLUMB_ESTIMATOR_NETWORK_LOADED_LATENCY_H

#include "estimator/model/launch_model.h"

struct loaded_latency {     /* core cycles */
    double hit, l2, memory; /* loads that hit the L1, the L2, that are fetched */
    double dram;            /* of it, from the controller's acceptance to the last beat */
    double request;         /* of l2 and memory, the wait from the SM to the slice */
    double left;            /* waiting for which the ways behind the look-up have no place */
};
struct issue_wait { /* waiting between issue and look-up, or MSHR; mean, core cycles */
    double hit, miss;
    double most; /* of a transaction from issue to answer, mean; INFINITY: without bounds */
};
/* Places of one SM behind the issue. */
double loaded_latency_sm_places(const struct launch_model *m);
/* From the issue, but without what loaded_latency_before_issue finds. */
void loaded_latency_find(const struct launch_model *m, struct loaded_latency *l);
void loaded_latency_before_issue(const struct launch_model *m, const struct loaded_latency *l,
                                 struct issue_wait *b);

#endif
