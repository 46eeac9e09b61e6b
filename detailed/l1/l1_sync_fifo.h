/* l1_sync_fifo.h - what QuickRelease (gpu/coherence/quickrelease.c) adds to an L1's agent. The
 * L1's tags are the read cache rL1; the write cache wL1 and its S-FIFO are beside it.
 *
 * A release is a marker in the S-FIFO. It holds up nothing but its warp: when it comes to the head,
 * one request for it goes to each slice, behind the dirty bytes that went there before, and it is
 * over when all have acknowledged it. The store that a release carries (StRel) has a marker behind
 * it, too, for which nobody waits, so that it leaves at once (3.1.3). */
#pragma once

#include "detailed/coherence/write_cache.h"
#include "detailed/l1/l1.h"

/* A release whose marker has not been acknowledged by all slices. */
struct release {
    uint32_t vinst; /* of the warp, or a bundle of several that wait for it; UINT32_MAX: none */
    uint32_t left;  /* acknowledgements to come; 0: its marker is in the S-FIFO */
    uint32_t next;  /* among free ones */
};

struct sync_agent {
    struct write_cache write; /* wL1 */
    struct fifo late; /* vinsts of loads that wL1 serves; time = when they have their data */
    struct release *release;
    struct pool releases; /* used: those that are not over */
};

/* Begins a release of its warp's S-FIFO; vinst is done when it is over. false: no memory. */
bool l1_sync_fifo_release(struct l1 *l, uint32_t vinst);
/* Begins a release of every S-FIFO that is not empty, of one at least; vinst is done once for each
 * of them. Returns their number. */
uint32_t l1_sync_fifo_release_all(struct l1 *l, uint32_t vinst);
