/* l2_sync_fifo.h - what QuickRelease (gpu/coherence/quickrelease.c) adds to an L2 slice's home.
 * The slice's tags are the read cache rL2; the write cache wL2 and its S-FIFO are beside it.
 *
 * A block that leaves wL2 goes to the L3's write cache, and every L1 is told to drop its copy. A
 * release's marker at the head of the S-FIFO goes to the L3, if something else has gone there since
 * the last one; if L1s were told something since the last one, a round of probes goes behind it to
 * every L1. Markers that follow each other go together, as a group. The slice acknowledges a group
 * when the L3 has answered and every L1 has answered the last round before it. L1s answer in order,
 * and groups end in order. */
#pragma once

#include "detailed/coherence/write_cache.h"
#include "detailed/l2/l2.h"

struct sync_home {
    struct write_cache write; /* wL2 */
    struct fifo late;         /* reads that wL2 serves; time = when they have their data */
    struct fifo open;         /* groups of releases that have left; value = their first marker's
                                 request, time = the round of probes that they wait for */
    uint32_t *applied;        /* [sms] rounds that each L1 has answered */
    uint32_t rounds;          /* that were sent */
    bool sent;                /* blocks have gone to the L3 since the last marker */
    bool told;                /* L1s were told to drop copies since the last round */
};

extern const struct home_ops l2_sync_fifo_ops; /* l2_home.h */
