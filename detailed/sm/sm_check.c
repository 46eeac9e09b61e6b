/* sm_check.c - what must hold of an SM whatever it does, and why one does not go on. */
#include "detailed/sm/sm_side.h"

bool sm_check(const struct sm *s)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < s->p->subcores; i++)
        live += (uint32_t)__builtin_popcountll(s->sub[i].warps.resident);
    uint32_t want = 0;
    for (uint32_t i = 0; i < s->p->max_ctas; i++)
        want += s->cta[i].active ? s->cta[i].present : 0;
    uint64_t lost = 0;
    for (uint32_t i = 0; i < CAUSE_N; i++)
        lost += s->s.stall[i];
    for (uint32_t i = 0; i < s->p->subcores; i++)
        if (s->sub[i].awake & ~s->sub[i].warps.resident) return false;
    SM_EACH_SIDE(s, o)
    if (!o->check(s)) return false;
    if (!vmb_check(&s->vmb) || (!s->vinsts && s->vmb.used)) return false;
    return live == want && lost + s->s.instructions == s->s.slots && l1_check(&s->l1);
}

void sm_stuck(const struct sm *s, struct text *out)
{
    static const char *const state[] = {
        "free",      "runs", "waits for memory", "is at a barrier", "waits for its release",
        "has exited"};
    SM_EACH_SIDE(s, o)
    if (o->stuck) o->stuck(s, out);
    l1_stuck(&s->l1, out);
    for (uint32_t i = 0; i < s->p->subcores * SM_SUBCORE_SLOTS; i++) {
        if (!(s->sub[i / SM_SUBCORE_SLOTS].warps.resident >> i % SM_SUBCORE_SLOTS & 1)) continue;
        const struct warp *w = sm_warp(s, i);
        text_add(out, "SM %u warp %u of CTA %llu %s (%u loads, %u stores outstanding)\n", s->id, i,
                 (unsigned long long)s->cta[w->cta].cta, state[w->state], w->loads, w->stores);
        return; /* the first one says enough */
    }
}
