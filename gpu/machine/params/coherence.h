/* coherence.h - parameters of the coherence protocol between the L1s and the L2. */
#ifndef PLUMB_GPU_MACHINE_PARAMS_COHERENCE_H
#define PLUMB_GPU_MACHINE_PARAMS_COHERENCE_H

#include "gpu/machine/tables/param.h"

enum protocol_kind {
    PROTOCOL_NONE,   /* the cache policies alone say what an access does */
    PROTOCOL_SI,     /* Southern Islands: two states, write-through by byte masks (Candel 4.5.4) */
    PROTOCOL_NMOESI, /* a directory; stores of SMs leave other copies alone (Candel 2.4.A) */
    PROTOCOL_MOESI,  /* a directory; one writer at a time (Candel 2.4.A) */
    PROTOCOL_N
};

/* What a store that owns its block (MOESI's, atomics) does beside other accesses of its L1. */
enum store_order {
    STORE_ORDER_FREE,    /* its block alone matters */
    STORE_ORDER_IN_ORDER /* it waits for all older ones, and all younger ones for it */
};

struct coherence_params {
    enum protocol_kind protocol;
    bool fence_invalidates; /* a fence acquires, too */
    enum store_order store_order;
};

#endif
