/* latencies.h - the latencies of accesses without queues, in core cycles. */
#pragma once

#include "estimator/launch/launch_model.h"

/* Of hits in the L1 and the L2; once for a launch. */
void latencies_of_hits(struct launch_model *m);
/* Of a fetch from the L3 or memory, at the last solution's load of the banks. */
void latencies_of_memory(struct launch_model *m);
/* Of what misses the L2, and of the mean L1 miss: after l2_miss_find. */
void latencies_of_misses(struct launch_model *m);
