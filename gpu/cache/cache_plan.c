/* cache_plan.c - decides what an access would do, and changes nothing; see cache.h. */
#include "gpu/cache/frc.h"

/* With p.tags: a new tag needs an entry of the set's tag table. If all are taken, it replaces the
 * set's best victim that holds data, which becomes the plan's line. false: all tags of the set have
 * fills in flight. */
static bool find_tag(const struct cache *c, uint64_t tag, struct access_plan *p)
{
    if (hash_map_get(&c->flying, tag) || c->index.n + c->flying.n < c->p.tags) return true;
    uint32_t set = cache_set(c, tag), base = set * c->p.ways;
    for (uint32_t w = c->repl.ops->first(&c->repl, set); w != WAY_NONE;
         w = c->repl.ops->next(&c->repl, set, w)) {
        const struct cache_line *l = &c->line[base + w];
        if (!l->resident || l->pending || l->transient) continue;
        p->line = base + w;
        return true;
    }
    return false;
}

/* Whether an FRC entry takes the miss: the miss would evict a block or finds no line, and an entry
 * is free. */
static bool frc_takes(const struct cache *c, uint64_t tag, uint32_t line)
{
    bool evicts = line == LINE_NONE || c->line[line].resident;
    return evicts && frc_has_room(c->frc, cache_set(c, tag));
}

/* Plans a read or atomic of a sector that is not readable: it merges into a fill or starts one. */
static inline void plan_fetch(const struct cache *c, const struct access *a, struct access_plan *p)
{
    if (p->entry != MSHR_NONE) {
        /* a fill that a store has overtaken brings data from before the store; later readers must
         * not get them */
        uint64_t nth = cache_key(c, a->addr) - c->mshr.entry[p->entry].key;
        bool joins =
            mshr_can_merge(&c->mshr, p->entry) && !(mshr_overtaken(&c->mshr, p->entry) >> nth & 1);
        p->verdict = joins ? CACHE_MERGE : CACHE_STALL_MERGE;
        return;
    }
    p->verdict = CACHE_MISS;
    if (!mshr_has_room(&c->mshr)) {
        p->verdict = CACHE_STALL_MSHR;
    } else if (!p->present && c->reserves) {
        p->line = cache_victim(c, cache_tag(c, a->addr), false);
        if (c->frc && frc_takes(c, cache_tag(c, a->addr), p->line))
            p->line = LINE_NONE;
        else if (p->line == LINE_NONE)
            p->verdict = CACHE_STALL_LINE;
    } else if (!p->present && c->p.tags && !find_tag(c, cache_tag(c, a->addr), p)) {
        p->verdict = CACHE_STALL_LINE;
    }
}

/* Plans a write that allocates a line, or writes to one. */
static inline void plan_allocate(const struct cache *c, const struct access *a,
                                 struct access_plan *p)
{
    p->verdict = CACHE_ALLOCATE;
    if (!p->present) {
        p->line = cache_victim(c, cache_tag(c, a->addr), false);
        if (p->line == LINE_NONE) p->verdict = CACHE_STALL_LINE;
        bool empty = c->p.tags && p->line != LINE_NONE && !c->line[p->line].resident;
        if (empty && !find_tag(c, cache_tag(c, a->addr), p)) p->verdict = CACHE_STALL_LINE;
    }
}

static inline void plan_write(const struct cache *c, const struct access *a, struct access_plan *p)
{
    enum write_miss_kind miss = c->p.write_miss;
    if (miss == WRITE_MISS_FETCH || (a->joins && p->entry != MSHR_NONE))
        plan_fetch(c, a, p);
    else if (miss == WRITE_MISS_NO_ALLOCATE && !a->allocate)
        p->verdict = CACHE_PASS;
    else
        plan_allocate(c, a, p);
}

