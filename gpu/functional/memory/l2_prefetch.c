/* l2_prefetch.c - the prefetchers of a slice in a functional pass (gpu/mechanisms/l2_prefetch.h):
 * the lines are in the tags and their row is open; an MSHR is always free, and nobody waits. [A] A
 * dirty victim leaves, too, where the cycle model does not prefetch. */
#include "gpu/functional/memory/functional_caches.h"
#include "gpu/geometry/row_lines.h"

static void fetch_line(struct functional_caches *w, uint32_t slice, uint64_t addr)
{
    struct access a = {.addr = addr, .kind = ACCESS_READ};
    const struct cache *c = &w->slice[slice];
    bool down = w->copies_down;
    double queued;
    uint32_t line = cache_find(c, cache_tag(c, addr));
    if (line != LINE_NONE && c->line[line].valid >> cache_sector(c, addr) & 1) return;
    w->copies_down = false; /* no L1 gets it */
    functional_caches_touch_slice(w, slice, &a);
    functional_caches_read_memory(w, addr, &queued);
    w->copies_down = down;
}

static void fetch_row(struct functional_caches *w, uint32_t slice, uint64_t addr)
{
    for (uint32_t n = w->l2->prefetch_degree; n; n--) {
        if (!row_lines_next(functional_caches_map(w, addr), addr, w->slice[slice].p.line_bytes,
                            &addr))
            return;
        fetch_line(w, slice, addr);
    }
}

static void fetch_next(struct functional_caches *w, uint32_t slice, uint64_t addr)
{
    uint64_t next = addr + w->slice[slice].p.line_bytes;
    if (w->l2->prefetch == PREFETCH_OPEN_ROW)
        fetch_row(w, slice, addr);
    else if (map_slice_fetches(&w->map, slice, next))
        fetch_line(w, slice, next);
}

const struct func_l2_ops func_l2_prefetch = {.id = MECHANISM_l2_prefetch, .missed = fetch_next};
