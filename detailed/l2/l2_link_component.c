/* l2_link_component.c - what the links between partitions share among a simulation's components:
 * slices step their ends of them. */
#include "base/memory/alloc.h"
#include "detailed/l2/l2_link.h"
#include "detailed/parts/component.h"
#include "gpu/machine/machine.h"

static uint32_t count(const struct machine *m)
{
    return l2_has_homes(&m->l2);
}

static bool build(const struct objects *o, struct wiring *w)
{
    struct l2_links *k = o->all;
    uint32_t sms = w->m->sm.count;
    *k = (struct l2_links){.w = w,
                           .map = w->map,
                           .slice = w->all[KIND_l2],
                           .left = mem_new(w->map->partitions, sizeof *k->left),
                           .partition_of = mem_new(sms, sizeof *k->partition_of),
                           .header_bytes = w->m->noc.header_bytes};
    for (uint32_t i = 0; k->partition_of && i < sms; i++)
        k->partition_of[i] = map_partition(w->map, sms, i);
    return k->left && k->partition_of;
}

static void fini(void *object)
{
    struct l2_links *k = object;
    mem_free(k->left);
    mem_free(k->partition_of);
}

static void clear(void *object)
{
    struct l2_links *k = object;
    for (uint32_t i = 0; i < k->map->partitions; i++)
        k->left[i] = 0;
}

const struct component_ops l2_links_component = {.name = "links between partitions",
                                                 .size = sizeof(struct l2_links),
                                                 .count = count,
                                                 .build = build,
                                                 .fini = fini,
                                                 .clear = clear};
