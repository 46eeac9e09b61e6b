/* warp_admission.c - connects the SM to its schedulers and throttles: reports events to them, and
 * computes which warps may issue. */
#include "detailed/observe/site_counters.h"
#include "detailed/sm/sm.h"

enum { CTAS_MAX = 256 }; /* sm.max_ctas */
_Static_assert((int)THROTTLE_SUBCORES == (int)SM_MAX_SUBCORES && SM_SUBCORE_SLOTS == 64,
               "throttles name warps as the SM does");

void sm_govern_init(struct sm *s)
{
    for (uint32_t i = 0; i < s->p->subcores; i++) {
        struct subcore *sc = &s->sub[i];
        const struct sched_view v = {sc->age, sc->cta, sc->cta_slot, &sc->resident};
        sched_init(&sc->sched, s->p, &v);
    }
    s->governed = sched_table[s->p->scheduler]->admit || s->throttle.ops;
    s->throttle.due = UINT64_MAX;
}

void sm_govern_launch(struct sm *s)
{
    const struct launch *l = s->run->launch;
    s->throttle.l1_blocks = s->l1.c.n_lines; /* an adaptive L1's size is the launch's */
    for (uint32_t i = 0; i < s->p->subcores; i++)
        sched_launch(&s->sub[i].sched, s->id, s->occ.ctas);
    throttle_launch(&s->throttle, (double)l->ctas * l->warps_per_cta / s->p->count,
                    s->s.instructions);
}

/* CTA slots in use, in the order of arrival. */
static uint32_t ctas_in_order(const struct sm *s, uint16_t *order)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->p->max_ctas; i++) {
        if (!s->cta[i].active) continue;
        uint32_t at = n++;
        for (; at && s->cta[order[at - 1]].age > s->cta[i].age; at--)
            order[at] = order[at - 1];
        order[at] = (uint16_t)i;
    }
    return n;
}

static uint32_t take_roster(const struct sm *s, struct rostered *out)
{
    uint16_t order[CTAS_MAX];
    uint32_t ctas = ctas_in_order(s, order), n = 0;
    for (uint32_t k = 0; k < ctas; k++) {
        const struct cta_slot *c = &s->cta[order[k]];
        bool first = true;
        for (uint32_t w = 0; w < c->warps; w++) {
            if (c->slot[w] == UINT16_MAX) continue;
            uint8_t state = sm_warp(s, c->slot[w])->state;
            bool waits = state == WARP_AT_BARRIER || state == WARP_EXITED;
            out[n++] = (struct rostered){c->slot[w], waits, first};
            first = false;
        }
    }
    return n;
}

void sm_regovern(struct sm *s, uint64_t now)
{
    if (!s->throttle.ops) return;
    s->throttle.due = 0;
    for (uint32_t i = 0; i < s->p->subcores; i++)
        if (s->sub[i].awake && now < s->wake[i]) s->wake[i] = now;
    if (now < s->first_wake) s->first_wake = now;
}

/* Slots whose next instruction is a load. */
static uint64_t loads_next(const struct sm *s, const struct subcore *sc, uint64_t slots)
{
    uint64_t loads = 0;
    for (uint64_t rest = slots; rest; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        const struct warp *w = sm_warp(s, (uint32_t)(sc - s->sub) * SM_SUBCORE_SLOTS + slot);
        if (sc->unit[slot] == UNIT_MEMORY && w->inst.si->cls == OP_LOAD)
            loads |= UINT64_C(1) << slot;
    }
    return loads;
}

uint64_t sm_admitted(struct sm *s, struct subcore *sc, uint64_t now)
{
    struct throttle *t = &s->throttle;
    uint32_t i = (uint32_t)(sc - s->sub);
    uint64_t slots = sc->awake;
    if (t->due <= now) {
        struct rostered roster[THROTTLE_WARPS];
        uint32_t n = take_roster(s, roster);
        t->ops->choose(t, roster, n, now);
    }
    slots &= ~t->barred[i];
    if (slots & t->no_loads[i]) slots &= ~loads_next(s, sc, slots & t->no_loads[i]);
    return sc->sched.ops->admit ? sc->sched.ops->admit(&sc->sched, slots) : slots;
}

static void count_locality(struct sm *s, uint32_t warp, uint64_t block, bool hit)
{
    const struct subcore *sc = sm_subcore(s, warp);
    uint32_t slot = warp % SM_SUBCORE_SLOTS;
    const struct locality_load load = {block, sc->cta[slot], sc->nth[slot], hit};
    locality_l1(s->locality, s->id, &load);
    if (s->locality->no_memory) s->l1.no_memory = true;
}

void sm_l1_seen(void *owner, const struct l1_access *a, bool hit, bool miss, uint64_t now)
{
    struct sm *s = owner;
    struct throttle *t = &s->throttle;
    const struct throttle_access seen = {.warp = sm_vinst_warp(s, a->vinst),
                                         .block = cache_tag(&s->l1.c, a->addr),
                                         .load = a->kind == ACCESS_READ,
                                         .miss = miss};
    bool joined = !hit && !miss;
    if (s->sites) site_counters_l1(s->sites, s->site_of[a->vinst], a->addr, hit, miss);
    if (s->locality && seen.load) count_locality(s, seen.warp, seen.block, hit || joined);
    if (!t->ops || !t->ops->access) return;
    if (t->ops->access(t, &seen, s->s.instructions, now)) sm_regovern(s, now);
    if (t->no_memory) s->l1.no_memory = true;
}

void sm_l1_left(void *owner, uint64_t block)
{
    struct throttle *t = &((struct sm *)owner)->throttle;
    t->ops->left(t, block);
}
