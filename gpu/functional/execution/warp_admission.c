/* warp_admission.c - see warp_admission.h. */
#include "gpu/functional/execution/warp_admission.h"

#include "base/memory/alloc.h"
#include "gpu/functional/constants.h"
#include "gpu/functional/execution/functional.h"
#include "gpu/functional/memory/functional_caches.h"

static uint64_t bit_of(uint16_t name)
{
    return UINT64_C(1) << name % SM_SUBCORE_SLOTS;
}

static struct throttle *throttle_of(const struct functional *w, uint32_t sm)
{
    const struct functional_caches *c = w->use.memory;
    return c->throttle ? &c->throttle[sm] : NULL;
}

static bool warp_admission_is_needed(const struct sm_params *p)
{
    return p->throttle != THROTTLE_NONE || (p->scheduler != SCHED_LRR && p->scheduler != SCHED_GTO);
}

bool warp_admission_init(struct functional *w)
{
    if (!warp_admission_is_needed(w->params)) return true;
    w->admission = mem_new(w->sms, sizeof *w->admission);
    for (uint32_t i = 0; w->admission && i < w->sms; i++)
        for (uint32_t k = 0; k < w->params->subcores; k++) {
            struct admission_core *c = &w->admission[i].core[k];
            const struct sched_view v = {c->age, c->cta, c->cta_slot, &c->resident};
            sched_init(&w->admission[i].sched[k], w->params, &v);
        }
    return w->admission != NULL;
}

void warp_admission_fini(struct functional *w)
{
    mem_free(w->admission);
    w->admission = NULL;
}

bool warp_admission_enter_launch(struct functional *w)
{
    if (!w->admission) return true;
    w->name = mem_new(functional_count_warps(w), sizeof *w->name);
    return w->name != NULL;
}

void warp_admission_begin_launch(struct functional *w)
{
    double warps = (double)w->launch->ctas * w->launch->warps_per_cta / w->sms;
    for (uint32_t i = 0; w->admission && i < w->sms; i++) {
        struct warp_admission *g = &w->admission[i];
        for (uint32_t k = 0; k < w->params->subcores; k++) {
            g->core[k].resident = 0;
            sched_launch(&g->sched[k], i, w->slots);
        }
        struct throttle *t = throttle_of(w, i);
        if (!t) continue;
        t->l1_blocks = ((struct functional_caches *)w->use.memory)
                           ->l1[i]
                           .n_lines; /* an adaptive L1's size is the launch's */
        throttle_launch(t, warps, g->issued);
    }
}

/* --- warps come and go --- */

static uint32_t sm_of(const struct functional *w, size_t warp)
{
    return (uint32_t)(warp / w->launch->warps_per_cta / w->slots);
}

/* Enters a warp in its sub-core's table, under the slot that its name gives. */
static void enlist_warp(struct functional *w, size_t warp)
{
    uint32_t warps = w->launch->warps_per_cta, slot = (uint32_t)(warp / warps), sm = sm_of(w, warp);
    struct admission_core *c = &w->admission[sm].core[w->name[warp] / SM_SUBCORE_SLOTS];
    uint32_t at = w->name[warp] % SM_SUBCORE_SLOTS;
    c->resident |= bit_of(w->name[warp]);
    c->age[at] = w->cta[slot].order * CTA_MAX_WARPS + warp % warps;
    c->cta[at] = w->cta[slot].cta;
    c->cta_slot[at] = slot - sm * w->slots;
    c->warp[at] = (uint32_t)warp;
}

/* The first free slot of the sub-core, or of the next sub-core that has one (as in sm/cta.c). */
static uint16_t free_name(const struct functional *w, uint32_t sm, uint32_t subcore)
{
    uint32_t slots = w->params->max_warps / w->params->subcores;
    uint64_t all = slots < 64 ? (UINT64_C(1) << slots) - 1 : UINT64_MAX;
    uint32_t k = subcore % w->params->subcores;
    while (!(all & ~w->admission[sm].core[k].resident))
        k = (k + 1) % w->params->subcores;
    uint64_t free = all & ~w->admission[sm].core[k].resident;
    return (uint16_t)(k * SM_SUBCORE_SLOTS + (uint32_t)__builtin_ctzll(free));
}

void warp_admission_add_warp(struct functional *w, uint32_t sm, size_t warp)
{
    uint32_t warps = w->launch->warps_per_cta;
    uint32_t i = w->params->cta_binding == CTA_ONE_SUBCORE ? 0 : (uint32_t)(warp % warps);
    w->name[warp] = free_name(w, sm, w->cta[warp / warps].subcore + i);
    enlist_warp(w, warp);
    struct throttle *t = throttle_of(w, sm);
    if (t && t->ops->born) t->ops->born(t, w->name[warp]);
    warp_admission_invalidate(w, sm);
}

void warp_admission_end_warp(struct functional *w, size_t warp)
{
    uint32_t sm = sm_of(w, warp), k = w->name[warp] / SM_SUBCORE_SLOTS;
    struct warp_admission *g = &w->admission[sm];
    struct throttle *t = throttle_of(w, sm);
    g->core[k].resident &= ~bit_of(w->name[warp]);
    if (g->sched[k].ops->ended)
        g->sched[k].ops->ended(&g->sched[k], w->name[warp] % SM_SUBCORE_SLOTS);
    if (t && t->ops->ended) t->ops->ended(t, w->name[warp]);
    warp_admission_invalidate(w, sm);
}

