/* warp_admission.c - connects the SM to its schedulers and throttles: reports events to them, and
 * computes which warps may issue. */
#include "detailed/counters/site_counters.h"
#include "detailed/sm/sm.h"

void sm_admission_launch(struct sm *s)
{
    const struct launch *l = s->run->launch;
    const struct sched_launch schedulers = {s->id, s->occ.ctas, s->run->batch_ctas};
    const struct admission_launch begins = {.schedulers = schedulers,
                                            .l1_blocks = s->l1.c.n_lines,
                                            .warps =
                                                (double)l->ctas * l->warps_per_cta / s->p->count,
                                            .issued = s->s.instructions};
    admission_launch(&s->admission, &begins);
}

void sm_readmit(struct sm *s, uint64_t now)
{
    if (!s->admission.throttle.ops) return;
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
        bool memory =
            sc->unit[slot] == UNIT_MEMORY || sc->unit[slot] == UNIT_COLLECTED + UNIT_MEMORY;
        if (memory && w->inst.si->cls == OP_LOAD) loads |= UINT64_C(1) << slot;
    }
    return loads;
}

/* What policies admit. */
static uint64_t admitted(struct sm *s, struct subcore *sc, uint32_t i, uint64_t now)
{
    if (!admission_restricts(s->p)) return sc->awake;
    admission_choose(&s->admission, now);
    uint64_t asked = sc->awake & s->admission.throttle.no_loads[i];
    return admission_admitted(&s->admission, i, sc->awake, asked ? loads_next(s, sc, asked) : 0);
}

uint64_t sm_admitted(struct sm *s, struct subcore *sc, uint64_t now)
{
    uint32_t i = (uint32_t)(sc - s->sub);
    uint64_t slots = admitted(s, sc, i, now);
    return s->operands ? sm_operands_admitted(s, sc, slots, now) : slots;
}

static void count_locality(struct sm *s, uint32_t warp, uint64_t block, bool hit)
{
    const struct subcore *sc = sm_subcore(s, warp);
    uint32_t slot = warp % SM_SUBCORE_SLOTS;
    const struct locality_load load = {block, sc->warps.cta[slot], sc->nth[slot], hit};
    locality_l1(s->locality, s->id, &load);
}

void sm_l1_seen(void *owner, const struct l1_access *a, bool hit, bool miss, uint64_t now)
{
    struct sm *s = owner;
    const struct throttle_access seen = {.warp = sm_vinst_warp(s, a->vinst),
                                         .block = cache_tag(&s->l1.c, a->addr),
                                         .load = a->kind == ACCESS_READ,
                                         .miss = miss};
    bool joined = !hit && !miss;
    if (s->sites) site_counters_l1(s->sites, s->site_of[a->vinst], a->addr, hit, miss);
    if (s->locality && seen.load) count_locality(s, seen.warp, seen.block, hit || joined);
    if (admission_access(&s->admission, &seen, s->s.instructions, now)) sm_readmit(s, now);
}

void sm_l1_left(void *owner, uint64_t block)
{
    admission_left(&((struct sm *)owner)->admission, block);
}
