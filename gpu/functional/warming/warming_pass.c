/* warming_pass.c - see warming_pass.h. */
#include "gpu/functional/warming/warming_pass.h"

#include "base/memory/alloc.h"
#include "gpu/functional/constants.h"
#include "gpu/functional/warming/checkpoints.h"
#include "gpu/machine/machine.h"

/* Short enough that data from the L2 come back in a later one, whoever was first. */
static double quantum_of(const struct machine *m)
{
    double quantum = FLUID_QUANTUM, l2 = machine_derived_value(m, "l2_hit_cycles");
    while (quantum > 1 && quantum > l2 / 2)
        quantum /= 2;
    return quantum;
}

/* Begins to execute a program. */
static bool begin_program(struct warming_pass *w, const struct program *p, struct error *e)
{
    const struct machine *m = w->m;
    struct cache_params tags = l1_tag_params(&m->l1);
    const struct functional_setup use = {.sm = &m->sm,
                                         .l1 = &m->l1,
                                         .fence_acquires = m->coherence.fence_invalidates,
                                         .sms = m->sm.count,
                                         .l1_blocks = cache_params_lines(&tags),
                                         .step = 1,
                                         .quantum = quantum_of(m),
                                         .p = p,
                                         .ops = &functional_caches_ops,
                                         .memory = &w->caches,
                                         .admission = w->admission};
    return functional_init(&w->functional, &use, e);
}

bool warming_pass_init(struct warming_pass *w, const struct machine *m, const struct program *p,
                       bool want_warm, struct error *e)
{
    struct cache_params tags = l1_tag_params(&m->l1);
    *w = (struct warming_pass){.m = m, .warm = want_warm};
    w->admission = warp_admission_new(&m->sm, cache_params_lines(&tags), m->sm.count);
    if (!w->admission) return error_no_memory(e);
    struct warp_admission *hears = admission_hears(&m->sm) ? w->admission : NULL;
    return functional_caches_init(&w->caches, m, hears, e) && begin_program(w, p, e);
}

static bool exchange_program(struct warming_pass *w, const struct program *p, struct error *e)
{
    double now = w->functional.now;
    functional_fini(&w->functional);
    if (!begin_program(w, p, e)) return false;
    w->functional.now = now;
    return true;
}

bool warming_pass_next(struct warming_pass *w, const struct program *p, struct error *e)
{
    struct functional *f = &w->functional;
    while (f->launch || f->command < program_commands(f->p))
        if (!functional_step(f, e)) return false;
    return exchange_program(w, p, e);
}

bool warming_pass_leave(struct warming_pass *w, const struct program *p, struct error *e)
{
    if (!warp_admission_restart(&w->functional)) return error_no_memory(e);
    return exchange_program(w, p, e);
}

void warming_pass_fini(struct warming_pass *w)
{
    functional_fini(&w->functional);
    if (w->caches.m) functional_caches_fini(&w->caches);
    if (w->m) warp_admission_free(w->admission, w->m->sm.count);
    *w = (struct warming_pass){0};
}

static bool save_admission(const struct functional *w, struct warm_state *s)
{
    struct serializer t = {.mode = SERIALIZE_MEASURE};
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
