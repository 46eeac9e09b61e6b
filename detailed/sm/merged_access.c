/* merged_access.c - accesses that have merged in the L1's queue continue as one access: a bundle
 * takes the place of its instruction and passes every event on to all members. A bundle is a vinst
 * of its own kind; its members are chained in order of arrival. */
#include "detailed/sm/sm.h"

enum { NONE = UINT32_MAX };

static uint32_t new_node(struct bundle_pool *b, uint32_t vinst)
{
    uint32_t i = pool_take(&b->nodes, &b->node);
    if (i == POOL_NONE) return NONE;
    b->node[i] = (struct bundle_node){vinst, NONE};
    return i;
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
        pool_give(&b->nodes, &b->node, i);
        sm_vinst_done(s, vinst, now);
        i = next;
    }
}
