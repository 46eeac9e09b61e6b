/* memory_side_component.c - the L3, whose parts are stepped by themselves, among a
 * simulation's components. */
#include "detailed/memory_side/memory_side.h"
#include "detailed/parts/component.h"
#include "gpu/functional/state/warm_state.h"
#include "gpu/machine/machine.h"

STATS_ADDER(l3, L3_STATS)
STATS_SETTER(l3, L3_STATS)

static uint32_t steps(const struct machine *m)
{
    return l3_is_there(&m->l3) ? m->dram.channels : 0;
}

static uint64_t host_bytes(const struct machine *m)
{
    const struct cache_params *p = &m->l3.cache;
    enum { LINE_BYTES = sizeof(struct cache_line) + 2 * sizeof(uint64_t) + 4 * sizeof(uint32_t) };
    return (uint64_t)steps(m) * p->sets * p->ways * LINE_BYTES;
}

/* Puts the L3 between the slices and the memory. */
static bool build(const struct objects *o, struct wiring *w)
{
    const struct l2_params *l2 = &w->m->l2;
    const struct l3_params *p = &w->m->l3;
    struct memory *memory = w->all[KIND_memory];
    memory->ctx = o->all;
    memory->on_return = memory_side_returned;
    memory->on_written = memory_side_written;
    w->below = (struct below){.all = o->all,
                              .cycles = 2 * p->link_latency + p->tag_latency + 1,
                              .send = memory_side_send,
                              .waiting = memory_side_waiting};
    return memory_side_init(o->all, p, l2_are_several(l2) ? l2->link_bytes : 0, w);
}

COMPONENT_OF_PARTS(memory_side)

static void add_metrics(const struct objects *o, struct metrics *m)
{
    const struct memory_side *side = o->all;
    struct l3_stats sum = {0};
    for (uint32_t i = 0; i < side->parts; i++)
        add_l3(&sum, &side->part[i].s);
    set_l3(side->p, &sum, m);
}

static void load(const struct objects *o, const struct warm_state *w)
{
    struct memory_side *side = o->all;
    for (uint32_t i = 0; i < side->parts && i < w->parts; i++)
        cache_load(&side->part[i].c, w->part[i].line, w->part[i].n);
}

const struct component_ops memory_side_component = {.name = "L3",
                                                    .size = sizeof(struct memory_side),
                                                    .steps = steps,
                                                    .host_bytes = host_bytes,
                                                    .build = build,
                                                    .add_metrics = add_metrics,
                                                    .load = load,
                                                    COMPONENT_PASSED};
