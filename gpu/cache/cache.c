/* cache.c - what changes a cache: taking a line for a tag, applying a planned access, filling, and
 * dropping. What an access would do is decided in cache_plan.c.
 *
 * Tags are found by a hash table with linear probing; the replacement policy orders the ways of a
 * set and lines with a fill in flight are passed over. Stored bytes are a mask per line, and a
 * sector whose bytes have all been stored is valid. A fill that a store has overtaken is not kept,
 * or (stored_over) goes under the stored bytes. With a table of tags (p.tags) a fetch takes its
 * line when the data come. Source: Khairy II, III-B, III-C; Candel 2019, 4.5. */
#include "gpu/cache/frc.h"

#include "base/memory/alloc.h"

#include <assert.h>
#include <string.h>

/* Precondition: line[line].tag is set, the tag is not there. */
static void index_put(struct cache *c, uint32_t line)
{
    uint32_t hash = cache_hash(c->line[line].tag);
    uint32_t i = cache_home(c, hash);
    while (c->index.slot[i])
        i = (i + 1) & c->index.mask;
    c->index.slot[i] = (hash >> c->index.line_bits << c->index.line_bits) | (line + 1);
    c->index.n++;
}

/* The slot in which the entry would stand without collisions. In very large caches this needs the
 * tag from the line array, which is likely to miss in the host's caches. */
static uint32_t home_of(const struct cache *c, uint32_t slot)
{
    if (c->index.tells_home) return slot >> c->index.home_shift;
    return cache_home(c, cache_hash(c->line[cache_slot_line(c, slot)].tag));
}

/* Precondition: the index contains the line. Entries behind it move up, so that no probe sequence
 * is interrupted. */
static void index_del(struct cache *c, uint32_t line)
{
    struct tag_index *x = &c->index;
    uint32_t hole = cache_home(c, cache_hash(c->line[line].tag));
    while (cache_slot_line(c, x->slot[hole]) != line)
        hole = (hole + 1) & x->mask;
    for (uint32_t i = (hole + 1) & x->mask; x->slot[i]; i = (i + 1) & x->mask) {
        uint32_t home = home_of(c, x->slot[i]);
        if (((i - home) & x->mask) < ((i - hole) & x->mask)) continue;
        x->slot[hole] = x->slot[i];
        hole = i;
    }
    x->slot[hole] = 0;
    x->n--;
}

void cache_invalidate(struct cache *c)
{
    for (uint32_t i = 0; i < c->n_lines; i++)
        if (c->line[i].resident) cache_forget(c, i, UINT8_MAX);
}

/* The line's number within the slice. A slice sees every slices-th chunk of the address space;
 * without removing the slice number it would use only every slices-th set. */
static uint64_t local_line(const struct cache *c, uint64_t tag)
{
    if (c->slices == 1) return tag;
    uint64_t chunk = tag >> c->chunk_shift, in_chunk = tag & ((UINT64_C(1) << c->chunk_shift) - 1);
    chunk = c->slice_shift ? chunk >> c->slice_shift : chunk / c->slices;
    return chunk << c->chunk_shift | in_chunk;
}

uint64_t cache_local_sector(const struct cache *c, uint64_t addr)
{
    return local_line(c, cache_tag(c, addr)) * c->sectors + cache_sector(c, addr);
}

uint32_t cache_set(const struct cache *c, uint64_t tag)
{
    return c->index_of(local_line(c, tag), c->p.sets);
}

uint32_t cache_victim(const struct cache *c, uint64_t tag, bool transient_too)
{
    uint32_t set = cache_set(c, tag), base = set * c->p.ways;
    for (uint32_t w = c->repl.ops->first(&c->repl, set); w != WAY_NONE;
         w = c->repl.ops->next(&c->repl, set, w)) {
        const struct cache_line *l = &c->line[base + w];
        if (!transient_too && (l->pending || l->transient)) continue;
        if (c->keeps && l->resident && c->keeps(c->keeps_ctx, l->tag)) continue;
        return base + w;
    }
    return LINE_NONE;
}

void cache_prefetch_line(const struct cache *c, uint64_t addr, bool write)
{
    uint64_t tag = cache_tag(c, addr);
    uint32_t at = c->index.slot[cache_home(c, cache_hash(tag))];
    uint32_t line = cache_slot_line(c, at);
    if (!at) { /* probably a miss: prefetch the victim */
        uint32_t set = cache_set(c, tag);
        line = set * c->p.ways + c->repl.ops->first(&c->repl, set);
    } else if (c->repl.ops->expect) {
        uint32_t set = cache_set_of_line(c, line);
        c->repl.ops->expect(&c->repl, set, line - set * c->p.ways);
    }
    prefetch_line(&c->line[line]);
    if (write) prefetch_line(&c->bytes[2 * (size_t)line]);
    mshr_expect(&c->mshr, cache_key(c, addr));
    if (c->mshr.entry_free != MSHR_NONE) prefetch_line(&c->mshr.entry[c->mshr.entry_free]);
}

