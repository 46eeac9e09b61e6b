/* coherence.h - parameters of the coherence protocol between the L1s and the L2. */
#pragma once

#include "gpu/machine/tables/param.h"

enum protocol_kind {
    PROTOCOL_NONE,   /* no protocol: only the cache policies apply */
    PROTOCOL_SI,     /* Southern Islands: two states, write-through by byte masks (Candel 4.5.4) */
    PROTOCOL_NMOESI, /* a directory; stores of SMs invalidate no other copy (Candel 2.4.A) */
    PROTOCOL_MOESI,  /* a directory; one writer at a time (Candel 2.4.A) */
    PROTOCOL_N
};

/* How a store that owns its block (MOESI's stores, atomics) is ordered with other accesses of its
 * L1. */
enum store_order {
    STORE_ORDER_FREE,    /* only with accesses to its block */
    STORE_ORDER_IN_ORDER /* after all older accesses and before all younger ones */
};

struct coherence_params {
    enum protocol_kind protocol;
    bool fence_invalidates; /* a fence is an acquire, too */
    enum store_order store_order;
};
