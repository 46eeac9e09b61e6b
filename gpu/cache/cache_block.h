/* cache_block.h - a block that is carried from one structure to another, of caches without sectors.
 */
#ifndef PLUMB_GPU_CACHE_CACHE_BLOCK_H
#define PLUMB_GPU_CACHE_CACHE_BLOCK_H

#include "gpu/cache/cache.h"

struct cache_block {
    uint64_t tag, bytes[2];        /* bytes: those written, where partial */
    uint32_t version;              /* shadow memory */
    uint16_t owner;                /* cache.note */
    uint8_t valid, partial, dirty; /* 0 or 1 */
};

/* Precondition: the line is resident.  It stays as it is. */
struct cache_block cache_block_copy(const struct cache *c, uint32_t line);
/* The line's old content is gone; the replacement policy takes the block for a new one. */
void cache_block_put(struct cache *c, uint32_t line, const struct cache_block *b);

#endif
