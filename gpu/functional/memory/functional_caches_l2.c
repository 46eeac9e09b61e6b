/* functional_caches_l2.c - the L2 and the memory behind it in the functional machine: an access
 * touches the tags of its slice, what it evicts is written back, and what misses goes to a part of
 * the L3 or to a row of the memory. Fills come at once: nothing is ever in flight.
 *
 * The functions return the level that ends the access, and the backlog in front of that level
 * (fluid_timing.h). The L1s and their protocols: functional_caches.c. */
#include "gpu/functional/memory/functional_caches.h"

#include "gpu/functional/memory/functional_l3.h"
#include "gpu/functional/memory/functional_partitions.h"

double functional_caches_open_row(struct functional_caches *w, uint64_t addr)
{
    bool second = w->map.second && addr >= MAP_SECOND_MEMORY;
    struct coord c = map_addr(functional_caches_map(w, addr), addr);
    size_t at = second ? w->first_rows + (size_t)c.channel * w->second_banks + c.flat_bank
                       : (size_t)c.channel * w->banks + c.flat_bank;
    bool open = w->row[at] == c.row;
    w->row[at] = c.row;
    w->touched[at] = w->timing.now;
    return fluid_channel_backlog(&w->timing,
                                 second ? w->timing.first_channels + c.channel : c.channel, open);
}

enum fluid_level functional_caches_read_memory(struct functional_caches *w, uint64_t addr,
                                               double *queued)
{
    *queued = 0;
    if (w->part && functional_l3_read(w, addr)) return FLUID_L3;
    *queued = functional_caches_open_row(w, addr);
    return FLUID_MEMORY;
}

enum fluid_level functional_caches_write_memory(struct functional_caches *w, uint64_t addr,
                                                double *queued)
{
    *queued = 0;
    if (w->part && functional_l3_write(w, addr)) return FLUID_L3;
    *queued = functional_caches_open_row(w, addr);
    return FLUID_MEMORY;
}

/* Handles the line that an inclusive L2 has evicted for this address. Returns whether one of the
 * L1s' copies was dirty. */
static bool follow_victim(struct functional_caches *w, uint32_t slice, uint64_t addr)
{
    struct inclusion_filter *k = &w->copies[slice];
    const struct cache *c = &w->slice[slice];
    uint32_t line = cache_find(c, cache_tag(c, addr));
    bool dirty = k->gone && inclusion_filter_evict(k, c, line, k->tag, w->l1);
    if (line == LINE_NONE) return dirty;
    inclusion_filter_note_copy(k, line, w->sm);
    if (w->copies_down) inclusion_filter_record(k, line, w->sm);
    return dirty;
}

#define OPS_OF(name) extern const struct func_l2_ops func_l2_##name;
L2_MECHANISM_FUNCTIONAL(OPS_OF)
#define ROW(name) &func_l2_##name,
static const struct func_l2_ops *const l2_ops[] = {L2_MECHANISM_FUNCTIONAL(ROW) NULL};

/* Tells the mechanisms of the slice that a read has missed. */
static void tell_missed(struct functional_caches *w, uint32_t slice, uint64_t addr)
{
    for (const struct func_l2_ops *const *o = l2_ops; *o; o++)
        if (w->mechanisms >> (*o)->id & 1) (*o)->missed(w, slice, addr);
}

bool functional_caches_touch_slice(struct functional_caches *w, uint32_t slice,
                                   const struct access *a)
{
    struct cache *c = &w->slice[slice];
    struct victim v;
    bool hit = cache_touch(c, a, &v);
    bool dirty = w->copies && follow_victim(w, slice, a->addr);
    double queued;
    if (v.dirty || dirty) functional_caches_write_memory(w, v.tag << c->line_shift, &queued);
    return hit;
}

enum fluid_level functional_caches_ask_l2(struct functional_caches *w, uint64_t addr,
                                          const struct access *in, double *queued)
{
    if (w->map.partitions > 1) return functional_partitions_ask(w, addr, in, queued);
    return functional_caches_ask_slice(w, map_slice(&w->map, addr), addr, in, queued);
}

enum fluid_level functional_caches_ask_slice(struct functional_caches *w, uint32_t slice,
                                             uint64_t addr, const struct access *in, double *queued)
{
    struct cache *c = &w->slice[slice];
    struct access a = {.addr = addr, .kind = in->kind};
    *queued = fluid_slice_backlog(&w->timing, slice);
    /* the mask is relative to the grain of the level above */
    bytemask_up(in->mask, (uint32_t)(addr & (c->p.sector_bytes - 1)), a.mask);
    bool hit = functional_caches_touch_slice(w, slice, &a);
    w->asked++;
    w->hits += hit;
    bool fetches = a.kind != ACCESS_WRITE || c->p.write_miss == WRITE_MISS_FETCH;
    bool through = a.kind != ACCESS_READ && c->p.write == WRITE_THROUGH;
    bool goes_on = fetches || through || c->p.write_miss == WRITE_MISS_NO_ALLOCATE;
    enum fluid_level level = FLUID_L2;
    if (!hit && goes_on) {
        double before;
        level = (fetches ? functional_caches_read_memory : functional_caches_write_memory)(w, addr,
                                                                                           &before);
        fluid_block_slice(&w->timing, slice, before);
        *queued = before > *queued ? before : *queued;
    }
    if (w->part && through && (hit || fetches)) functional_l3_write(w, addr);
    if (!hit && a.kind == ACCESS_READ) tell_missed(w, slice, addr);
    return level;
}

void functional_caches_touch_l2(struct functional_caches *w, uint64_t addr, const struct access *in)
{
    double queued;
    if (w->serves && w->serves(w, addr, in)) return;
    enum fluid_level level = functional_caches_ask_l2(w, addr, in, &queued);
    if (in->kind == ACCESS_WRITE)
        fluid_store(&w->timing, level, queued);
    else
        fluid_serve(&w->timing, level, queued);
}

void functional_caches_note_copy(struct functional_caches *w, uint32_t sm, uint64_t addr)
{
    uint32_t slice = map_slice(&w->map, addr);
    const struct cache *c = &w->slice[slice];
    uint32_t line = w->copies ? cache_find(c, cache_tag(c, addr)) : LINE_NONE;
    if (line != LINE_NONE) inclusion_filter_note_copy(&w->copies[slice], line, sm);
}
