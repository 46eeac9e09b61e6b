/* l2_prefetch.c - the next-line prefetcher of a slice in a functional pass
 * (gpu/mechanisms/l2_prefetch.h): the line is in the tags and its row is open; an MSHR is always
 * free, and nobody waits. [A] A dirty victim leaves, too, where the cycle model does not prefetch.
 */
#include "gpu/functional/memory/functional_caches.h"

static void fetch_next(struct functional_caches *w, uint32_t slice, uint64_t addr)
{
    uint64_t next = addr + w->slice[slice].p.line_bytes;
    struct access a = {.addr = next, .kind = ACCESS_READ};
    const struct cache *c = &w->slice[slice];
    bool down = w->copies_down;
    double queued;
    if (map_slice(&w->map, next) != slice) return;
    uint32_t line = cache_find(c, cache_tag(c, next));
    if (line != LINE_NONE && c->line[line].valid >> cache_sector(c, next) & 1) return;
    w->copies_down = false; /* no L1 gets it */
    functional_caches_touch_slice(w, slice, &a);
    functional_caches_read_memory(w, next, &queued);
    w->copies_down = down;
}

const struct func_l2_ops func_l2_prefetch = {.id = MECHANISM_l2_prefetch, .missed = fetch_next};
