/* block_place.h - where a block is in a cache, and in what state of its protocol's table. */
#pragma once

#include "detailed/coherence/write_cache.h"
#include "gpu/cache/cache.h"
#include "gpu/coherence/protocol.h"

struct block_place {
    uint8_t state;
    uint32_t line;   /* its line, or LINE_NONE */
    uint32_t beside; /* its line of the write cache, or WRITE_LINE_NONE; in an L1 under a directory:
                        its put (l1_owner_state.h), or POOL_NONE */
    uint32_t entry; /* MSHR entry of its fill in flight, MSHR_NONE: there is none, or it is valid */
};

/* Finds a block whose state, an enum block_state, is in the tags and MSHRs. w: the write cache
 * beside the cache, NULL: there is none. */
struct block_place block_place_find(const struct cache *c, const struct write_cache *w,
                                    uint64_t addr);