void cache_vacate(struct cache *c, uint32_t line)
{
    struct cache_line *l = &c->line[line];
    if (l->resident) index_del(c, line);
    *l = (struct cache_line){0};
}

void cache_drop(struct cache *c, uint32_t line)
{
    cache_vacate(c, line);
    uint32_t set = cache_set_of_line(c, line);
    c->repl.ops->retire(&c->repl, set, line - set * c->p.ways);
}

/* Called when a line has been allocated to a tag whose fills had none: the fills now have this
 * line, which is pending until they complete. */
static void land_fill(struct cache *c, uint32_t line)
{
    struct cache_line *l = &c->line[line];
    const uint32_t *sectors = hash_map_get(&c->flying, l->tag);
    if (!sectors) return;
    l->pending = (uint8_t)*sectors;
    hash_map_del(&c->flying, l->tag);
    uint64_t key = l->tag << (c->line_shift - c->sector_shift);
    for (uint32_t rest = l->pending; rest; rest &= rest - 1) {
        uint32_t entry = mshr_find(&c->mshr, key + (uint32_t)__builtin_ctz(rest));
        if (entry != MSHR_NONE) c->mshr.entry[entry].line = line;
    }
}

/* Records that a fetch without a line begins (its tag has an entry), or ends without having
 * received a line. */
static void note_flying(struct cache *c, uint64_t tag, uint8_t bit, bool begins)
{
    uint32_t *sectors = hash_map_get(&c->flying, tag), none = 0;
    if (!sectors) sectors = &none;
    uint32_t left = begins ? *sectors | bit : *sectors & ~(uint32_t)bit;
    if (!left)
        hash_map_del(&c->flying, tag);
    else if (sectors == &none)
        hash_map_put(&c->flying, tag, left); /* the map has room for p.tags entries */
    else
        *sectors = left;
}

void cache_take(struct cache *c, uint32_t line, uint64_t tag, struct victim *v)
{
    struct cache_line *l = &c->line[line];
    v->tag = l->tag;
    v->dirty = l->resident ? l->dirty : 0;
    v->partial = v->dirty & l->partial;
    if (v->partial) memcpy(v->bytes, &c->bytes[2 * (size_t)line], sizeof v->bytes);
    if (l->resident) {
        index_del(c, line);
        if (c->left) c->left(c->left_ctx, l->tag);
    }
    *l = (struct cache_line){.tag = tag, .resident = true};
    index_put(c, line);
    if (c->version)
        memset(&c->version[(size_t)line * c->sectors], 0, c->sectors * sizeof *c->version);
    uint32_t set = cache_set_of_line(c, line);
    c->repl.ops->insert(&c->repl, set, line - set * c->p.ways);
    if (c->note) c->note[line] = 0;
    if (c->p.tags) land_fill(c, line);
}

static void forget_bytes(const struct cache *c, uint64_t have[2], uint32_t sector)
{
    const uint64_t *all = c->sector_mask[sector];
    have[0] &= ~all[0];
    have[1] &= ~all[1];
}

static bool sector_covered(const struct cache *c, const uint64_t have[2], uint32_t sector)
{
    const uint64_t *want = c->sector_mask[sector];
    return (have[0] & want[0]) == want[0] && (have[1] & want[1]) == want[1];
}

struct victim cache_dirty(const struct cache *c, uint32_t line, uint8_t sectors)
{
    const struct cache_line *l = &c->line[line];
    struct victim v = {.tag = l->tag, .dirty = l->resident ? l->dirty & sectors : 0};
    v.partial = v.dirty & l->partial;
    if (v.partial) memcpy(v.bytes, &c->bytes[2 * (size_t)line], sizeof v.bytes);
    return v;
}

void cache_dirty_bytes(const struct cache *c, const struct victim *v, uint32_t sector,
                       uint64_t out[2])
{
    if (v->partial >> sector & 1)
        bytemask_part(v->bytes, sector << c->sector_shift, c->p.sector_bytes, out);
    else
        bytemask_first(c->p.sector_bytes, out);
}

void cache_forget(struct cache *c, uint32_t line, uint8_t sectors)
{
    struct cache_line *l = &c->line[line];
    l->valid &= (uint8_t)~sectors;
    l->partial &= (uint8_t)~sectors;
    l->dirty &= (uint8_t)~sectors;
    if (!l->valid && !l->partial && !l->pending && !l->transient) cache_drop(c, line);
}

