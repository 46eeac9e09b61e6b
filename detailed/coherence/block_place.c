#include "detailed/coherence/block_place.h"

struct block_place block_place_find(const struct cache *c, const struct write_cache *w,
                                    uint64_t addr)
{
    uint64_t tag = cache_tag(c, addr);
    struct block_place b = {BLOCK_I, cache_find(c, tag), WRITE_LINE_NONE, MSHR_NONE};
    if (w) b.beside = write_cache_find(w, tag, cache_set(c, tag));
    bool dirty = b.beside != WRITE_LINE_NONE;
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
