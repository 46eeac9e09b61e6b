/* copies.c - asynchronous copies from global to shared memory (PTX cp.async): which ones of a warp
 * are in flight, and in which group. A copy goes the way of a load but holds no register: its warp
 * goes on, and waits only where a wait for copies names its group, or at the end of its stream.
 *
 * A warp's copies in flight form a queue in the order of issue, so that the first one's group is
 * the oldest that is not complete. Memory: the pool grows to the most that were in flight at once.
 */
#include "detailed/sm/sm.h"

enum { NONE = UINT32_MAX };

bool sm_copy_begins(struct sm *s, struct warp *w, uint32_t vinst)
{
    struct copy_pool *p = &s->copies;
    uint32_t i = pool_take(&p->nodes, &p->node);
    if (i == POOL_NONE) return false;
    p->node[i] = (struct copy_node){
        .group = w->copy.committed, .older = w->copies ? w->copy.last : NONE, .younger = NONE};
    if (w->copies)
        p->node[w->copy.last].younger = i;
    else
        w->copy.first = i;
    w->copy.last = i;
    w->copies = true;
    s->vinst[vinst].next = i;
    return true;
}

void sm_copy_done(struct sm *s, struct warp *w, uint32_t vinst)
{
    struct copy_pool *p = &s->copies;
    uint32_t i = s->vinst[vinst].next, older = p->node[i].older, younger = p->node[i].younger;
    if (older == NONE)
        w->copy.first = younger;
    else
        p->node[older].younger = younger;
    if (younger == NONE)
        w->copy.last = older;
    else
        p->node[younger].older = older;
    w->copies = w->copy.first != NONE;
    pool_give(&p->nodes, &p->node, i);
}

bool sm_copies_block(const struct sm *s, const struct warp *w)
{
    uint32_t oldest = s->copies.node[w->copy.first].group;
    return oldest + inst_open_groups(w->inst.si) < w->copy.committed;
}
