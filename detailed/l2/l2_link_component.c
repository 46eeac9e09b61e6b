/* l2_link_component.c - what the links between partitions share among a simulation's components:
 * slices step their ends of them. */
#include "detailed/l2/l2_link.h"
#include "detailed/parts/component.h"
#include "gpu/machine/machine.h"

static uint32_t count(const struct machine *m)
{
    return l2_has_homes(&m->l2);
}

static bool build(const struct objects *o, struct wiring *w)
{
    return l2_links_init(o->all, w->m->sm.count, w->m->noc.header_bytes, w);
}

static void fini(void *object)
{
    l2_links_fini(object);
}

static void clear(void *object)
{
    l2_links_clear(object);
}

const struct component_ops l2_links_component = {.name = "links between partitions",
                                                 .size = sizeof(struct l2_links),
                                                 .count = count,
                                                 .build = build,
                                                 .fini = fini,
                                                 .clear = clear};
