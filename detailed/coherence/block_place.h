/* block_place.h - where a block is in a cache, and in what state of its protocol's table. */
#pragma once

#include "gpu/cache/cache.h"
#include "gpu/coherence/protocol.h"

enum { BESIDE_NONE = UINT32_MAX };

struct block_place {
    uint8_t state;
    uint32_t line;   /* its line, or LINE_NONE */
    uint32_t beside; /* its line of the write cache, or BESIDE_NONE; in an L1 under a directory:
                        its put (l1_owner_state.h), or POOL_NONE */
    uint32_t entry; /* MSHR entry of its fill in flight, MSHR_NONE: there is none, or it is valid */
};

/* Finds a block whose state, an enum block_state, is in the tags and MSHRs. beside: where its dirty
 * bytes are, beside the cache. */
static inline struct block_place block_place_find(const struct cache *c, uint32_t beside,
                                                  uint64_t addr)
{
    struct block_place b = {BLOCK_I, cache_find(c, cache_tag(c, addr)), beside, MSHR_NONE};
    bool dirty = beside != BESIDE_NONE;
    if (b.line != LINE_NONE && c->line[b.line].valid >> cache_sector(c, addr) & 1) {
        b.state = dirty ? BLOCK_W : BLOCK_V;
        return b;
    }
    b.entry = mshr_find(&c->mshr, cache_key(c, addr));
    if (b.entry == MSHR_NONE)
        b.state = dirty ? BLOCK_D : BLOCK_I;
    else
        b.state = dirty ? BLOCK_ID : c->mshr.entry[b.entry].killed ? BLOCK_II : BLOCK_IV;
    return b;
}
