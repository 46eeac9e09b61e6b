/* loaded.h - what accesses take under load, counted as the cycle model counts: from issue.
 *
 * The closed network says how long a warp's round waits, wherever that is.  Behind the issue there
 * are only so many places (pipelines, miss queues, network buffers, the controllers' queues), and
 * by Little's law no more than that many requests over their rate is spent there; the rest of the
 * wait is in front of the issue.  Places in front of a station fill when it is the slow one, those
 * behind it do not. Source: Little 1961. */
#ifndef PLUMB_ESTIMATOR_LOADED_H
#define PLUMB_ESTIMATOR_LOADED_H

#include "estimator/launch_model.h"

struct loaded {             /* core cycles */
    double hit, l2, memory; /* loads that hit the L1, the L2, that are fetched */
    double dram;            /* of it, from the controller's acceptance to the last beat */
};
/* Places of one SM behind the issue. */
double loaded_sm_places(const struct launch_model *m);
void loaded_find(const struct launch_model *m, struct loaded *l);

#endif
