/* sim_translation.c - the shared TLB and the page walkers among the machine's parts: wiring, warm
 * state, metrics. */
#include "detailed/core/sim_internal.h"
#include "gpu/functional/state/warm_state.h"

STATS_ADDER(l1_tlb, L1_TLB_STATS)

/* Sets the metrics of both TLBs; their counters have one struct of parameters. */
#define l1_tlb_params tlb_params
#define l2_tlb_params tlb_params
STATS_SETTER(l1_tlb, L1_TLB_STATS)
STATS_SETTER(l2_tlb, L2_TLB_STATS)

static void tlb_due(void *ctx, uint64_t cycle)
{
    struct sim *s = ctx;
    sim_due(s, CLOCK_CORE, s->scalars, cycle);
}

static void tlb_answers(void *ctx, uint32_t sm, uint32_t entry, bool walked, uint64_t at)
{
    struct sim *s = ctx;
    l1_tlb_answer(s->sm[sm].tlb, entry, walked, at);
    sim_sm_due(s, sm, at);
}

bool sim_translation_init(struct sim *s)
{
    s->l2_tlb_wiring = (struct l2_tlb_wiring){.reqs = &s->reqs,
                                              .has_room = sim_port_has_room,
                                              .send = sim_port_send,
                                              .answer = tlb_answers,
                                              .due = tlb_due,
                                              .sim = s};
    return !sim_translates(s) ||
           l2_tlb_init(&s->l2_tlb, &s->m.tlb, s->m.sm.count, &s->l2_tlb_wiring);
}

void sim_translation_load(struct sim *s, const struct warm_state *w)
{
    if (!sim_translates(s) || !w->l2_tlb.line) return;
    for (uint32_t i = 0; i < s->m.sm.count && i < w->sms; i++)
        cache_load(&s->sm[i].tlb->tags, w->l1_tlb[i].line, w->l1_tlb[i].n);
    cache_load(&s->l2_tlb.tags, w->l2_tlb.line, w->l2_tlb.n);
    cache_load(&s->l2_tlb.walk_cache, w->walk_cache.line, w->walk_cache.n);
}

void sim_translation_metrics(struct sim *s, struct metrics *m)
{
    struct l1_tlb_stats t = {0};
    if (!sim_translates(s)) return;
    for (uint32_t i = 0; i < s->m.sm.count; i++) {
        l1_tlb_account(s->sm[i].tlb, sim_core_cycle(s));
        add_l1_tlb(&t, &s->sm[i].tlb->s);
    }
    set_l1_tlb(&s->m.tlb, &t, m);
    set_l2_tlb(&s->m.tlb, &s->l2_tlb.s, m);
}
