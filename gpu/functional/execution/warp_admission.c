/* warp_admission.c - see warp_admission.h. */
#include "gpu/functional/execution/warp_admission.h"

#include "base/memory/alloc.h"
#include "gpu/functional/execution/functional.h"

static uint64_t bit_of(uint16_t name)
{
    return UINT64_C(1) << name % SM_SUBCORE_SLOTS;
}

static struct throttle *throttle_of(const struct walk *w, uint32_t sm)
{
    return w->caches.throttle ? &w->caches.throttle[sm] : NULL;
}

bool walk_governs(const struct sm_params *p)
{
    return p->throttle != THROTTLE_NONE || (p->scheduler != SCHED_LRR && p->scheduler != SCHED_GTO);
}

bool walk_govern_init(struct walk *w)
{
    if (!walk_governs(w->params)) return true;
    w->govern = mem_new(w->sms, sizeof *w->govern);
    for (uint32_t i = 0; w->govern && i < w->sms; i++)
        for (uint32_t k = 0; k < w->params->subcores; k++) {
            struct walk_core *c = &w->govern[i].core[k];
            const struct sched_view v = {c->age, c->cta, c->cta_slot, &c->resident};
            sched_init(&w->govern[i].sched[k], w->params, &v);
        }
    return w->govern != NULL;
}

void walk_govern_fini(struct walk *w)
{
    mem_free(w->govern);
    w->govern = NULL;
}

bool walk_govern_enter(struct walk *w)
{
    if (!w->govern) return true;
    w->name = mem_new(walk_warps(w), sizeof *w->name);
    return w->name != NULL;
}

void walk_govern_launch(struct walk *w)
{
    double warps = (double)w->launch->ctas * w->launch->warps_per_cta / w->sms;
    for (uint32_t i = 0; w->govern && i < w->sms; i++) {
        struct walk_govern *g = &w->govern[i];
        for (uint32_t k = 0; k < w->params->subcores; k++) {
            g->core[k].resident = 0;
            sched_launch(&g->sched[k], i, w->slots);
        }
        struct throttle *t = throttle_of(w, i);
        if (!t) continue;
        t->l1_blocks = w->caches.l1[i].n_lines; /* an adaptive L1's size is the launch's */
        throttle_launch(t, warps, g->issued);
    }
}

/* --- warps come and go --- */

static uint32_t sm_of(const struct walk *w, size_t warp)
{
    return (uint32_t)(warp / w->launch->warps_per_cta / w->slots);
}

/* What a sub-core tells of a warp under its name. */
static void enlist(struct walk *w, size_t warp)
{
    uint32_t warps = w->launch->warps_per_cta, slot = (uint32_t)(warp / warps), sm = sm_of(w, warp);
    struct walk_core *c = &w->govern[sm].core[w->name[warp] / SM_SUBCORE_SLOTS];
    uint32_t at = w->name[warp] % SM_SUBCORE_SLOTS;
    c->resident |= bit_of(w->name[warp]);
    c->age[at] = w->cta[slot].order * CTA_MAX_WARPS + warp % warps;
    c->cta[at] = w->cta[slot].cta;
    c->cta_slot[at] = slot - sm * w->slots;
    c->warp[at] = (uint32_t)warp;
}

/* The first free slot of its sub-core, or of the next that has one (sm/cta.c). */
static uint16_t free_name(const struct walk *w, uint32_t sm, uint32_t subcore)
{
    uint32_t slots = w->params->max_warps / w->params->subcores;
    uint64_t all = slots < 64 ? (UINT64_C(1) << slots) - 1 : UINT64_MAX;
    uint32_t k = subcore % w->params->subcores;
    while (!(all & ~w->govern[sm].core[k].resident))
        k = (k + 1) % w->params->subcores;
    uint64_t free = all & ~w->govern[sm].core[k].resident;
    return (uint16_t)(k * SM_SUBCORE_SLOTS + (uint32_t)__builtin_ctzll(free));
}

void walk_govern_born(struct walk *w, uint32_t sm, size_t warp)
{
    uint32_t warps = w->launch->warps_per_cta;
    uint32_t i = w->params->cta_binding == CTA_ONE_SUBCORE ? 0 : (uint32_t)(warp % warps);
    w->name[warp] = free_name(w, sm, w->cta[warp / warps].subcore + i);
    enlist(w, warp);
    struct throttle *t = throttle_of(w, sm);
    if (t && t->ops->born) t->ops->born(t, w->name[warp]);
    walk_govern_stale(w, sm);
}

void walk_govern_ended(struct walk *w, size_t warp)
{
    uint32_t sm = sm_of(w, warp), k = w->name[warp] / SM_SUBCORE_SLOTS;
    struct walk_govern *g = &w->govern[sm];
    struct throttle *t = throttle_of(w, sm);
    g->core[k].resident &= ~bit_of(w->name[warp]);
    if (g->sched[k].ops->ended)
        g->sched[k].ops->ended(&g->sched[k], w->name[warp] % SM_SUBCORE_SLOTS);
    if (t && t->ops->ended) t->ops->ended(t, w->name[warp]);
    walk_govern_stale(w, sm);
}

