/* l2_prefetch.c - the next-line prefetcher of a slice in a functional pass
 * (gpu/mechanisms/l2_prefetch.h): the line is in the tags and its row is open; an MSHR is always
 * free, and nobody waits. */
#include "gpu/functional/memory/functional_caches.h"

static void fetch_next(struct functional_caches *w, uint32_t slice, uint64_t addr)
{
    uint64_t next = addr + w->slice[slice].p.line_bytes;
    struct access a = {.addr = next, .kind = ACCESS_READ};
    if (map_slice(&w->map, next) != slice) return;
    if (!functional_caches_touch_slice(w, slice, &a)) functional_caches_touch_memory(w, next);
}

const struct func_l2_ops func_l2_prefetch = {.id = MECHANISM_l2_prefetch, .missed = fetch_next};
