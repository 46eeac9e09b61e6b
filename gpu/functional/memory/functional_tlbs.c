/* functional_tlbs.c - TLBs and walk cache in a functional pass: the tags of each, and for each page
 * the time at which its translation is there.
 *
 * An access waits until its page's time. A page that the SM's TLB lacks comes after the shared
 * TLB's latency, and one that this lacks after its walk: for each level the walk cache's latency
 * and, if the entry is not there, a read through the L2. Walkers, ports and the number of pages
 * that wait are left out. Source: Mao table 9; docs/models/translation.md. */
#include "gpu/functional/memory/functional_tlbs.h"

#include "base/memory/alloc.h"
#include "base/memory/serialize.h"
#include "gpu/cache/tlb_tags.h"
#include "gpu/functional/memory/functional_caches.h"
#include "gpu/geometry/page_walk.h"
#include "gpu/machine/params/translation/tlb.h"

static size_t count_pages(const struct functional_tlbs *t)
{
    return t->l2.n_lines + (size_t)t->sms * t->l1[0].n_lines;
}

bool functional_tlbs_init(struct functional_tlbs *t, const struct tlb_params *p, uint32_t sms)
{
    *t = (struct functional_tlbs){.p = p};
    if (!tlb_is_on(p)) return true;
    t->sms = sms;
    bool ok = functional_caches_make(&t->l1, sms, &p->l1, 1, 0) &&
              cache_init(&t->l2, &p->l2, 1, 0, false) &&
              cache_init(&t->walk_cache, &p->walk_cache, 1, 0, false);
    if (ok) t->there = mem_new(count_pages(t), sizeof *t->there);
    return t->there != NULL;
}

void functional_tlbs_fini(struct functional_tlbs *t)
{
    functional_caches_free(t->l1, t->sms);
    if (t->l2.line) cache_fini(&t->l2);
    if (t->walk_cache.line) cache_fini(&t->walk_cache);
    mem_free(t->there);
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
        cycles += queued + w->timing.latency[from] + w->timing.far;
        w->timing.far = 0; /* of the walk, not of the access behind it */
    }
    return cycles;
}

/* When the shared TLB has the page, for an SM that asks at `now`. */
static double ask_shared(struct functional_caches *w, uint64_t page, double now)
{
    struct functional_tlbs *t = &w->tlbs;
    bool hit = tlb_tags_touch(&t->l2, page);
    double *there = &t->there[cache_find(&t->l2, page)];
    if (!hit) *there = now + walk(w, page);
    return *there > now ? *there : now;
}

double functional_tlbs_translate(struct functional_caches *w, uint32_t sm, uint64_t addr)
{
    struct functional_tlbs *t = &w->tlbs;
    struct cache *l1 = &t->l1[sm];
    uint64_t page = addr >> t->p->page_shift;
    double now = w->timing.issued;
    bool hit = tlb_tags_touch(l1, page);
    double *there = &t->there[t->l2.n_lines + (size_t)sm * l1->n_lines + cache_find(l1, page)];
    if (!hit) *there = ask_shared(w, page, now) + t->p->l2_latency;
    return *there > now ? *there - now : 0;
}

bool functional_tlbs_save(const struct functional_tlbs *t, struct warm_state *s)
{
    if (!t->l1) return true;
    return functional_caches_save_all(&s->l1_tlb, t->l1, t->sms) &&
           functional_caches_save_one(&s->l2_tlb, &t->l2) &&
           functional_caches_save_one(&s->walk_cache, &t->walk_cache);
}

void functional_tlbs_serialize(struct functional_tlbs *t, struct serializer *s)
{
    if (!t->l1) return;
    for (uint32_t i = 0; i < t->sms; i++)
        cache_serialize(&t->l1[i], s);
    cache_serialize(&t->l2, s);
    cache_serialize(&t->walk_cache, s);
    serialize_data(s, t->there, count_pages(t) * sizeof *t->there);
}
