/* translate.c - an SM's TLB between its load/store unit and its L1. */
#include "base/memory/alloc.h"
#include "detailed/sm/sm_side.h"

static bool init(struct sm *s, const struct sm_wiring *w)
{
    s->tlb = mem_new(1, sizeof *s->tlb);
    return s->tlb && l1_tlb_init(s->tlb, s->id, w->tlb, w->shared_tlb);
}

static void fini(struct sm *s)
{
    if (s->tlb) l1_tlb_fini(s->tlb);
    mem_free(s->tlb);
}

void sm_translate(struct sm *s, const struct l1_access *a, uint64_t virtual_addr)
{
    l1_tlb_push(s->tlb, a, virtual_addr);
    s->untranslated = l1_tlb_queued(s->tlb);
}

void sm_translation_step(struct sm *s, uint64_t now)
{
    if (l1_tlb_due(s->tlb) > now) return;
    if (l1_tlb_step(s->tlb, &s->l1, now)) s->l1_due = now;
    s->untranslated = l1_tlb_queued(s->tlb);
}

static void clear(struct sm *s)
{
    l1_tlb_clear(s->tlb);
}

void sm_translation_reply(struct sm *s, uint32_t req, uint64_t now)
{
    l2_tlb_reply(s->tlb->shared, req, now);
}

uint64_t sm_translation_due(const struct sm *s)
{
    return l1_tlb_due(s->tlb);
}

uint64_t sm_translation_waiting(const struct sm *s)
{
    return s->tlb ? l1_tlb_queued(s->tlb) + s->tlb->waiters.used : 0;
}

static bool is_idle(const struct sm *s)
{
    return l1_tlb_idle(s->tlb);
}

static bool check(const struct sm *s)
{
    return l1_tlb_check(s->tlb);
}

static void stuck(const struct sm *s, struct text *out)
{
    l1_tlb_stuck(s->tlb, out);
}

const struct sm_side_ops sm_side_translation = {.id = MECHANISM_translation,
                                                .init = init,
                                                .fini = fini,
                                                .clear = clear,
                                                .is_idle = is_idle,
                                                .check = check,
                                                .stuck = stuck};