/* Of a write that is to stay here whatever the policy says: CACHE_ALLOCATE, or CACHE_STALL_LINE. */
static struct access_plan cache_plan_allocate(const struct cache *c, const struct access *a)
{
    uint32_t line = cache_find(c, cache_tag(c, a->addr));
    struct access_plan p = {.line = line, .entry = MSHR_NONE, .present = line != LINE_NONE};
    plan_allocate(c, a, &p);
    return p;
}

static bool is_readable(const struct cache *c, const struct cache_line *l, uint8_t bit)
{
    return (l->valid & bit) || ((l->partial & bit) && c->p.write_miss == WRITE_MISS_VALIDATE);
}

/* The sectors of a line, as bits, whose verdict is like that of the access's first. */
static uint32_t alike(const struct cache *c, const struct access *a, const struct access_plan *p)
{
    static const struct cache_line none;
    const struct cache_line *l = p->present ? &c->line[p->line] : &none;
    uint32_t first = cache_sector(c, a->addr), have = l->valid, covered, nth;
    bool validates = a->kind != ACCESS_WRITE && c->p.write_miss == WRITE_MISS_VALIDATE;
    if (validates) have |= l->partial;
    const struct mshr_entry *e = p->entry != MSHR_NONE ? &c->mshr.entry[p->entry] : NULL;
    switch (p->verdict) {
    case CACHE_HIT: return have;
    case CACHE_MISS: return ~(have | l->pending);
    case CACHE_MERGE:
        nth = (uint32_t)(cache_key(c, a->addr) - e->key);
        covered = ((2u << e->more) - 1) & ~mshr_overtaken(&c->mshr, p->entry);
        return covered >> nth << first & ~have;
    case CACHE_ALLOCATE:
    case CACHE_PASS:
        return e ? 0 : ~(have | l->pending | (l->partial >> first & 1 ? ~l->partial : l->partial));
    case CACHE_STALL_MSHR:
    case CACHE_STALL_MERGE:
    case CACHE_STALL_LINE: break;
    }
    return 0;
}

/* How many sectors behind the first share its verdict. */
static uint32_t plan_more(const struct cache *c, const struct access *a,
                          const struct access_plan *p)
{
    uint32_t others = ~(alike(c, a, p) >> (cache_sector(c, a->addr) + 1)) | 1u << a->more;
    uint32_t more = (uint32_t)__builtin_ctz(others);
    uint32_t room = p->verdict == CACHE_MISS ? mshr_room_for_more(&c->mshr) : more;
    return more < room ? more : room;
}

static inline void plan_first(const struct cache *c, const struct access *a, struct access_plan *p)
{
    uint32_t line = cache_find(c, cache_tag(c, a->addr));
    p->verdict = CACHE_HIT;
    p->line = line;
    p->entry = MSHR_NONE;
    p->present = line != LINE_NONE;
    p->written = false;
    uint8_t bit = (uint8_t)(1u << cache_sector(c, a->addr));
    if (p->present) {
        const struct cache_line *l = &c->line[line];
        p->written = (l->partial & bit) != 0;
        if (a->kind == ACCESS_WRITE ? (l->valid & bit) != 0 : is_readable(c, l, bit)) return;
    }
    bool pending = p->present && (c->line[line].pending & bit);
    if (pending || !c->reserves || c->frc) p->entry = cache_fill_of(c, line, cache_key(c, a->addr));
    if (a->kind == ACCESS_WRITE)
        plan_write(c, a, p);
    else
        plan_fetch(c, a, p);
}

void cache_plan_into(const struct cache *c, const struct access *a, struct access_plan *p)
{
    p->more = 0;
    plan_first(c, a, p);
    if (a->more) p->more = plan_more(c, a, p);
}

bool cache_stores_whole_sector(const struct cache *c, const struct access *a, struct access_plan *p)
{
    const uint64_t *all = c->sector_mask[0];
    if (a->kind != ACCESS_WRITE || a->mask[0] != all[0] || a->mask[1] != all[1]) return false;
    *p = cache_plan_allocate(c, a);
    return p->verdict == CACHE_ALLOCATE;
}
