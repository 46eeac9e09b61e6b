/* page_view.c - see page_view.h. */
#include "estimator/profile/view/page_view.h"

#include <string.h>

/* Frames in order depend on the capacity alone, those of banks on the map. */
static struct digest memory_digest(const struct pages_params *p, const struct map *m)
{
    const uint64_t bytes = (uint64_t)m->channels * m->ranks * m->bankgroups * m->banks_per_group *
                           m->rows * m->row_bytes;
    return p->frames == FRAMES_SM_BANKS ? digest_bytes(m, sizeof *m)
                                        : digest_bytes(&bytes, sizeof bytes);
}

struct page_view page_view_of(const struct pages_params *p, uint32_t sms,
                              const struct l2_params *l2, const struct dram_params *dram,
                              const struct dram_params *second)
{
    struct page_view v = {0};
    struct error ignored; /* a loaded machine's maps are sound */
    if (!pages_are_placed(p)) return v;
    v.p = *p;
    v.sms = sms;
    v.second = dram_is_there(second);
    v.gbps[0] = dram_channels_gbps(dram);
    v.gbps[1] = dram_channels_gbps(second);
    bool ok = map_init(&v.map[0], l2, dram, &ignored);
    if (ok && v.second) ok = map_init_second(&v.map[1], l2, second, &ignored);
    v.map[0].second = v.second;
    v.memories = digest_join(memory_digest(p, &v.map[0]), memory_digest(p, &v.map[1]));
    if (v.second && p->placement == PLACE_BANDWIDTH_AWARE)
        v.memories = digest_join(v.memories, digest_bytes(v.gbps, sizeof v.gbps));
    return v;
}

void page_view_numbers(const struct page_view *v, uint64_t out[PAGE_VIEW_NUMBERS])
{
    const uint64_t numbers[PAGE_VIEW_NUMBERS] = {v->p.placement, v->p.frames,    v->p.kb,
                                                 v->second,      v->memories.hi, v->memories.lo};
    memcpy(out, numbers, sizeof numbers);
}

bool page_view_near(const struct page_view *a, const struct page_view *b)
{
    return a->p.placement == b->p.placement && a->p.frames == b->p.frames && a->p.kb == b->p.kb &&
           a->second == b->second;
}

bool page_view_table(const struct page_view *v, struct page_table *t)
{
    const struct map *maps[PAGE_MEMORIES] = {&v->map[0], v->second ? &v->map[1] : NULL};
    return page_table_init(t, &v->p, v->sms, maps, v->gbps);
}
