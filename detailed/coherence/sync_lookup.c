/* sync_lookup.c - the state of a block in a read cache and its write cache. */
#include "detailed/coherence/sync_lookup.h"

struct sync_lookup sync_lookup(const struct cache *c, const struct write_cache *w, uint64_t addr)
{
    uint64_t tag = cache_tag(c, addr);
    struct sync_lookup f = {SYNC_I, cache_find(c, tag), write_cache_find(w, tag, cache_set(c, tag)),
                            MSHR_NONE};
    bool dirty = f.written != WRITE_LINE_NONE;
    if (f.line != LINE_NONE && c->line[f.line].valid) {
        f.state = dirty ? SYNC_W : SYNC_V;
        return f;
    }
    f.entry = mshr_find(&c->mshr, cache_key(c, addr));
    if (f.entry == MSHR_NONE)
        f.state = dirty ? SYNC_D : SYNC_I;
    else
        f.state = dirty ? SYNC_ID : c->mshr.entry[f.entry].killed ? SYNC_II : SYNC_IV;
    return f;
}
