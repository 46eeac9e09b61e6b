/* admission.c - joins an SM's throttle with the schedulers of its sub-cores: hands on what each
 * must hear of warps and memory, and asks them in turn who may issue.
 *
 * The warps of an SM are kept by age where there is a throttle. The throttle decides anew when
 * something that it depends on has changed; what it bars, and what waits, is hidden from the
 * schedulers. The policies: throttle.h, sched.h. */
#include "gpu/policies/admission.h"

#include "base/memory/serialize.h"

#include <assert.h>
#include <string.h>

static uint64_t bit_of(uint32_t warp)
{
    return UINT64_C(1) << warp % SM_SUBCORE_SLOTS;
}

static struct admission_subcore *core_of(struct admission *a, uint32_t warp)
{
    return a->core[warp / SM_SUBCORE_SLOTS];
}

static void make_stale(struct admission *a)
{
    if (a->throttle.ops) a->throttle.due = 0;
}

bool admission_init(struct admission *a, const struct sm_params *p, uint32_t l1_blocks)
{
    *a = (struct admission){.p = p};
    return throttle_init(&a->throttle, p, l1_blocks);
}

void admission_fini(struct admission *a)
{
    throttle_fini(&a->throttle);
}

static void remove_all(struct admission *a)
{
    a->n = 0;
    for (uint32_t k = 0; k < a->p->subcores; k++)
        a->core[k]->resident = a->core[k]->waits = 0;
}

void admission_reset(struct admission *a)
{
    remove_all(a);
    for (uint32_t k = 0; k < a->p->subcores; k++) {
        struct admission_subcore *c = a->core[k];
        bool batches = a->p->scheduler == SCHED_TBAS;
        const struct sched_view v = {.age = c->age,
                                     .cta = c->cta,
                                     .cta_slot = c->cta_slot,
                                     .resident = &c->resident,
                                     .nearest = a->nearest,
                                     .owner = a->score_owner[k],
                                     .batches = batches ? &c->batches : NULL};
        sched_init(&c->sched, a->p, &v);
    }
    a->throttle.due = UINT64_MAX;
}

void admission_launch(struct admission *a, const struct admission_launch *l)
{
    remove_all(a);
    for (uint32_t k = 0; k < a->p->subcores; k++)
        sched_launch(&a->core[k]->sched, &l->schedulers);
    a->throttle.l1_blocks = l->l1_blocks;
    throttle_launch(&a->throttle, l->warps, l->issued);
}

/* --- warps come and go --- */

static uint64_t age_of(const struct admission *a, uint32_t warp)
{
    return a->core[warp / SM_SUBCORE_SLOTS]->age[warp % SM_SUBCORE_SLOTS];
}

void admission_enlist(struct admission *a, const struct admission_warp *w)
{
    struct admission_subcore *c = core_of(a, w->name);
    uint32_t slot = w->name % SM_SUBCORE_SLOTS;
    c->resident |= bit_of(w->name);
    c->waits &= ~bit_of(w->name);
    c->age[slot] = w->age;
    c->cta[slot] = w->cta;
    c->cta_slot[slot] = w->cta_slot;
    if (!a->throttle.ops) return;
    assert(a->n < THROTTLE_WARPS);
    uint32_t at = a->n++;
    for (; at && age_of(a, a->order[at - 1]) > w->age; at--)
        a->order[at] = a->order[at - 1];
    a->order[at] = (uint16_t)w->name;
}

void admission_born(struct admission *a, const struct admission_warp *w)
{
    const struct throttle_ops *ops = a->throttle.ops;
    admission_enlist(a, w);
    if (ops && ops->born) ops->born(&a->throttle, w->name);
    make_stale(a);
}

static void remove_from_order(struct admission *a, uint32_t warp)
{
    uint32_t at = 0;
    while (a->order[at] != warp)
        at++;
    assert(at < a->n);
    memmove(&a->order[at], &a->order[at + 1], (--a->n - at) * sizeof *a->order);
}

void admission_ended(struct admission *a, uint32_t warp)
{
    struct admission_subcore *c = core_of(a, warp);
    c->resident &= ~bit_of(warp);
    c->waits &= ~bit_of(warp);
    if (c->sched.ops->ended) c->sched.ops->ended(&c->sched, warp % SM_SUBCORE_SLOTS);
    if (!a->throttle.ops) return;
    remove_from_order(a, warp);
    if (a->throttle.ops->ended) a->throttle.ops->ended(&a->throttle, warp);
    make_stale(a);
}

void admission_stops(struct admission *a, uint32_t warp)
{
    core_of(a, warp)->waits |= bit_of(warp);
    make_stale(a);
}

void admission_continues(struct admission *a, uint32_t warp)
{
    core_of(a, warp)->waits &= ~bit_of(warp);
    make_stale(a);
}

/* --- what the throttle hears of memory --- */

void admission_asked(struct admission *a, uint32_t warp)
{
    const struct throttle_ops *ops = a->throttle.ops;
    if (ops && ops->asked) ops->asked(&a->throttle, warp);
}

bool admission_access(struct admission *a, const struct throttle_access *access, uint64_t issued,
                      uint64_t now)
{
    const struct throttle_ops *ops = a->throttle.ops;
    if (!ops || !ops->access || !ops->access(&a->throttle, access, issued, now)) return false;
    make_stale(a);
    return true;
}

void admission_left(struct admission *a, uint64_t block)
{
    const struct throttle_ops *ops = a->throttle.ops;
    if (ops && ops->left) ops->left(&a->throttle, block);
}

/* --- who may issue --- */

/* CTA after CTA in the order of arrival: a CTA's warps arrive together. */
static void take_roster(const struct admission *a, struct rostered *out)
{
    uint32_t before = UINT32_MAX;
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t warp = a->order[i], slot = warp % SM_SUBCORE_SLOTS;
        const struct admission_subcore *c = a->core[warp / SM_SUBCORE_SLOTS];
        out[i] = (struct rostered){.warp = (uint16_t)warp,
                                   .waits = c->waits >> slot & 1,
                                   .cta_first = c->cta_slot[slot] != before};
        before = c->cta_slot[slot];
    }
}

void admission_choose(struct admission *a, uint64_t now)
{
    if (a->throttle.due > now) return;
    struct rostered roster[THROTTLE_WARPS];
    take_roster(a, roster);
    a->throttle.ops->choose(&a->throttle, roster, a->n, now);
}

uint64_t admission_admitted(struct admission *a, uint32_t k, uint64_t runnable, uint64_t loads)
{
    struct sched *s = &a->core[k]->sched;
    uint64_t barred = admission_barred(a, k, loads);
    s->held_back = barred | a->core[k]->waits;
    return s->ops->admit ? s->ops->admit(s, runnable & ~barred) : runnable & ~barred;
}

/* --- state --- */

bool admission_serialize(struct admission *a, uint64_t *issued, struct serializer *t)
{
    SERIALIZE_VALUE(t, *issued);
    for (uint32_t k = 0; k < a->p->subcores; k++)
        sched_serialize(&a->core[k]->sched, t);
    return !a->throttle.ops || throttle_serialize(&a->throttle, t);
}

void admission_moved(struct admission *a, uint64_t issued, uint64_t then, uint64_t now)
{
    throttle_moved(&a->throttle, issued, then, now);
}
