/* l1.h - parameters of the L1 data cache of one SM, and of its split with shared memory. */
#ifndef PLUMB_MACHINE_L1_H
#define PLUMB_MACHINE_L1_H

#include "machine/cache.h"
#include "machine/param.h"

struct l1_params {
    bool enabled;
    uint32_t kb;
    struct cache_params cache; /* cache.sets is derived from kb */
    uint32_t latency;          /* cycles, tag look-up to data of a hit */
    uint32_t ports;            /* accesses per cycle */
    uint32_t miss_queue;       /* packets waiting for the network */
    uint32_t fill_ports;       /* fills per cycle */
    bool adaptive; /* L1 = unified - the smallest shared option that the launch needs (Khairy II) */
    uint32_t unified_kb; /* L1 and shared memory together */
    struct param_list shared_options_kb;
    bool flush_at_launch; /* invalidated between launches */
};

#endif
