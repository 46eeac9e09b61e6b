/* snapshot.h - the functional machine at a moment: which CTAs are resident where, how far each warp
 * is, and the content of the caches. The functional pass makes it, the cycle model begins with it.
 */
#pragma once

#include "gpu/functional/state/interval.h"

#include <stdint.h>

struct snapshot {
    struct interval interval;   /* launch, next_cta and residents are set; the caller sets the
                                   instruction counts */
    struct warm_state *warm;    /* NULL when the pass does not warm caches */
    uint64_t launch_done;       /* instructions of this launch before this moment */
    struct resident *residents; /* owned; interval.residents points to them */
    uint64_t *warp_done;
    uint32_t *next_subcore;
    uint16_t *name;           /* sub-core and slot of the residents' warps */
    struct cta_queue *queues; /* NULL: SMs have no CTA queues */
};
void snapshot_fini(struct snapshot *s); /* frees warm, too */
