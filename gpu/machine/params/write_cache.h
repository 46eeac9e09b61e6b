/* write_cache.h - parameters of a write-combining cache and its synchronisation FIFO (QuickRelease
 * 3, table 1), one beside each L1, each L2 slice and each part of the L3. */
#pragma once

#include <stdint.h>

enum { WRITE_CACHE_TAG_LATENCY_MAX = 1000 };

struct write_cache_params {
    uint32_t kb;
    uint32_t ways;
    uint32_t fifo;        /* entries for blocks in the synchronisation FIFO */
    uint32_t tag_latency; /* cycles of its tags, which are looked up behind the read cache's */
};
