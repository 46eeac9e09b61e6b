/* cache_block.h - a block that moves from one structure to another (caches without sectors). */
#pragma once

#include "gpu/cache/cache.h"

struct cache_block {
    uint64_t tag, bytes[2];        /* bytes: the written ones, if partial */
    uint32_t version;              /* shadow memory */
    uint16_t owner;                /* cache.note */
    uint8_t valid, partial, dirty; /* 0 or 1 */
};

/* Copies a resident line, which does not change. */
struct cache_block cache_block_copy(const struct cache *c, uint32_t line);
/* Overwrites a line with the block; for the replacement policy the line is new. */
void cache_block_put(struct cache *c, uint32_t line, const struct cache_block *b);
/* Writes an access's bytes to a block of this cache that is outside its lines. */
void cache_block_write(const struct cache *c, struct cache_block *b, const struct access *a);
