/* cache_block.c - a block with its state, bytes and version outside of its cache: an FRC entry's or
 * a victim cache's. Lines have one sector there. A store to such a block sets bytes, and the block
 * is valid when it has all. */
#include "gpu/cache/cache_block.h"

#include <assert.h>
#include <string.h>

struct cache_block cache_block_copy(const struct cache *c, uint32_t line)
{
    const struct cache_line *l = &c->line[line];
    struct cache_block b = {.tag = l->tag,
                            .version = c->version ? c->version[line] : 0,
                            .owner = c->note ? c->note[line] : 0,
                            .valid = l->valid,
                            .partial = l->partial,
                            .dirty = l->dirty};
    assert(c->sectors == 1 && l->resident);
    memcpy(b.bytes, &c->bytes[2 * (size_t)line], sizeof b.bytes);
    return b;
}

void cache_block_put(struct cache *c, uint32_t line, const struct cache_block *b)
{
    struct victim gone;
    cache_take(c, line, b->tag, &gone);
    struct cache_line *l = &c->line[line];
    l->valid = b->valid;
    l->partial = b->partial;
    l->dirty = b->dirty;
    memcpy(&c->bytes[2 * (size_t)line], b->bytes, sizeof b->bytes);
    if (c->version) c->version[line] = b->version;
    if (c->note) c->note[line] = b->owner;
}

void cache_block_write(const struct cache *c, struct cache_block *b, const struct access *a)
{
    const uint64_t *all = c->sector_mask[0];
    if (c->p.write == WRITE_BACK) b->dirty = 1;
    if (b->valid) return;
    b->bytes[0] |= a->mask[0];
    b->bytes[1] |= a->mask[1];
    b->valid = b->bytes[0] == all[0] && b->bytes[1] == all[1];
    b->partial = !b->valid;
}
