/* write_cache_costs.h - energy per event, leakage and area of the write caches of L1s, L2 slices
 * and L3, with their S-FIFOs (QuickRelease 3); units: costs.h. */
#pragma once

#include "gpu/energy/memory_costs.h"

enum write_cache_level { WRITE_CACHE_L1, WRITE_CACHE_L2, WRITE_CACHE_L3, WRITE_CACHE_N };

struct write_cache_costs {
    struct cache_costs cache;
    struct ram_costs fifo;
};

struct write_caches_costs {
    bool on;
    struct write_cache_costs level[WRITE_CACHE_N];
    double blocks_per_burst; /* blocks of the L3 that a burst of the memory holds; 1 at most */
};
