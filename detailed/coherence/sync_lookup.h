/* sync_lookup.h - where a block stands in one of QuickRelease's split caches: the L1 and the L2
 * look it up in the same way. */
#pragma once

#include "detailed/coherence/write_cache.h"
#include "gpu/cache/cache.h"
#include "gpu/coherence/quickrelease_states.h"

struct sync_lookup {
    enum sync_state state;
    uint32_t line;    /* of the read cache, or LINE_NONE */
    uint32_t written; /* of the write cache, or WRITE_LINE_NONE */
    uint32_t entry;   /* MSHR entry of its fill in flight, or MSHR_NONE */
};

struct sync_lookup sync_lookup(const struct cache *c, const struct write_cache *w, uint64_t addr);
