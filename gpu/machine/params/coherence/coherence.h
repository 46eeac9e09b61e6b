/* coherence.h - parameters of the coherence protocol between the L1s and the L2. */
#pragma once

#include "gpu/machine/rows/param.h"

enum protocol_kind {
    PROTOCOL_NONE,   /* no protocol: only the cache policies apply */
    PROTOCOL_SI,     /* Southern Islands: two states, write-through by byte masks (Candel 4.5.4) */
    PROTOCOL_NMOESI, /* a directory; stores of SMs invalidate no other copy (Candel 2.4.A) */
    PROTOCOL_MOESI,  /* a directory; one writer at a time (Candel 2.4.A) */
    PROTOCOL_QUICKRELEASE, /* write caches whose S-FIFOs order stores before a release
                              (QuickRelease 3) */
    PROTOCOL_N
};

/* How a store that owns its block (MOESI's stores, atomics) is ordered with other accesses of its
 * L1. */
enum store_order {
    STORE_ORDER_FREE,    /* only with accesses to its block */
    STORE_ORDER_IN_ORDER /* after all older accesses and before all younger ones */
};

/* What a miss of an L1 under a directory does with the block of its line. */
enum l1_victim {
    L1_VICTIM_BESIDE, /* puts it, and fetches at once */
    L1_VICTIM_FIRST   /* puts it, and fetches when the home has acknowledged it */
};

/* Whose stores share a synchronisation FIFO in front of the L2 (QuickRelease 3). */
enum fifo_scope { FIFO_OF_SM, FIFO_OF_CTA, FIFO_OF_WARP };

struct coherence_params {
    enum protocol_kind protocol;
    bool fence_invalidates; /* a fence is an acquire, too */
    enum store_order store_order;
    enum l1_victim l1_victim;
    uint32_t directory_entries; /* blocks that it covers, over all slices; 0: any number */
    uint32_t directory_ways;    /* of a set of entries */
    uint32_t directory_latency; /* L2 cycles from a slice to it and back; 0: it is at the slice */
    enum fifo_scope fifo_scope; /* with PROTOCOL_QUICKRELEASE */
};

/* Whether a directory at the L2 knows who has copies. */
static inline bool coherence_has_directory(const struct coherence_params *c)
{
    return c->protocol == PROTOCOL_MOESI || c->protocol == PROTOCOL_NMOESI;
}
