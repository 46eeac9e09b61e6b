/* warp_admission.c - see warp_admission.h. */
#include "gpu/functional/execution/warp_admission.h"

#include "base/memory/alloc.h"
#include "gpu/functional/execution/functional.h"

static bool init_one(struct warp_admission *a, const struct sm_params *p, uint32_t l1_blocks)
{
    bool ok = admission_init(&a->policies, p, l1_blocks);
    for (uint32_t k = 0; k < p->subcores; k++)
        a->policies.core[k] = &a->core[k];
    admission_reset(&a->policies);
    a->issued = 0;
    return ok;
}

struct warp_admission *warp_admission_new(const struct sm_params *p, uint32_t l1_blocks,
                                          uint32_t sms)
{
    struct warp_admission *a = mem_new(sms, sizeof *a);
    bool ok = a != NULL;
    for (uint32_t i = 0; ok && i < sms; i++)
        ok = init_one(&a[i], p, l1_blocks);
    if (ok) return a;
    warp_admission_free(a, sms);
    return NULL;
}

void warp_admission_free(struct warp_admission *a, uint32_t sms)
{
    for (uint32_t i = 0; a && i < sms; i++)
        admission_fini(&a[i].policies);
    mem_free(a);
}

bool warp_admission_restart(struct functional *w)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < w->sms; i++) {
        admission_fini(&w->use.admission[i].policies);
        ok = init_one(&w->use.admission[i], w->params, w->use.l1_blocks);
    }
    return ok;
}

void warp_admission_launch(struct functional *w, uint32_t l1_blocks)
{
    double warps = (double)w->launch->ctas * w->launch->warps_per_cta / w->params->count;
    for (uint32_t i = 0; i < w->sms; i++) {
        const struct sched_launch schedulers = {w->use.first_sm + i, w->slots, w->batch_ctas};
        const struct admission_launch l = {.schedulers = schedulers,
                                           .l1_blocks = l1_blocks,
                                           .warps = warps,
                                           .issued = w->use.admission[i].issued};
        admission_launch(&w->use.admission[i].policies, &l);
    }
}

/* Enters a warp under its name. */
static struct admission_warp enlist_warp(struct functional *w, size_t warp)
{
    uint32_t warps = w->launch->warps_per_cta, slot = (uint32_t)(warp / warps),
             sm = slot / w->slots, name = w->name[warp];
    const struct functional_cta *c = &w->cta[slot];
    w->sm[sm].warp[name / SM_SUBCORE_SLOTS][name % SM_SUBCORE_SLOTS] = (uint32_t)warp;
    return (struct admission_warp){.name = name,
                                   .cta_slot = slot - sm * w->slots,
                                   .cta = c->cta,
                                   .age = c->order * CTA_MAX_WARPS + warp % warps};
}

void warp_admission_add_warp(struct functional *w, size_t warp)
{
    struct admission_warp a = enlist_warp(w, warp);
    admission_born(&w->use.admission[functional_sm_of(w, warp)].policies, &a);
}

/* --- serialization --- */

bool warp_admission_save(const struct functional *w, struct serializer *t)
{
    for (uint32_t i = 0; i < w->sms; i++)
        if (!admission_serialize(&w->use.admission[i].policies, &w->use.admission[i].issued, t))
            return false;
    return true;
}

bool warp_admission_serialize(struct functional *w, struct serializer *t)
{
    if (t->mode == SERIALIZE_LOAD)
        for (uint32_t i = 0; i < w->sms; i++)
            admission_reset(&w->use.admission[i].policies);
    if (!warp_admission_save(w, t)) return false;
    if (t->mode != SERIALIZE_LOAD || !w->launch || !w->begun) return true;
    for (size_t i = 0; i < functional_count_warps(w); i++) {
        if (!w->cta[i / w->launch->warps_per_cta].active || w->clock[i].ended) continue;
        struct admission_warp a = enlist_warp(w, i);
        struct admission *policies = &w->use.admission[functional_sm_of(w, i)].policies;
        admission_enlist(policies, &a);
        if (w->clock[i].at_barrier)
            policies->core[a.name / SM_SUBCORE_SLOTS]->waits |= UINT64_C(1)
                                                                << a.name % SM_SUBCORE_SLOTS;
    }
    return true;
}
