/* l1_prefetch.c - the stride prefetcher of an L1 (gpu/mechanisms/l1_prefetch.h).
 *
 * Every load teaches the table. After a miss, the sectors one to `degree` strides ahead are fetched
 * if they are neither there nor on their way, MSHR, line and room to the network are free, and they
 * lie in the same page where addresses are translated. A bit in a line's note marks a sector that
 * nobody has asked for; a prefetch was useful if a load finds it, or the fetch of it. */
#include "detailed/l1/l1_side.h"
#include "gpu/cache/stride_table.h"

static struct stride_entry *table_of(const struct l1 *l)
{
    return l->memory.of[L1_OF_prefetch];
}

static bool keep_notes(struct l1 *l, struct cache *tags)
{
    (void)l;
    return cache_keep_notes(tags);
}

static void learn(struct l1 *l, const struct l1_access *a)
{
    if (a->first)
        stride_table_learn(table_of(l), l->p->prefetch_entries, a->pc,
                           l->w->warp_of(l->owner, a->vinst), cache_tag(&l->c, a->addr));
}

static uint16_t sector_bit(const struct l1 *l, uint64_t addr)
{
    return (uint16_t)(1u << cache_sector(&l->c, addr));
}

static void judge_hit(struct l1 *l, const struct l1_access *a, uint32_t line)
{
    uint16_t bit = sector_bit(l, a->addr);
    learn(l, a);
    l->s.prefetches_useful += (l->c.note[line] & bit) != 0;
    l->c.note[line] &= (uint16_t)~bit;
}

static void judge_join(struct l1 *l, const struct l1_access *a, uint32_t entry)
{
    learn(l, a);
    l->s.prefetches_useful += !l->c.mshr.entry[entry].waiters;
}

static void mark_unasked(struct l1 *l, const struct req *r, uint32_t line)
{
    bool asked = l->c.mshr.entry[r->entry].waiters;
    if (!asked) l->c.note[line] |= sector_bit(l, r->addr);
}

static bool crosses_page(const struct l1 *l, uint64_t a, uint64_t b)
{
    return l->p->page_shift && a >> l->p->page_shift != b >> l->p->page_shift;
}

static void fetch_sector(struct l1 *l, uint64_t addr, uint64_t now)
{
    const struct access a = {.addr = addr, .kind = ACCESS_READ};
    const struct l1_access nobody = {.addr = addr};
    struct access_plan p;
    struct victim v;
    l->s.prefetch_lookups++;
    cache_plan_into(&l->c, &a, &p);
    /* a load of it that was rejected must come first */
    bool held = l->refused.head != l->refused.tail && l1_must_wait(l, &nobody);
    if (p.verdict != CACHE_MISS || held || !l1_network_room(l, 1)) return;
    uint32_t entry = cache_apply(&l->c, &p, &a, &v);
    if (entry == MSHR_NONE) return;
    l->c.mshr.entry[entry].phase = L1_FETCH_AHEAD;
    l1_write_back(l, &v, now);
    struct req *r = l1_send(l, &nobody, REQ_READ, addr, now);
    if (r) r->entry = entry;
    l->s.prefetches++;
    ++*l->w->behind;
}

static void fetch_ahead(struct l1 *l, const struct l1_access *a, uint64_t now)
{
    learn(l, a);
    int64_t stride = stride_table_find(table_of(l), l->p->prefetch_entries, a->pc,
                                       l->w->warp_of(l->owner, a->vinst));
    uint64_t first = a->addr & ~(uint64_t)(l->grain - 1), addr = first;
    for (uint32_t n = stride ? l->p->prefetch_degree : 0; n; n--) {
        addr += (uint64_t)stride << l->c.line_shift;
        if (crosses_page(l, first, addr)) return;
        fetch_sector(l, addr, now);
    }
}

static void end_fetch(struct l1 *l, uint32_t entry, uint64_t now)
{
    (void)now;
    *l->w->behind -= l->c.mshr.entry[entry].phase == L1_FETCH_AHEAD;
}

static bool check_counts(const struct l1 *l)
{
    return l->s.prefetches <= l->s.prefetch_lookups && l->s.prefetches_useful <= l->s.prefetches;
}

const struct l1_side_ops l1_side_prefetch = {.id = MECHANISM_l1_prefetch,
                                             .sends_behind = true,
                                             .attach = keep_notes,
                                             .hit = judge_hit,
                                             .joins = judge_join,
                                             .filled = mark_unasked,
                                             .under_way = fetch_ahead,
                                             .ended = end_fetch,
                                             .check = check_counts};