void walk_govern_stale(struct walk *w, uint32_t sm)
{
    struct throttle *t = throttle_of(w, sm);
    if (t) t->due = 0;
}

/* --- who goes --- */

static uint32_t take_roster(const struct walk *w, uint32_t sm, struct rostered *out)
{
    const uint32_t *slots = w->slot + (size_t)sm * w->slots;
    uint32_t n = 0, warps = w->launch->warps_per_cta;
    for (uint32_t i = 0; i < w->sm[sm].n; i++) {
        const struct walk_clock *f = walk_clocks(w, slots[i]);
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

bool walk_govern_keeps(const struct walk *w, uint32_t sm, size_t warp, uint8_t cls)
{
    const struct throttle *t = throttle_of(w, sm);
    uint16_t name = w->name[warp];
    uint32_t k = name / SM_SUBCORE_SLOTS;
    return t && ((t->barred[k] | (cls == OP_LOAD ? t->no_loads[k] : 0)) & bit_of(name));
}

/* Which of a sub-core's warps are here: they could go in this quantum.  *runnable: and those that
 * wait for a unit only. */
static uint64_t look(const struct walk *w, uint32_t sm, uint32_t k, uint64_t *runnable)
{
    const struct walk_core *c = &w->govern[sm].core[k];
    const double end = w->caches.pace.now + PACE_QUANTUM;
    bool room = pace_has_room(&w->caches.pace, sm, end);
    uint64_t here = 0;
    *runnable = 0;
    for (uint64_t rest = c->resident; rest; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        const struct walk_clock *f = &w->clock[c->warp[slot]];
        bool soon = f->time < end;
        if (f->at_barrier || (f->at_door && !room) || (!soon && f->time <= f->loads)) continue;
        uint8_t cls = w->stream[c->warp[slot]].inst.si->cls;
        if (walk_govern_keeps(w, sm, c->warp[slot], cls)) continue;
        *runnable |= rest & -rest;
        if (soon) here |= rest & -rest;
    }
    return here;
}

static uint64_t admitted(struct walk *w, uint32_t sm, uint32_t k)
{
    struct throttle *t = throttle_of(w, sm);
    struct sched *s = &w->govern[sm].sched[k];
    uint64_t now = (uint64_t)w->caches.pace.now, runnable;
    if (t && t->due <= now) {
        struct rostered roster[THROTTLE_WARPS];
        t->ops->choose(t, roster, take_roster(w, sm, roster), now);
    }
    uint64_t here = look(w, sm, k, &runnable);
    return here & (s->ops->admit ? s->ops->admit(s, runnable) : here);
}

bool walk_govern_step(struct walk *w, uint32_t sm, uint32_t k, struct error *e)
{
    struct walk_govern *g = &w->govern[sm];
    uint32_t warps = w->launch->warps_per_cta;
    uint64_t tried = 0;
    while (pace_can_issue(&w->caches.pace, sm, k)) {
        uint64_t slots = admitted(w, sm, k) & ~tried;
        if (!slots) break;
        uint32_t slot = g->sched[k].ops->pick(&g->sched[k], slots, g->core[k].age);
        uint32_t warp = g->core[k].warp[slot];
        uint64_t done = w->clock[warp].done;
        if (!walk_try_warp(w, sm, k, warp / warps, warp % warps, e)) return false;
        if (w->clock[warp].done != done) g->sched[k].last = slot;
        tried |= UINT64_C(1) << slot;
    }
    const struct throttle *t = throttle_of(w, sm);
    return !t || !t->no_memory || error_no_memory(e);
}

/* --- its state --- */

bool walk_govern_save(const struct walk *w, struct tape *t)
{
    for (uint32_t i = 0; w->govern && i < w->sms; i++) {
        struct throttle *throttle = throttle_of(w, i);
        TAPE_VALUE(t, w->govern[i].issued);
        for (uint32_t k = 0; k < w->params->subcores; k++)
            sched_tape(&w->govern[i].sched[k], t);
        if (throttle && !throttle_tape(throttle, t)) return false;
    }
    return true;
}

static void nobody_resident(struct walk *w)
{
    for (uint32_t i = 0; i < w->sms; i++)
        for (uint32_t k = 0; k < w->params->subcores; k++)
            w->govern[i].core[k].resident = 0;
}

bool walk_govern_tape(struct walk *w, struct tape *t)
{
    if (!w->govern) return true;
    if (!walk_govern_save(w, t)) return false;
    if (t->mode == TAPE_LOAD) nobody_resident(w);
    if (!w->launch || !w->begun) return true;
    tape_data(t, w->name, walk_warps(w) * sizeof *w->name);
    for (size_t i = 0; t->mode == TAPE_LOAD && i < walk_warps(w); i++)
        if (w->cta[i / w->launch->warps_per_cta].active && !w->clock[i].ended) enlist(w, i);
    return true;
}