static void write_sector(struct cache *c, uint32_t line, const struct access *a)
{
    struct cache_line *l = &c->line[line];
    uint32_t sector = cache_sector(c, a->addr);
    uint8_t bit = (uint8_t)(1u << sector);
    if (c->p.write == WRITE_BACK && !a->through) l->dirty |= bit;
    if (l->valid & bit) return;
    if (a->mask[0] == c->sector_mask[0][0] && a->mask[1] == c->sector_mask[0][1]) {
        l->valid |= bit; /* valid as a whole */
        l->partial &= (uint8_t)~bit;
        return;
    }
    uint64_t *have = &c->bytes[2 * (size_t)line], add[2];
    if (!l->partial)
        have[0] = have[1] = 0; /* left over from the line's previous content */
    else if (!(l->partial & bit))
        forget_bytes(c, have, sector);
    bytemask_up(a->mask, sector << c->sector_shift, add);
    have[0] |= add[0];
    have[1] |= add[1];
    if (sector_covered(c, have, sector)) {
        l->valid |= bit;
        l->partial &= (uint8_t)~bit;
    } else {
        l->partial |= bit;
    }
}

void cache_write_bytes(struct cache *c, uint32_t line, const struct access *a)
{
    if (!a->more) {
        write_sector(c, line, a);
        return;
    }
    struct access one = *a;
    for (uint32_t k = 0; k <= a->more; k++) {
        one.addr = a->addr + ((uint64_t)k << c->sector_shift);
        bytemask_part(a->mask, k << c->sector_shift, c->p.sector_bytes, one.mask);
        write_sector(c, line, &one);
    }
}

/* Writes the bytes of the sectors that the plan is for. */
static void write_planned(struct cache *c, const struct access_plan *p, const struct access *a)
{
    if (!a->more) {
        write_sector(c, p->line, a);
        return;
    }
    struct access part = *a;
    part.more = p->more;
    if (p->more < a->more) bytemask_part(a->mask, 0, (1 + p->more) << c->sector_shift, part.mask);
    cache_write_bytes(c, p->line, &part);
}

void cache_soil(struct cache *c, uint64_t addr)
{
    uint32_t line = cache_find(c, cache_tag(c, addr));
    if (line == LINE_NONE || c->p.write != WRITE_BACK) return;
    c->line[line].dirty |= (uint8_t)(c->line[line].valid & 1u << cache_sector(c, addr));
}

/* Appends the entry to its line's chain, oldest first: now the chain's entries are likely to be in
 * the host's caches, at the fill they are not. */
static void chain_fill(struct cache *c, uint32_t line, uint32_t entry)
{
    struct mshr_entry *all = c->mshr.entry;
    uint32_t at = (uint32_t)c->line[line].fills - 1;
    all[entry].chain = MSHR_NONE;
    if (at == MSHR_NONE) {
        c->line[line].fills = (uint16_t)(entry + 1);
        return;
    }
    while (all[at].chain != MSHR_NONE)
        at = all[at].chain;
    all[at].chain = entry;
}

static void unchain_fill(struct cache *c, uint32_t line, uint32_t entry)
{
    struct mshr_entry *all = c->mshr.entry;
    uint32_t at = (uint32_t)c->line[line].fills - 1;
    if (at == entry) {
        c->line[line].fills = (uint16_t)(all[entry].chain + 1);
        return;
    }
    while (all[at].chain != entry)
        at = all[at].chain;
    all[at].chain = all[entry].chain;
}

/* Starts a fetch whose tag has an entry in the table but no line yet. */
static uint32_t take_off(struct cache *c, const struct access_plan *p, const struct access *a,
                         uint8_t bit, struct victim *v)
{
    if (p->line != LINE_NONE) {
        *v = cache_dirty(c, p->line, UINT8_MAX);
        if (c->left) c->left(c->left_ctx, c->line[p->line].tag);
        cache_forget(c, p->line, UINT8_MAX);
    }
    uint32_t entry = mshr_alloc(&c->mshr, cache_key(c, a->addr));
    if (entry != MSHR_NONE) note_flying(c, cache_tag(c, a->addr), bit, true);
    return entry;
}

/* Records that a store has written to a sector of a line that a fill without a line will find. If
 * the line was evicted in between, the fill's data are older than the store, and are not kept. */
static void store_over(struct mshr_entry *e, uint64_t key, bool line_was_there)
{
    uint32_t bit = 1u << (key - e->key);
    if ((e->stored_over & bit) && !line_was_there) e->killed |= bit & MSHR_ALL;
    e->stored_over |= bit & MSHR_ALL;
}

