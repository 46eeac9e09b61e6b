/* pages_component.c - the frames of pages among a simulation's components, which nothing steps. */
#include "base/memory/serialize.h"
#include "detailed/parts/component.h"
#include "gpu/functional/state/warm_state.h"
#include "gpu/machine/machine.h"
#include "gpu/pages/page_table.h"

static uint32_t count(const struct machine *m)
{
    return pages_are_placed(&m->pages);
}

static bool build(const struct objects *o, struct wiring *w)
{
    const struct machine *m = w->m;
    struct page_table *t = o->all;
    const struct map *maps[PAGE_MEMORIES] = {w->map, w->second_map};
    const double gbps[PAGE_MEMORIES] = {dram_channels_gbps(&m->dram),
                                        dram_channels_gbps(&m->second_dram)};
    w->placement = &t->placement;
    return page_table_init(t, &m->pages, m->sm.count, maps, gbps);
}

COMPONENT_STATE(page_table)

static void load(const struct objects *o, const struct warm_state *w)
{
    struct serializer t = {.mode = SERIALIZE_LOAD, .block = w->pages};
    if (w->pages) page_table_serialize(o->all, &t);
}

const struct component_ops pages_component = {.name = "frames of pages",
                                              .size = sizeof(struct page_table),
                                              .count = count,
                                              .build = build,
                                              .fini = fini,
                                              .clear = clear,
                                              .load = load};
