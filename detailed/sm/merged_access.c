/* merged_access.c - accesses that have merged in the L1's queue continue as one access: a bundle
 * takes the place of its instruction and passes every event on to all members. A bundle is a vinst
 * of its own kind; its members are chained in order of arrival. */
#include "detailed/sm/sm.h"

#include "base/memory/alloc.h"

enum { NONE = UINT32_MAX };

static void chain_free(struct bundle_pool *b, uint32_t from)
{
    for (uint32_t i = from; i < b->cap; i++)
        b->node[i].next = i + 1 < b->cap ? i + 1 : NONE;
    b->free = from;
}

static uint32_t new_node(struct bundle_pool *b, uint32_t vinst)
{
    if (b->free == NONE) {
        size_t cap = b->cap;
        uint32_t old = b->cap;
        if (!mem_grow(&b->node, &cap, cap ? cap * 2 : 64, sizeof *b->node)) return NONE;
        b->cap = (uint32_t)cap;
        chain_free(b, old);
    }
    uint32_t i = b->free;
    b->free = b->node[i].next;
    b->node[i] = (struct bundle_node){vinst, NONE};
    return i;
}

void bundle_clear(struct bundle_pool *b)
{
    chain_free(b, 0);
    if (!b->cap) b->free = NONE;
}

uint32_t sm_vinst_join(void *owner, uint32_t into, uint32_t vinst)
{
    struct sm *s = owner;
    uint32_t bundle = into;
    if (!s->vinst[into].bundle || s->vinst[into].release) {
        uint32_t first = new_node(&s->bundles, into);
        bundle = first == NONE ? NONE : sm_vinst_new(s);
        if (bundle == NONE) return NONE;
        if (s->sites && !sm_site_begins(s, bundle, s->site_of[into])) return NONE;
        s->vinst[bundle] = (struct vinst){
            .warp = s->vinst[into].warp, .bundle = true, .first = first, .last = first};
    }
    uint32_t node = new_node(&s->bundles, vinst);
    if (node == NONE) return NONE;
    s->bundles.node[s->vinst[bundle].last].next = node;
    s->vinst[bundle].last = node;
    return bundle;
}

void sm_bundle_issued(struct sm *s, uint32_t bundle)
{
    for (uint32_t i = s->vinst[bundle].first; i != NONE; i = s->bundles.node[i].next)
        sm_vinst_issued(s, s->bundles.node[i].vinst);
}

/* Completes all members, which may end warps and free themselves; the bundle is freed first. */
void sm_bundle_done(struct sm *s, uint32_t bundle, uint64_t now)
{
    struct bundle_pool *b = &s->bundles;
    uint32_t i = s->vinst[bundle].first;
    if (s->vinst[bundle].release) {
        sm_release_done(s, bundle, now);
        return;
    }
    sm_vinst_free(s, bundle);
    while (i != NONE) {
        uint32_t vinst = b->node[i].vinst, next = b->node[i].next;
        b->node[i].next = b->free;
        b->free = i;
        sm_vinst_done(s, vinst, now);
        i = next;
    }
}