uint32_t cache_apply(struct cache *c, const struct access_plan *p, const struct access *a,
                     struct victim *v)
{
    uint8_t bits = (uint8_t)(((2u << p->more) - 1) << cache_sector(c, a->addr));
    uint32_t entry = MSHR_NONE;
    v->dirty = v->partial = 0;
    if (p->line != LINE_NONE) c->recent = p->line;
    switch (p->verdict) {
    case CACHE_HIT:
        cache_use_line(c, p->line);
        if (a->kind != ACCESS_READ) write_planned(c, p, a);
        break;
    case CACHE_MERGE:
        if (p->present) cache_use_line(c, p->line);
        break;
    case CACHE_MISS:
        if (!p->present && c->p.tags) {
            entry = take_off(c, p, a, bits, v);
            break;
        }
        if (!p->present && p->line != LINE_NONE)
            cache_take(c, p->line, cache_tag(c, a->addr), v);
        else if (p->present)
            cache_use_line(c, p->line);
        entry = mshr_alloc_run(&c->mshr, cache_key(c, a->addr), p->more);
        if (entry != MSHR_NONE && p->line == LINE_NONE && c->frc)
            frc_fetch_for(c->frc, frc_take(c->frc, cache_set(c, cache_tag(c, a->addr))), entry);
        if (entry == MSHR_NONE || p->line == LINE_NONE) break;
        c->line[p->line].pending |= bits;
        c->mshr.entry[entry].line = p->line;
        if (c->chained) chain_fill(c, p->line, entry);
        break;
    case CACHE_ALLOCATE:
        if (!p->present)
            cache_take(c, p->line, cache_tag(c, a->addr), v);
        else
            cache_use_line(c, p->line);
        write_planned(c, p, a);
        if (p->entry != MSHR_NONE)
            store_over(&c->mshr.entry[p->entry], cache_key(c, a->addr), p->present);
        break;
    case CACHE_PASS:
        if (p->entry != MSHR_NONE) cache_kill_fill(c, p->entry, a->addr);
        break;
    case CACHE_STALL_MSHR:
    case CACHE_STALL_MERGE:
    case CACHE_STALL_LINE: assert(false && "a stall has nothing to apply");
    }
    return entry;
}

/* The line for a fill's data: the reserved line, else the resident line of that tag, else a victim.
 */
static uint32_t fill_line(struct cache *c, const struct mshr_entry *e, uint64_t tag,
                          struct victim *v)
{
    if (e->line != UINT32_MAX) return e->line;
    uint32_t line = cache_find(c, tag);
    if (line != LINE_NONE) return line;
    line = cache_victim(c, tag, false);
    if (line != LINE_NONE) cache_take(c, line, tag, v);
    return line;
}

uint32_t cache_fill(struct cache *c, uint32_t entry, struct victim *v)
{
    const struct mshr_entry *e = &c->mshr.entry[entry];
    uint64_t addr = e->key << c->sector_shift;
    uint32_t sector = cache_sector(c, addr), all = (2u << e->more) - 1;
    uint8_t bits = (uint8_t)(all << sector), kept = (uint8_t)((all & ~e->killed) << sector);
    v->dirty = v->partial = 0;
    if (c->chained) unchain_fill(c, e->line, entry);
    bool line_left = e->stored_over && cache_find(c, cache_tag(c, addr)) == LINE_NONE;
    if (!kept || line_left) {
        if (c->p.tags && e->line == UINT32_MAX) note_flying(c, cache_tag(c, addr), bits, false);
        if (e->line == UINT32_MAX) return LINE_NONE;
        struct cache_line *l = &c->line[e->line];
        l->pending &= (uint8_t)~bits;
        if (!l->valid && !l->partial && !l->pending) cache_drop(c, e->line);
        return LINE_NONE;
    }
    uint32_t line = fill_line(c, e, cache_tag(c, addr), v);
    if (line == LINE_NONE) {
        if (c->p.tags) note_flying(c, cache_tag(c, addr), bits, false);
        return LINE_NONE;
    }
    struct cache_line *l = &c->line[line];
    l->pending &= (uint8_t)~bits;
    l->partial &= (uint8_t)~kept;
    l->valid |= kept;
    return line;
}

uint32_t cache_written(const struct cache *c, uint64_t addr)
{
    uint32_t line = cache_find(c, cache_tag(c, addr));
    if (line == LINE_NONE) return 0;
    return (uint32_t)(c->line[line].valid | c->line[line].partial) >> cache_sector(c, addr);
}
