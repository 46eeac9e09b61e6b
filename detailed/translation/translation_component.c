/* translation_component.c - the shared TLB and its page walkers among a simulation's components.
 * They answer for the TLBs of the SMs, too, which are parts of the SMs. */
#include "detailed/parts/cache_bytes.h"
#include "detailed/parts/component.h"
#include "detailed/translation/l1_tlb.h"
#include "detailed/translation/l2_tlb.h"
#include "gpu/functional/state/warm_state.h"
#include "gpu/machine/machine.h"

STATS_ADDER(l1_tlb, L1_TLB_STATS)

/* Both TLBs' counters have one struct of parameters. */
#define l1_tlb_params tlb_params
#define l2_tlb_params tlb_params
STATS_SETTER(l1_tlb, L1_TLB_STATS)
STATS_SETTER(l2_tlb, L2_TLB_STATS)

static uint32_t count(const struct machine *m)
{
    return tlb_is_on(&m->tlb);
}

/* The TLBs, with a question and a walk for each page that may wait, and the walk cache. */
static uint64_t host_bytes(const struct machine *m)
{
    const struct tlb_params *p = &m->tlb;
    uint64_t sms = m->sm.count, pages = sms * p->l1_misses;
    if (!tlb_is_on(p)) return 0;
    return sms * (sizeof(struct l1_tlb) + cache_bytes(&p->l1, false)) +
           pages * (sizeof(struct tlb_page) + sizeof(struct tlb_question) +
                    sizeof(struct tlb_walk) + 4 * sizeof(struct hash_map_slot)) +
           cache_bytes(&p->l2, false) + cache_bytes(&p->walk_cache, false);
}

static bool build(const struct objects *o, struct wiring *w)
{
    return l2_tlb_init(o->all, &w->m->tlb, w->m->sm.count, w);
}

COMPONENT_OF_OBJECTS(l2_tlb, l2_tlb)

COMPONENT_IDLE(l2_tlb)

static uint64_t progress(const void *object)
{
    return l2_tlb_progress(object);
}

static void add_metrics(const struct objects *o, struct metrics *m)
{
    const struct l2_tlb *shared = o->all;
    struct l1_tlb_stats sum = {0};
    for (uint32_t i = 0; i < shared->sms; i++) {
        l1_tlb_account(shared->of_sm[i], objects_cycle(o, CLOCK_CORE));
        add_l1_tlb(&sum, &shared->of_sm[i]->s);
    }
    set_l1_tlb(shared->p, &sum, m);
    set_l2_tlb(shared->p, &shared->s, m);
}

static void load(const struct objects *o, const struct warm_state *w)
{
    struct l2_tlb *shared = o->all;
    if (!w->l2_tlb.line) return;
    for (uint32_t i = 0; i < shared->sms && i < w->sms; i++)
        cache_load(&shared->of_sm[i]->tags, w->l1_tlb[i].line, w->l1_tlb[i].n);
    cache_load(&shared->tags, w->l2_tlb.line, w->l2_tlb.n);
    cache_load(&shared->walk_cache, w->walk_cache.line, w->walk_cache.n);
}

const struct component_ops l2_tlb_component = {.name = "translation",
                                               .size = sizeof(struct l2_tlb),
                                               .count = count,
                                               .host_bytes = host_bytes,
                                               .build = build,
                                               .progress = progress,
                                               .add_metrics = add_metrics,
                                               .load = load,
                                               .idle = idle,
                                               COMPONENT_PASSED};
