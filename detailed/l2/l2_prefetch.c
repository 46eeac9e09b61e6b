/* l2_prefetch.c - the prefetchers of a slice (gpu/mechanisms/l2_prefetch.h).
 *
 * After a read's miss they ask the miss policy for the sectors one line further, or of the next
 * lines of the row. They remember the sectors that they have fetched until somebody asks for them
 * or their line has gone; a prefetch was useful if its sector is then there or on its way. */
#include "detailed/l2/l2_side.h"

#include "base/memory/alloc.h"
#include "base/memory/hash_map.h"
#include "gpu/geometry/row_lines.h"

static struct hash_map *unasked(const struct l2_slice *s)
{
    return s->side_state[L2_OF_prefetch];
}

static void fetch_line(struct l2_slice *s, uint64_t addr, uint64_t now)
{
    s->s.prefetch_lookups++;
    if (!s->miss->fetch_ahead(s, addr, now)) return;
    s->s.prefetches++;
    hash_map_put(unasked(s), cache_key(&s->c, addr), 1);
}

static void fetch_row(struct l2_slice *s, uint64_t addr, uint64_t now)
{
    const struct map *m = l2_memory_of(s->w, addr)->map;
    for (uint32_t n = s->p->prefetch_degree; n; n--) {
        if (!row_lines_next(m, addr, s->c.p.line_bytes, &addr)) return;
        fetch_line(s, addr, now);
    }
}

static void fetch_next(struct l2_slice *s, uint64_t addr, uint64_t now)
{
    uint64_t next = addr + s->c.p.line_bytes;
    if (s->p->prefetch == PREFETCH_OPEN_ROW)
        fetch_row(s, addr, now);
    else if (map_slice_fetches(s->w->memory->map, s->id, next))
        fetch_line(s, next, now);
}

static void judge_access(struct l2_slice *s, const struct req *r, const struct access_plan *p)
{
    if (!hash_map_del(unasked(s), cache_key(&s->c, r->addr))) return;
    s->s.prefetches_useful += p->verdict == CACHE_HIT || p->verdict == CACHE_MERGE;
}

static void forget_line(struct l2_slice *s, uint64_t tag)
{
    uint64_t first = tag << (s->c.line_shift - s->c.sector_shift);
    for (uint32_t k = 0; k < s->c.sectors; k++)
        hash_map_del(unasked(s), first + k);
}

static uint64_t host_bytes(const struct l2_params *p)
{
    uint64_t sectors =
        (uint64_t)p->cache.sets * p->cache.ways * (p->cache.line_bytes / p->cache.sector_bytes);
    return sizeof(struct hash_map) + 2 * sectors * sizeof(struct hash_map_slot);
}

static bool init_memory(struct l2_slice *s)
{
    s->side_state[L2_OF_prefetch] = mem_new(1, sizeof(struct hash_map));
    return unasked(s) && hash_map_init(unasked(s), 64);
}

static void free_memory(struct l2_slice *s)
{
    if (unasked(s)) hash_map_fini(unasked(s));
    mem_free(unasked(s));
}

static void clear_memory(struct l2_slice *s)
{
    hash_map_clear(unasked(s));
}

static bool check_counts(const struct l2_slice *s)
{
    const struct l2_stats *t = &s->s;
    return t->prefetches <= t->prefetch_lookups && t->prefetches_useful <= t->prefetches &&
           t->prefetches <= t->fetches;
}

const struct l2_side_ops l2_side_prefetch = {.id = L2_OF_prefetch,
                                             .bytes = host_bytes,
                                             .init = init_memory,
                                             .fini = free_memory,
                                             .clear = clear_memory,
                                             .accessed = judge_access,
                                             .missed = fetch_next,
                                             .replaced = forget_line,
                                             .check = check_counts};
