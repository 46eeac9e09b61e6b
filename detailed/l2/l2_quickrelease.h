/* l2_quickrelease.h - an L2 slice under QuickRelease: the home's engine of
 * gpu/coherence/quickrelease.c. The slice's tags are the read cache rL2; the write cache wL2 and
 * its S-FIFO are beside it.
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

bool l2_quickrelease_init(struct l2_slice *s); /* false: no memory */
void l2_quickrelease_fini(struct l2_slice *s);
void l2_quickrelease_clear(struct l2_slice *s);
/* Takes an L1's answer to a probe; false: it is another message. */
bool l2_quickrelease_takes_answer(struct l2_slice *s, uint32_t req);
/* As miss_ops.access. */
bool l2_quickrelease_access(struct l2_slice *s, uint32_t req, uint64_t now);
/* The L3 has answered a request; false: it is no release's marker. */
bool l2_quickrelease_answered(struct l2_slice *s, uint32_t req);
/* Dequeues the S-FIFO and sends what wL2 has served; returns the next cycle at which it is due. */
uint64_t l2_quickrelease_step(struct l2_slice *s, uint64_t now);
bool l2_quickrelease_idle(const struct l2_slice *s);
