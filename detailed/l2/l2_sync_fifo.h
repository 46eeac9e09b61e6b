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

#include "detailed/coherence/block_place.h"
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

bool l2_sync_fifo_init(struct l2_slice *s); /* false: no memory */
void l2_sync_fifo_fini(struct l2_slice *s);
void l2_sync_fifo_clear(struct l2_slice *s);
/* Takes an L1's answer to a probe; false: it is another message. */
bool l2_sync_fifo_takes_answer(struct l2_slice *s, uint32_t req);
/* Takes a release's marker into the S-FIFO; false: it is another message. */
bool l2_sync_fifo_takes_marker(struct l2_slice *s, uint32_t req);
/* Whether wL2 has all bytes of the block. */
bool l2_sync_fifo_has_all(const struct l2_slice *s, const struct block_place *at);
/* Takes dirty bytes into wL2; false: they must wait. */
bool l2_sync_fifo_take(struct l2_slice *s, uint32_t req, const struct block_place *at,
                       const struct row *row);
/* Serves a read from wL2, after a look-up of its tags behind those of rL2; returns true. */
bool l2_sync_fifo_serve(struct l2_slice *s, uint32_t req, const struct block_place *at,
                        uint64_t now);
/* Sends a block's dirty bytes to the L3; written: its line of wL2. */
void l2_sync_fifo_clean(struct l2_slice *s, uint32_t written);
/* Tells all L1s to drop their copies of a block. */
void l2_sync_fifo_invalidate(struct l2_slice *s, uint64_t addr);
/* Sends an atomic to the L3, the point of coherence (3.1.1). */
void l2_sync_fifo_send_atomic(struct l2_slice *s, uint32_t req);
/* The L3 has answered a request; false: it is no release's marker. */
bool l2_sync_fifo_answered(struct l2_slice *s, uint32_t req);
/* Dequeues the S-FIFO and sends what wL2 has served; returns the next cycle at which it is due. */
uint64_t l2_sync_fifo_step(struct l2_slice *s, uint64_t now);
bool l2_sync_fifo_idle(const struct l2_slice *s);
