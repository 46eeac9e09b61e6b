/* warming_pass.c - see warming_pass.h. */
#include "gpu/functional/warming/warming_pass.h"

#include "base/memory/alloc.h"
#include "gpu/functional/warming/checkpoints.h"
#include "gpu/machine/load/machine.h"

bool warming_pass_init(struct warming_pass *w, const struct machine *m, const struct program *p,
                       bool want_warm, struct error *e)
{
    const struct functional_setup use = {.sm = &m->sm,
                                         .l1 = &m->l1,
                                         .fence_acquires = m->coherence.fence_invalidates,
                                         .sms = m->sm.count,
                                         .p = p,
                                         .ops = &functional_caches_ops,
                                         .memory = &w->caches};
    *w = (struct warming_pass){.m = m, .warm = want_warm};
    return functional_caches_init(&w->caches, m, e) && functional_init(&w->functional, &use, e);
}

void warming_pass_fini(struct warming_pass *w)
{
    functional_fini(&w->functional);
    if (w->caches.m) functional_caches_fini(&w->caches);
    *w = (struct warming_pass){0};
}

static bool save_admission(const struct functional *w, struct warm_state *s)
{
    struct serializer t = {.mode = SERIALIZE_MEASURE};
    if (!w->admission) return true;
    warp_admission_save(w, &t);
    s->admission = mem_new_unset(t.bytes, 1);
    s->admission_bytes = t.bytes;
    t = (struct serializer){.mode = SERIALIZE_SAVE, .block = s->admission};
    return s->admission && warp_admission_save(w, &t);
}

bool warming_pass_snapshot(const struct warming_pass *w, struct snapshot *s, struct error *e)
{
    if (!functional_snapshot(&w->functional, s, e)) return false;
    if (!w->warm) return true;
    s->warm = functional_caches_save(&w->caches);
    if (s->warm && save_admission(&w->functional, s->warm)) return true;
    snapshot_fini(s);
    return error_no_memory(e);
}

void snapshot_fini(struct snapshot *s)
{
    mem_free(s->residents);
    mem_free(s->warp_done);
    mem_free(s->next_subcore);
    mem_free(s->name);
    mem_free(s->queues);
    warm_state_free(s->warm);
    *s = (struct snapshot){0};
}
