#include "gpu/functional/memory/functional_tlbs.h"

#include "base/memory/alloc.h"
#include "gpu/cache/tlb_tags.h"
#include "gpu/functional/memory/functional_caches.h"
#include "gpu/geometry/page_walk.h"
#include "gpu/machine/params/translation/tlb.h"

bool functional_tlbs_init(struct functional_tlbs *t, const struct tlb_params *p, uint32_t sms)
{
    *t = (struct functional_tlbs){.p = p};
    if (!tlb_is_on(p)) return true;
    t->l1 = mem_new(sms, sizeof *t->l1);
    for (; t->l1 && t->sms < sms; t->sms++)
        if (!cache_init(&t->l1[t->sms], &p->l1, 1, 0, false)) return false;
    return t->l1 && cache_init(&t->l2, &p->l2, 1, 0, false) &&
           cache_init(&t->walk_cache, &p->walk_cache, 1, 0, false);
}

void functional_tlbs_fini(struct functional_tlbs *t)
{
    if (!t->l1) return;
    for (uint32_t i = 0; i < t->sms; i++)
        cache_fini(&t->l1[i]);
    if (t->l2.line) cache_fini(&t->l2);
    if (t->walk_cache.line) cache_fini(&t->walk_cache);
    mem_free(t->l1);
    *t = (struct functional_tlbs){0};
}

/* Reads the entries of the page table, level by level; returns the cycles that it takes. */
static double walk(struct functional_caches *w, uint64_t page)
{
    struct functional_tlbs *t = &w->tlbs;
    double cycles = 0;
    w->copies_down = false;
    for (uint32_t level = 0; level < t->p->levels; level++) {
        const struct access a = {.addr = page_walk_entry(page, level, t->p->levels),
                                 .kind = ACCESS_READ};
        struct victim v;
        double queued;
        cycles += t->p->walk_cache_latency;
        if (cache_touch(&t->walk_cache, &a, &v)) continue;
        enum fluid_level from = functional_caches_ask_l2(w, a.addr, &a, &queued);
        cycles += queued + w->timing.latency[from];
    }
    return cycles;
}

double functional_tlbs_translate(struct functional_caches *w, uint32_t sm, uint64_t addr)
{
    struct functional_tlbs *t = &w->tlbs;
    uint64_t page = addr >> t->p->page_shift;
    if (tlb_tags_touch(&t->l1[sm], page)) return 0;
    if (tlb_tags_touch(&t->l2, page)) return t->p->l2_latency;
    return t->p->l2_latency + walk(w, page);
}

static bool save_tags(struct cache_image *to, const struct cache *c)
{
    to->line = mem_new(c->index.n ? c->index.n : 1, sizeof *to->line);
    if (to->line) to->n = cache_save(c, to->line);
    return to->line != NULL;
}

bool functional_tlbs_save(const struct functional_tlbs *t, struct warm_state *s)
{
    if (!t->l1) return true;
    s->l1_tlb = mem_new(t->sms, sizeof *s->l1_tlb);
    bool ok =
        s->l1_tlb && save_tags(&s->l2_tlb, &t->l2) && save_tags(&s->walk_cache, &t->walk_cache);
    for (uint32_t i = 0; ok && i < t->sms; i++)
        ok = save_tags(&s->l1_tlb[i], &t->l1[i]);
    return ok;
}

void functional_tlbs_serialize(struct functional_tlbs *t, struct serializer *s)
{
    if (!t->l1) return;
    for (uint32_t i = 0; i < t->sms; i++)
        cache_serialize(&t->l1[i], s);
    cache_serialize(&t->l2, s);
    cache_serialize(&t->walk_cache, s);
}
