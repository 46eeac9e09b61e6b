/* cache_build.c - how a cache comes to be, is emptied, takes other ways and ends; see cache.h. */
#include "gpu/cache/frc.h"

#include "base/memory/alloc.h"

#include <assert.h>
#include <string.h>

static uint32_t log2_exact(uint32_t v)
{
    uint32_t s = 0;
    while ((1u << s) < v)
        s++;
    assert(1u << s == v);
    return s;
}

static bool index_init(struct tag_index *x, uint32_t lines)
{
    uint32_t cap_bits = 4, line_bits = 1;
    while (1u << cap_bits < 2 * lines)
        cap_bits++;
    while (lines >> line_bits)
        line_bits++;
    *x = (struct tag_index){.slot = mem_new((size_t)1 << cap_bits, sizeof *x->slot),
                            .mask = (1u << cap_bits) - 1,
                            .line_bits = (uint8_t)line_bits,
                            .home_shift = (uint8_t)(32 - cap_bits),
                            .tells_home = line_bits + cap_bits <= 32};
    return x->slot != NULL;
}

static void set_ways(struct cache *c, uint32_t ways, uint32_t short_sets)
{
    c->p.ways = c->repl.ways = ways;
    c->p.short_sets = c->repl.short_sets = short_sets;
    c->n_lines = c->p.sets * ways;
    c->way_share = ways > 1 ? UINT64_MAX / ways + 1 : 0;
}

bool cache_init(struct cache *c, const struct cache_params *p, uint32_t slices,
                uint32_t chunk_bytes, bool shadow)
{
    *c = (struct cache){.p = *p,
                        .room = p->sets * p->ways,
                        .sectors = p->line_bytes / p->sector_bytes,
                        .slices = slices,
                        .index_of = index_table[p->index]};
    c->reserves = p->alloc == ALLOC_ON_MISS;
    c->line_shift = log2_exact(p->line_bytes);
    c->sector_shift = log2_exact(p->sector_bytes);
    c->chunk_shift = chunk_bytes > p->line_bytes ? log2_exact(chunk_bytes / p->line_bytes) : 0;
    c->slice_shift = slices & (slices - 1) ? 0 : log2_exact(slices);
    c->repl = (struct repl){.ops = repl_table[p->repl], .sets = p->sets, .seed = p->repl_seed};
    set_ways(c, p->ways, p->short_sets);
    c->line = mem_new(c->n_lines, sizeof *c->line);
    c->bytes = mem_new_unset((size_t)c->n_lines * 2, sizeof *c->bytes);
    c->sector_mask = mem_new(c->sectors, sizeof *c->sector_mask);
    if (shadow) c->version = mem_new((size_t)c->n_lines * c->sectors, sizeof *c->version);
    bool ok = c->line && c->bytes && c->sector_mask && (!shadow || c->version) &&
              index_init(&c->index, c->n_lines) && c->repl.ops->init(&c->repl) &&
              mshr_init(&c->mshr, &p->mshr) && (!p->tags || hash_map_init(&c->flying, p->tags));
    for (uint32_t i = 0; ok && i < c->sectors; i++) {
        bytemask_first(p->sector_bytes, c->sector_mask[i]);
        bytemask_up(c->sector_mask[i], i << c->sector_shift, c->sector_mask[i]);
    }
    if (!ok) cache_fini(c);
    return ok;
}

bool cache_keep_notes(struct cache *c)
{
    c->note = mem_new(c->n_lines, sizeof *c->note);
    return c->note != NULL;
}

void cache_chain_fills(struct cache *c)
{
    uint32_t entries = c->p.mshr.entries;
    if (!c->reserves || c->frc || c->p.tags || !entries || entries > UINT16_MAX) return;
    c->chained = true;
    mshr_unhash(&c->mshr);
}

void cache_fini(struct cache *c)
{
    mem_free(c->note);
    mem_free(c->line);
    mem_free(c->bytes);
    mem_free(c->sector_mask);
    mem_free(c->version);
    mem_free(c->index.slot);
    if (c->repl.ops) c->repl.ops->fini(&c->repl);
    mshr_fini(&c->mshr);
    if (c->p.tags) hash_map_fini(&c->flying);
    *c = (struct cache){0};
}

void cache_clear(struct cache *c)
{
    memset(c->line, 0, c->n_lines * sizeof *c->line);
    memset(c->index.slot, 0, ((size_t)c->index.mask + 1) * sizeof *c->index.slot);
    c->index.n = 0;
    c->repl.ops->clear(&c->repl);
    mshr_clear(&c->mshr);
    if (c->p.tags) hash_map_clear(&c->flying);
}

bool cache_resize(struct cache *c, uint32_t ways, uint32_t short_sets)
{
    assert(!c->index.n && c->p.sets * ways <= c->room);
    c->repl.ops->fini(&c->repl);
    set_ways(c, ways, short_sets);
    mshr_clear(&c->mshr);
    if (c->p.tags) hash_map_clear(&c->flying);
    if (c->note) memset(c->note, 0, c->n_lines * sizeof *c->note);
    return c->repl.ops->init(&c->repl);
}
