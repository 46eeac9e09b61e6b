/* l1_agcb.c - loads of an L1 with adaptive bypassing in a functional pass (gpu/cache/agcb.h): every
 * reply arrives at once. */
#include "gpu/cache/agcb.h"
#include "gpu/functional/memory/functional_caches.h"

void functional_caches_touch_predicted(struct functional_caches *w, uint32_t sm,
                                       const struct access *a, uint32_t address)
{
    const struct agcb_params *p = &w->l1_params->agcb;
    uint8_t *counter = w->memory[sm].of[L1_OF_agcb];
    struct cache *c = &w->l1[sm];
    struct victim v;
    uint16_t pc = agcb_pc(p, address);
    uint32_t line = cache_find(c, cache_tag(c, a->addr));
    bool here = functional_caches_is_here(c, a->addr), predicted = agcb_predicts(p, counter, pc);
    if (here && predicted && p->lookup_first) {
        w->copies_down = false;
        functional_caches_touch_l2(w, a->addr, a);
        return;
    }
    functional_caches_tell_policies(w, sm, a, !here && !predicted);
    if (here) {
        cache_touch(c, a, &v);
        agcb_line_hit(p, counter, c, line, pc);
        functional_caches_find_line(w, c, a->addr);
        fluid_serve(&w->timing, FLUID_L1, 0);
        return;
    }
    functional_caches_touch_l2(w, a->addr, a);
    struct cache *l2 = &w->slice[map_slice(&w->map, a->addr)];
    uint32_t below = cache_find(l2, cache_tag(l2, a->addr));
    bool came_back =
        below != LINE_NONE && agcb_verify(&l2->note[below], cache_sector(l2, a->addr), predicted);
    if (predicted && !came_back) return;
    agcb_fill_evicts(p, counter, c, a->addr);
    cache_touch(c, a, &v);
    line = cache_find(c, cache_tag(c, a->addr));
    if (line != LINE_NONE) c->note[line] = (uint16_t)(pc + 1);
}
