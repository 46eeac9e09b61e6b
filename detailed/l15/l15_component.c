/* l15_component.c - the L1.5s among a simulation's components, and among the mechanisms of an L1.
 */
#include "detailed/l1/l1_side.h"
#include "detailed/l15/l15.h"
#include "detailed/parts/cache_bytes.h"
#include "detailed/parts/component.h"
#include "gpu/functional/state/warm_state.h"
#include "gpu/machine/machine.h"

STATS_ADDER(l15, L15_STATS)
STATS_SETTER(l15, L15_STATS)

/* All that it does stands behind the L1. */
const struct l1_side_ops l1_side_l15 = {.id = MECHANISM_l1_l15};

static uint32_t steps(const struct machine *m)
{
    return l15_caches(&m->l1, m->sm.count);
}

static uint64_t host_bytes(const struct machine *m)
{
    const struct l15_params *p = &m->l1.l15;
    uint64_t queue = sizeof(struct noc_input) + sizeof(struct noc_output);
    uint64_t passes = (uint64_t)p->ports * (p->latency + 1) * sizeof(struct l15_pass);
    return steps(m) * (cache_bytes(&p->cache, SHADOW_ON) + passes) + m->sm.count * queue;
}

COMPONENT_OF_PARTS(l15)

static bool idle(const void *object)
{
    return l15_idle(object);
}

static bool launch(void *object, const struct occupancy *occ, uint64_t now)
{
    (void)occ, (void)now;
    l15_drop(object);
    return true;
}

static void add_metrics(const struct objects *o, struct metrics *m)
{
    const struct l15 *l = o->all;
    struct l15_stats sum = {0};
    for (uint32_t i = 0; i < l->n; i++)
        add_l15(&sum, &l->cache[i].s);
    set_l15(&l->p->l15, &sum, m);
}

static void load(const struct objects *o, const struct warm_state *w)
{
    struct l15 *l = o->all;
    const struct cache_image *x = &w->shared[w->shared_from[SHARED_l15]];
    for (uint32_t i = 0; i < l->n; i++)
        cache_load(&l->cache[i].c, x[i].line, x[i].n);
}

const struct component_ops l15_component = {.name = "L1.5s",
                                            .size = sizeof(struct l15),
                                            .steps = steps,
                                            .host_bytes = host_bytes,
                                            .launch = launch,
                                            .add_metrics = add_metrics,
                                            .load = load,
                                            .idle = idle,
                                            COMPONENT_PASSED};
