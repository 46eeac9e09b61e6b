/* functional_partitions.c - an L2 in partitions in a functional pass
 * (gpu/mechanisms/l2_partitions.h).
 *
 * Where lines have homes, a read first looks for the near slice's copy and leaves one there; a
 * store or an atomic removes all copies and is performed at the home. Where partitions are L2s of
 * their own, an SM asks its own alone, atomics are performed behind it, and a launch empties all.
 * The messages' bytes go to the timing model, which has the backlog of each link. */
#include "gpu/functional/memory/functional_partitions.h"

#include "gpu/functional/memory/functional_l3.h"

static uint32_t partition_of(const struct functional_caches *w)
{
    return map_partition(&w->map, w->sms, w->sm);
}

/* Removes the slice's copy of the sector; what it would have to write back is returned. */
static uint8_t drop_sector(struct cache *c, uint64_t addr)
{
    uint32_t line = cache_find(c, cache_tag(c, addr));
    if (line == LINE_NONE) return 0;
    uint8_t bit = (uint8_t)(1u << cache_sector(c, addr)), dirty = c->line[line].dirty & bit;
    cache_forget(c, line, bit);
    return dirty;
}

/* Removes all partitions' copies of the sector but the home's. */
static void drop_copies(struct functional_caches *w, uint32_t home, uint64_t addr)
{
    for (uint32_t i = 0; i < w->map.partitions; i++)
        if (i != home / w->map.near_slices)
            drop_sector(&w->slice[map_near_slice(&w->map, home, i)], addr);
}

void functional_partitions_at_home(struct functional_caches *w, uint64_t addr)
{
    uint32_t home = map_slice(&w->map, addr);
    drop_copies(w, home, addr);
    w->sm = 0;
    while (partition_of(w) != home / w->map.near_slices)
        w->sm++;
}

static void later(double *queued, double backlog)
{
    if (backlog > *queued) *queued = backlog;
}

/* A message and its answer between two partitions; the data go one way. */
static void cross_link(struct functional_caches *w, uint32_t from, uint32_t home, bool reads,
                       double *queued)
{
    double data = w->l2->cache.sector_bytes, none = 0;
    later(queued, fluid_link_backlog(&w->timing, from, reads ? none : data));
    later(queued, fluid_link_backlog(&w->timing, home, reads ? data : none));
    w->timing.far = w->timing.far_cycles;
}

/* A read of a line with its home elsewhere: whether the near slice has a copy. It has one
 * afterwards. */
static bool hits_copy(struct functional_caches *w, uint32_t near, uint64_t addr)
{
    struct cache *c = &w->slice[near];
    struct access read = {.addr = addr, .kind = ACCESS_READ};
    struct victim v;
    double queued;
    bool hit = cache_touch(c, &read, &v);
    if (v.dirty) functional_caches_write_memory(w, v.tag << c->line_shift, &queued);
    return hit;
}

/* One slice of one partition is the line's home. */
static enum fluid_level ask_home(struct functional_caches *w, uint64_t addr,
                                 const struct access *in, double *queued)
{
    uint32_t home = map_slice(&w->map, addr), of = home / w->map.near_slices,
             from = partition_of(w);
    uint32_t near = map_near_slice(&w->map, home, from);
    double backlog = 0;
    if (in->kind != ACCESS_READ) drop_copies(w, home, addr);
    if (from != of) {
        later(&backlog, fluid_slice_backlog(&w->timing, near));
        if (in->kind == ACCESS_READ && hits_copy(w, near, addr)) {
            w->asked++;
            w->hits++;
            *queued = backlog;
            return FLUID_L2;
        }
        cross_link(w, from, of, in->kind == ACCESS_READ, &backlog);
    }
    enum fluid_level level = functional_caches_ask_slice(w, home, addr, in, queued);
    later(queued, backlog);
    return level;
}

/* An atomic of one of several L2s: the memory side reads and writes the sector. */
static enum fluid_level ask_memory_side(struct functional_caches *w, uint32_t slice, uint64_t addr,
                                        double *queued)
{
    double written;
    w->asked++;
    if (drop_sector(&w->slice[slice], addr)) functional_caches_write_memory(w, addr, &written);
    enum fluid_level level = functional_caches_read_memory(w, addr, queued);
    functional_caches_write_memory(w, addr, &written);
    return level;
}

enum fluid_level functional_partitions_ask(struct functional_caches *w, uint64_t addr,
                                           const struct access *in, double *queued)
{
    w->timing.far = 0;
    if (l2_has_homes(w->l2)) return ask_home(w, addr, in, queued);
    uint32_t slice = map_near_slice(&w->map, map_slice(&w->map, addr), partition_of(w));
    if (in->kind == ACCESS_ATOMIC) return ask_memory_side(w, slice, addr, queued);
    return functional_caches_ask_slice(w, slice, addr, in, queued);
}

void functional_partitions_launch(struct functional_caches *w)
{
    double queued;
    for (uint32_t i = 0; i < w->l2->banks && l2_are_several(w->l2); i++) {
        struct cache *c = &w->slice[i];
        for (uint32_t k = 0; k < c->n_lines; k++)
            for (uint32_t rest = c->line[k].resident ? c->line[k].dirty : 0; rest; rest &= rest - 1)
                functional_caches_write_memory(
                    w,
                    (c->line[k].tag << c->line_shift) +
                        ((uint64_t)__builtin_ctz(rest) << c->sector_shift),
                    &queued);
        cache_invalidate(c);
    }
}
