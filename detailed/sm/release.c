/* release.c - releases of warps and of kernels where a release is a marker that travels behind the
 * stores (QuickRelease 3.1.3). An instruction that releases (a release, a fence, a barrier) issues
 * when its marker has been acknowledged; a launch is over when every SM has released what it wrote.
 */
#include "detailed/l1/l1_sync_fifo.h"
#include "detailed/sm/sm.h"

enum { NONE = UINT32_MAX };

/* A barrier makes the warp's own stores visible. A release orders what others have stored and this
 * warp has seen, too. */
static bool needs_release(const struct warp *w)
{
    switch (w->inst.si->cls) {
    case OP_RELEASE:
    case OP_FENCE: return true;
    case OP_BARRIER: return w->stored;
    default: return false;
    }
}

/* The instruction that stands for a release; NONE: no memory. */
static uint32_t new_release(struct sm *s, uint32_t warp, uint64_t now)
{
    uint32_t v = sm_vinst_new(s);
    if (v == NONE) return NONE;
    s->vinst[v] = (struct vinst){.born = now,
                                 .warp = warp,
                                 .left = 1,
                                 .vmb = VMB_NONE,
                                 .dst = REG_NONE,
                                 .bundle = true,
                                 .release = true};
    return v;
}

bool sm_release_first(struct sm *s, uint32_t index, uint64_t now)
{
    struct warp *w = sm_warp(s, index);
    if (w->released || !needs_release(w)) {
        w->released = false;
        return false;
    }
    uint32_t v = new_release(s, index, now);
    if (v == NONE) return true;
    l1_sync_fifo_release(&s->l1, v);
    w->state = WARP_RELEASES;
    w->blocked_since = now;
    w->stored = false;
    sm_set_ready(s, index, UINT64_MAX);
    s->s.stall[CAUSE_MEMORY]++; /* the slot issues no instruction */
    return true;
}

bool sm_release_kernel(struct sm *s, uint64_t now)
{
    if (s->ctas || s->turn != UINT64_MAX || cta_dispatch_any(&s->run->dispatch, s->id))
        return false;
    uint32_t v = new_release(s, NONE, now);
    if (v == NONE) return true;
    s->vinst[v].left = l1_sync_fifo_release_all(&s->l1, v);
    return true;
}

void sm_release_done(struct sm *s, uint32_t vinst, uint64_t now)
{
    uint32_t index = s->vinst[vinst].warp;
    if (--s->vinst[vinst].left) return;
    sm_vinst_free(s, vinst);
    if (index == NONE) {
        s->counts->done_ctas++; /* the last CTA of this SM */
        return;
    }
    struct warp *w = sm_warp(s, index);
    w->state = WARP_WAITS_MEMORY;
    w->released = true;
    sm_refresh(s, index, now);
}

/* --- whose S-FIFO --- */

uint32_t sm_sync_groups(const struct sm_params *p, enum fifo_scope scope)
{
    switch (scope) {
    case FIFO_OF_CTA: return p->max_ctas;
    case FIFO_OF_WARP: return p->subcores * SM_SUBCORE_SLOTS;
    case FIFO_OF_SM: break;
    }
    return 1;
}

uint32_t sm_sync_group_of_sm(const void *owner, uint32_t vinst)
{
    (void)owner, (void)vinst;
    return 0;
}

uint32_t sm_sync_group_of_cta(const void *owner, uint32_t vinst)
{
    const struct sm *s = owner;
    return sm_warp(s, s->vinst[vinst].warp)->cta;
}

uint32_t sm_sync_group_of_warp(const void *owner, uint32_t vinst)
{
    return ((const struct sm *)owner)->vinst[vinst].warp;
}
