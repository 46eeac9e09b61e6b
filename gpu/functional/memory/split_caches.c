/* split_caches.c - QuickRelease in a functional pass, by the read caches alone.
 *
 * A store or an atomic drops its block from the read caches of all L1s and of the L2, and goes to
 * the L3 and the memory at once: the write caches are left out. A load looks up its L1 and then the
 * L2; one with a hint drops the L1's copy and asks the L2. Source: Hechtman et al. 2014, section 3;
 * gpu/coherence/quickrelease.c. */
#include "gpu/functional/memory/split_caches.h"

#include "gpu/functional/memory/functional_l3.h"

static uint32_t drop_block(struct cache *c, uint64_t addr)
{
    uint32_t line = cache_find(c, cache_tag(c, addr));
    if (line != LINE_NONE) cache_forget(c, line, UINT8_MAX);
    return line;
}

/* Takes the block from the read caches of the L1s and of the L2. */
static void drop_copies(struct functional_caches *w, uint64_t addr)
{
    for (uint32_t i = 0; i < w->sms; i++)
        drop_block(&w->l1[i], addr);
    drop_block(&w->slice[map_slice(&w->map, addr)], addr);
}

static void load_block(struct functional_caches *w, uint32_t sm, const struct access *a,
                       bool around)
{
    struct cache *c = &w->l1[sm];
    struct victim v;
    if (around) {
        drop_block(c, a->addr);
        functional_caches_touch_l2(w, a->addr, a);
        return;
    }
    bool hit = cache_touch(c, a, &v);
    uint32_t line = cache_find(c, cache_tag(c, a->addr));
    fluid_take_line(&w->timing, line, !hit);
    if (hit)
        fluid_serve(&w->timing, FLUID_L1, 0);
    else
        functional_caches_touch_l2(w, a->addr, a);
}

void split_caches_access(struct functional_caches *w, uint32_t sm, const struct access *a,
                         uint8_t hint)
{
    double queued;
    fluid_take_line(&w->timing, LINE_NONE, false);
    if (a->kind == ACCESS_READ) {
        load_block(w, sm, a, hint & (HINT_BYPASS_L1 | HINT_BYPASS_L2));
        return;
    }
    drop_copies(w, a->addr);
    enum fluid_level level = FLUID_MEMORY;
    if (a->kind == ACCESS_ATOMIC) level = functional_caches_read_memory(w, a->addr, &queued);
    functional_l3_write(w, a->addr);
    if (a->kind == ACCESS_ATOMIC) {
        fluid_serve(&w->timing, level, queued);
        return;
    }
    functional_caches_open_row(w, a->addr);
    fluid_store(&w->timing, FLUID_L1, 0); /* its bytes stay beside the L1 */
}
