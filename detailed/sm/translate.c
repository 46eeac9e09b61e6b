/* translate.c - an SM's TLB between its load/store unit and its L1. */
#include "base/memory/alloc.h"
#include "detailed/sm/sm.h"

bool sm_translation_init(struct sm *s, const struct tlb_params *p, struct l2_tlb *shared)
{
    if (!tlb_is_on(p)) return true;
    s->tlb = mem_new(1, sizeof *s->tlb);
    return s->tlb && l1_tlb_init(s->tlb, s->id, p, shared);
}

void sm_translation_fini(struct sm *s)
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
