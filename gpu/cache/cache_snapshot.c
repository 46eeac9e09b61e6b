/* cache_snapshot.c - accesses of a functional pass, a cache's content as a warm state, and its
 * invariants. */
#include "gpu/cache/cache.h"

bool cache_touch(struct cache *c, const struct access *a, struct victim *v)
{
    v->dirty = v->partial = 0;
    struct access_plan p = cache_plan(c, a);
    switch (p.verdict) {
    case CACHE_HIT:
    case CACHE_ALLOCATE: cache_apply(c, &p, a, v); return p.verdict == CACHE_HIT;
    case CACHE_MISS: {
        uint32_t line = p.line;
        if (line == LINE_NONE) line = cache_victim(c, cache_tag(c, a->addr), false);
        if (line == LINE_NONE) return false;
        if (!p.present)
            cache_take(c, line, cache_tag(c, a->addr), v);
        else
            cache_use_line(c, line);
        uint8_t bit = (uint8_t)(1u << cache_sector(c, a->addr));
        c->line[line].valid |= bit;
        c->line[line].partial &= (uint8_t)~bit;
        if (a->kind != ACCESS_READ) cache_write_bytes(c, line, a);
        return false;
    }
    case CACHE_MERGE:
    case CACHE_PASS:
    case CACHE_STALL_MSHR:
    case CACHE_STALL_MERGE:
    case CACHE_STALL_LINE: break;
    }
    return false;
}

/* The order in which lines are saved: of eviction, or of ways for policies with notes. */
static uint32_t way_first(const struct cache *c, uint32_t set)
{
    return c->repl.ops->note ? 0 : c->repl.ops->first(&c->repl, set);
}

static uint32_t way_next(const struct cache *c, uint32_t set, uint32_t way)
{
    if (!c->repl.ops->note) return c->repl.ops->next(&c->repl, set, way);
    return way + 1 < c->p.ways ? way + 1 : WAY_NONE;
}

uint32_t cache_save(const struct cache *c, struct line_image *out)
{
    const struct repl_ops *ops = c->repl.ops;
    uint32_t n = 0;
    for (uint32_t set = 0; set < c->p.sets; set++) {
        for (uint32_t w = way_first(c, set); w != WAY_NONE; w = way_next(c, set, w)) {
            uint32_t i = set * c->p.ways + w;
            const struct cache_line *l = &c->line[i];
            if (!l->resident) continue;
            const uint64_t none[2] = {0}, *bytes = l->partial ? &c->bytes[2 * (size_t)i] : none;
            out[n++] = (struct line_image){.tag = l->tag,
                                           .bytes = {bytes[0], bytes[1]},
                                           .valid = l->valid,
                                           .partial = l->partial,
                                           .dirty = l->dirty,
                                           .note = ops->note ? ops->note(&c->repl, set, w) : 0,
                                           .owner = c->note ? c->note[i] : 0};
        }
    }
    return n;
}

void cache_load(struct cache *c, const struct line_image *image, uint32_t n)
{
    struct victim gone;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = cache_victim(c, image[k].tag, false);
        if (i == LINE_NONE) continue;
        cache_take(c, i, image[k].tag, &gone);
        c->line[i].valid = image[k].valid;
        c->line[i].partial = image[k].partial;
        c->line[i].dirty = image[k].dirty;
        c->bytes[2 * (size_t)i] = image[k].bytes[0];
        c->bytes[2 * (size_t)i + 1] = image[k].bytes[1];
        if (c->note) c->note[i] = image[k].owner;
        if (c->repl.ops->recall)
            c->repl.ops->recall(&c->repl, i / c->p.ways, i % c->p.ways, image[k].note);
    }
}

/* Clears the byte masks of lines without partial sectors, which are undefined, so that equal states
 * serialize equally. */
static void clear_unused_bytes(struct cache *c)
{
    for (uint32_t i = 0; i < c->n_lines; i++)
        if (!c->line[i].partial) c->bytes[2 * (size_t)i] = c->bytes[2 * (size_t)i + 1] = 0;
}

void cache_serialize(struct cache *c, struct serializer *t)
{
    if (t->mode == SERIALIZE_SAVE) clear_unused_bytes(c);
    serialize_data(t, c->line, c->n_lines * sizeof *c->line);
    serialize_data(t, c->bytes, 2 * (size_t)c->n_lines * sizeof *c->bytes);
    serialize_data(t, c->index.slot, ((size_t)c->index.mask + 1) * sizeof *c->index.slot);
    SERIALIZE_VALUE(t, c->index.n);
    SERIALIZE_VALUE(t, c->recent);
    if (c->note) serialize_data(t, c->note, c->n_lines * sizeof *c->note);
    c->repl.ops->serialize(&c->repl, t);
}

/* Checks that a line has one chained fill for each of its pending sectors. */
static bool fills_check(const struct cache *c, uint32_t line, uint32_t *fills)
{
    const struct cache_line *l = &c->line[line];
    uint8_t pending = 0;
    for (uint32_t e = (uint32_t)l->fills - 1; e != MSHR_NONE; e = c->mshr.entry[e].chain) {
        uint64_t addr = c->mshr.entry[e].key << c->sector_shift;
        uint32_t more = c->mshr.entry[e].more;
        *fills += 1 + more;
        if (*fills > c->mshr.used || c->mshr.entry[e].line != line) return false;
        if (cache_tag(c, addr) != l->tag || !mshr_entry_check(&c->mshr, e)) return false;
        pending |= (uint8_t)(((2u << more) - 1) << cache_sector(c, addr));
    }
    return pending == l->pending;
}

bool cache_check(const struct cache *c)
{
    uint32_t resident = 0, fills = 0;
    for (uint32_t i = 0; i < c->n_lines; i++) {
        const struct cache_line *l = &c->line[i];
        if (c->chained && !fills_check(c, i, &fills)) return false;
        if (!l->resident) {
            if (l->valid | l->partial | l->dirty | l->pending) return false;
            continue;
        }
        resident++;
        if (cache_find(c, l->tag) != i || cache_set(c, l->tag) != cache_set_of_line(c, i))
            return false;
        if (l->valid & l->partial) return false;
        if (l->dirty & (uint8_t) ~(l->valid | l->partial)) return false;
        if (l->dirty && c->p.write != WRITE_BACK) return false;
    }
    if (c->p.tags && c->index.n + c->flying.n > c->p.tags) return false;
    if (c->chained && fills != c->mshr.used) return false;
    return resident == c->index.n && mshr_check(&c->mshr);
}
