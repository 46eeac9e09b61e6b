/* stall_account.c - charges every issue slot that a sub-core does not use to a cause; see sm.h. */
#include "detailed/sm/sm.h"

static enum stall_cause memory_cause(const struct sm *s)
{
    switch (s->l1.stall) {
    case L1_STALL_MSHR:
    case L1_STALL_MERGE:
    case L1_STALL_LINE: return CAUSE_MSHR;
    case L1_STALL_NETWORK: return CAUSE_NOC;
    case L1_GOES: break;
    }
    return CAUSE_MEMORY;
}

enum stall_cause sm_classify_stall(const struct sm *s, const struct subcore *sc, uint64_t wake)
{
    if (s->wants_memory >> (sc - s->sub) & 1) return memory_cause(s);
    uint32_t i = (uint32_t)(sc - s->sub);
    if (wake != UINT64_MAX) return CAUSE_COMPUTE;
    if (s->operands && sm_operands_wait(s, sc)) return CAUSE_COMPUTE;
    const struct warp *warps = sm_warp(s, i * SM_SUBCORE_SLOTS);
    for (uint64_t rest = sc->warps.resident; rest; rest &= rest - 1)
        if (warps[__builtin_ctzll(rest)].state != WARP_AT_BARRIER) return memory_cause(s);
    return CAUSE_BARRIER;
}

void sm_account_stall(struct sm *s, struct subcore *sc, uint64_t now)
{
    if (now <= sc->accounted) return;
    if (sc->warps.resident) {
        s->s.slots += now - sc->accounted;
        s->s.stall[sc->cause] += now - sc->accounted;
    }
    sc->accounted = now;
}

void sm_account(struct sm *s, uint64_t now)
{
    l1_account(&s->l1, now);
    vmb_block(&s->vmb, s->vmb.blocked, now);
    for (uint32_t i = 0; i < s->p->subcores; i++)
        sm_account_stall(s, &s->sub[i], now);
}