void warp_admission_invalidate(struct functional *w, uint32_t sm)
{
    struct throttle *t = throttle_of(w, sm);
    if (t) t->due = 0;
}

/* --- which warps issue --- */

static uint32_t take_roster(const struct functional *w, uint32_t sm, struct rostered *out)
{
    const uint32_t *slots = w->slot + (size_t)sm * w->slots;
    uint32_t n = 0, warps = w->launch->warps_per_cta;
    for (uint32_t i = 0; i < w->sm[sm].n; i++) {
        const struct functional_warp *f = functional_warps_of(w, slots[i]);
        bool first = true;
        for (uint32_t k = 0; k < warps; k++) {
            if (f[k].ended) continue;
            out[n++] =
                (struct rostered){w->name[(size_t)slots[i] * warps + k], f[k].at_barrier, first};
            first = false;
        }
    }
    return n;
}

bool warp_admission_holds_back(const struct functional *w, uint32_t sm, size_t warp, uint8_t cls)
{
    const struct throttle *t = throttle_of(w, sm);
    uint16_t name = w->name[warp];
    uint32_t k = name / SM_SUBCORE_SLOTS;
    return t && ((t->barred[k] | (cls == OP_LOAD ? t->no_loads[k] : 0)) & bit_of(name));
}

/* Returns the set of a sub-core's warps that could issue in this quantum. *runnable: those, and the
 * warps that wait only for a unit. */
static uint64_t candidate_warps(const struct functional *w, uint32_t sm, uint32_t k,
                                uint64_t *runnable)
{
    const struct admission_core *c = &w->admission[sm].core[k];
    const double end = w->now + FLUID_QUANTUM;
    bool room = w->use.ops->room_at(w->use.memory, sm) < end;
    uint64_t here = 0;
    *runnable = 0;
    for (uint64_t rest = c->resident; rest; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        const struct functional_warp *f = &w->clock[c->warp[slot]];
        bool soon = f->time < end;
        if (f->at_barrier || (f->at_door && !room) || (!soon && f->time <= f->loads)) continue;
        uint8_t cls = w->stream[c->warp[slot]].inst.si->cls;
        if (warp_admission_holds_back(w, sm, c->warp[slot], cls)) continue;
        *runnable |= rest & -rest;
        if (soon) here |= rest & -rest;
    }
    return here;
}

static uint64_t admitted_warps(struct functional *w, uint32_t sm, uint32_t k)
{
    struct throttle *t = throttle_of(w, sm);
    struct sched *s = &w->admission[sm].sched[k];
    uint64_t now = (uint64_t)w->now, runnable;
    if (t && t->due <= now) {
        struct rostered roster[THROTTLE_WARPS];
        t->ops->choose(t, roster, take_roster(w, sm, roster), now);
    }
    uint64_t here = candidate_warps(w, sm, k, &runnable);
    return here & (s->ops->admit ? s->ops->admit(s, runnable) : here);
}

bool warp_admission_step(struct functional *w, uint32_t sm, uint32_t k, struct error *e)
{
    struct warp_admission *g = &w->admission[sm];
    uint32_t warps = w->launch->warps_per_cta;
    uint64_t tried = 0;
    while (issue_slots_free(&w->sm[sm].slots, k, w->now)) {
        uint64_t slots = admitted_warps(w, sm, k) & ~tried;
        if (!slots) break;
        uint32_t slot = g->sched[k].ops->pick(&g->sched[k], slots, g->core[k].age);
        uint32_t warp = g->core[k].warp[slot];
        uint64_t done = w->clock[warp].done;
        if (!functional_try_warp(w, sm, k, warp / warps, warp % warps, e)) return false;
        if (w->clock[warp].done != done) g->sched[k].last = slot;
        tried |= UINT64_C(1) << slot;
    }
    const struct throttle *t = throttle_of(w, sm);
    return !t || !t->no_memory || error_no_memory(e);
}

/* --- serialization --- */

bool warp_admission_save(const struct functional *w, struct serializer *t)
{
    for (uint32_t i = 0; w->admission && i < w->sms; i++) {
        struct throttle *throttle = throttle_of(w, i);
        SERIALIZE_VALUE(t, w->admission[i].issued);
        for (uint32_t k = 0; k < w->params->subcores; k++)
            sched_serialize(&w->admission[i].sched[k], t);
        if (throttle && !throttle_serialize(throttle, t)) return false;
    }
    return true;
}

static void nobody_resident(struct functional *w)
{
    for (uint32_t i = 0; i < w->sms; i++)
        for (uint32_t k = 0; k < w->params->subcores; k++)
            w->admission[i].core[k].resident = 0;
}

bool warp_admission_serialize(struct functional *w, struct serializer *t)
{
    if (!w->admission) return true;
    if (!warp_admission_save(w, t)) return false;
    if (t->mode == SERIALIZE_LOAD) nobody_resident(w);
    if (!w->launch || !w->begun) return true;
    serialize_data(t, w->name, functional_count_warps(w) * sizeof *w->name);
    for (size_t i = 0; t->mode == SERIALIZE_LOAD && i < functional_count_warps(w); i++)
        if (w->cta[i / w->launch->warps_per_cta].active && !w->clock[i].ended) enlist_warp(w, i);
    return true;
}
