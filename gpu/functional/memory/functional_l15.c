/* functional_l15.c - the L1.5s of a functional pass (gpu/mechanisms/l1_l15.h). A load of an L1
 * brings its sector; what stores and atomics write leaves. So does what
 * loads that go round the L1, and those of scalar caches, read. A hit is timed as one of the L2
 * that waits for no slice. */
#include "gpu/cache/l15.h"
#include "gpu/functional/memory/functional_caches.h"

static uint32_t count(const struct functional_caches *w)
{
    return l15_caches(w->l1_params, w->sms);
}

static const struct cache_params *params(const struct functional_caches *w)
{
    return &w->l1_params->l15.cache;
}

static void drop_sector(struct cache *c, uint64_t addr)
{
    uint32_t line = cache_find(c, cache_tag(c, addr));
    if (line != LINE_NONE) cache_forget(c, line, (uint8_t)(1u << cache_sector(c, addr)));
}

static bool serves(struct functional_caches *w, uint64_t addr, const struct access *in)
{
    uint32_t i = l15_of(w->l1_params, w->sms, w->sm);
    struct cache *c = &w->shared[w->shared_from[SHARED_l15] + i];
    const struct access a = {.addr = addr, .kind = ACCESS_READ};
    struct victim v;
    if (in->kind != ACCESS_READ || !w->copies_down) {
        drop_sector(c, addr);
        return false;
    }
    if (!cache_touch(c, &a, &v)) return false;
    fluid_serve(&w->timing, FLUID_L2, 0);
    return true;
}

const struct func_shared_ops func_shared_l15 = {.count = count, .params = params, .serves = serves};
