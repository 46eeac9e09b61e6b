/* l1_prefetch.c - the stride prefetcher of the L1s in a functional pass
 * (gpu/mechanisms/l1_prefetch.h): the sectors are in the tags at once; an MSHR is always free, and
 * nobody waits. */
#include "gpu/cache/agcb.h"
#include "gpu/cache/stride_table.h"
#include "gpu/functional/memory/functional_caches.h"

static void fetch_sector(struct functional_caches *w, struct cache *c, uint64_t addr)
{
    struct access a = {.addr = addr, .kind = ACCESS_READ};
    struct victim v;
    double queued;
    if (functional_caches_is_here(c, addr)) return;
    cache_touch(c, &a, &v);
    functional_caches_write_back(w, c, &v);
    functional_caches_ask_l2(w, addr, &a, &queued);
}

static void looked_up(struct functional_caches *w, uint32_t sm, const struct access *a,
                      const struct static_inst *si, bool hit)
{
    const struct l1_params *p = w->l1_params;
    struct stride_entry *table = w->memory[sm].of[L1_OF_prefetch];
    struct cache *c = &w->l1[sm];
    uint16_t pc = agcb_pc(&p->agcb, si->pc);
    if (w->first)
        stride_table_learn(table, p->prefetch_entries, pc, w->warp, cache_tag(c, a->addr));
    int64_t stride = hit ? 0 : stride_table_find(table, p->prefetch_entries, pc, w->warp);
    uint64_t addr = a->addr;
    for (uint32_t n = stride ? p->prefetch_degree : 0; n; n--) {
        addr += (uint64_t)stride << c->line_shift;
        if (p->page_shift && a->addr >> p->page_shift != addr >> p->page_shift) return;
        fetch_sector(w, c, addr);
    }
}

const struct func_l1_ops func_l1_prefetch = {.id = MECHANISM_l1_prefetch, .looked_up = looked_up};
