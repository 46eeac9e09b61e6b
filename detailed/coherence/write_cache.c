/* write_cache.c - a write cache with its S-FIFOs, for L1s, L2 slices and parts of the L3 alike.
 *
 * Lines lie in sets with LRU by their last store. Entries of all FIFOs are numbered as they come: a
 * store needs a new entry if the block's latest is in another FIFO or older than its FIFO's
 * youngest marker. `fifo` bounds the blocks in all FIFOs together; markers are not bounded. Of the
 * FIFOs with a marker (of all, if the bound is reached) the one with the oldest head is dequeued.
 * Source: Hechtman et al. 2014 (QuickRelease), 3.1. */
#include "detailed/coherence/write_cache.h"

#include "base/memory/alloc.h"

#include <assert.h>
#include <string.h>

static void chain_entries(struct write_cache *w, uint32_t from)
{
    for (uint32_t i = from; i < w->entry_cap; i++)
        w->entry[i].next = i + 1 < w->entry_cap ? i + 1 : SYNC_NONE;
    w->entry_free = from;
}

bool write_cache_init(struct write_cache *w, const struct write_cache_params *p,
                      uint32_t line_bytes, uint32_t groups)
{
    uint32_t lines = p->kb * 1024 / line_bytes;
    *w = (struct write_cache){.ways = p->ways,
                              .sets = lines / p->ways,
                              .blocks_max = p->fifo,
                              .groups = groups,
                              .entry_cap = p->fifo + 1};
    w->line = mem_new(lines, sizeof *w->line);
    w->entry = mem_new(w->entry_cap, sizeof *w->entry);
    w->fifo = mem_new(groups, sizeof *w->fifo);
    bool ok = w->line && w->entry && w->fifo;
    if (ok)
        write_cache_clear(w);
    else
        write_cache_fini(w);
    return ok;
}

void write_cache_fini(struct write_cache *w)
{
    mem_free(w->line);
    mem_free(w->entry);
    mem_free(w->fifo);
    *w = (struct write_cache){0};
}

void write_cache_clear(struct write_cache *w)
{
    memset(w->line, 0, (size_t)w->sets * w->ways * sizeof *w->line);
    for (uint32_t i = 0; i < w->groups; i++)
        w->fifo[i] = (struct sync_fifo){.head = SYNC_NONE, .tail = SYNC_NONE};
    chain_entries(w, 0);
    w->used = w->blocks = w->markers = 0;
    w->clock = w->number = 0;
}

/* --- lines --- */

static struct write_line *set_of(const struct write_cache *w, uint32_t set)
{
    return &w->line[(size_t)(set % w->sets) * w->ways];
}

uint32_t write_cache_find(const struct write_cache *w, uint64_t tag, uint32_t set)
{
    const struct write_line *l = set_of(w, set);
    for (uint32_t i = 0; i < w->ways; i++)
        if (l[i].mask && l[i].tag == tag) return (uint32_t)(&l[i] - w->line);
    return WRITE_LINE_NONE;
}

uint32_t write_cache_victim(const struct write_cache *w, uint64_t tag, uint32_t set)
{
    const struct write_line *l = set_of(w, set), *oldest = l;
    for (uint32_t i = 0; i < w->ways; i++) {
        if (!l[i].mask || l[i].tag == tag) return WRITE_LINE_NONE;
        if (l[i].used < oldest->used) oldest = &l[i];
    }
    return write_cache_find(w, tag, set) == WRITE_LINE_NONE ? (uint32_t)(oldest - w->line)
                                                            : WRITE_LINE_NONE;
}

/* Whether the line's entry stands behind all markers of the group's FIFO. */
static bool is_entered(const struct write_cache *w, const struct write_line *l, uint32_t group)
{
    return l->group == group && l->entered > w->fifo[group].last_marker;
}

bool write_cache_has_entry(const struct write_cache *w, uint64_t tag, uint32_t set, uint32_t group)
{
    uint32_t line = write_cache_find(w, tag, set);
    return w->blocks < w->blocks_max ||
           (line != WRITE_LINE_NONE && is_entered(w, &w->line[line], group));
}

static struct write_line *line_for(struct write_cache *w, uint64_t tag, uint32_t set)
{
    uint32_t at = write_cache_find(w, tag, set);
    if (at != WRITE_LINE_NONE) return &w->line[at];
    struct write_line *l = set_of(w, set);
    while (l->mask)
        l++;
    *l = (struct write_line){.tag = tag};
    w->used++;
    return l;
}

void write_cache_remove(struct write_cache *w, uint32_t line)
{
    assert(w->line[line].mask && "only what is dirty leaves");
    w->line[line].mask = 0;
    w->used--;
}

/* --- the S-FIFO --- */

static bool append_entry(struct write_cache *w, uint32_t group, uint64_t tag, uint32_t marker)
{
    if (w->entry_free == SYNC_NONE) {
        uint32_t old = w->entry_cap;
        size_t cap = old;
        if (!mem_grow(&w->entry, &cap, (size_t)old * 2, sizeof *w->entry)) return false;
        w->entry_cap = (uint32_t)cap;
        chain_entries(w, old);
    }
    uint32_t i = w->entry_free;
    struct sync_fifo *f = &w->fifo[group];
    w->entry_free = w->entry[i].next;
    w->entry[i] = (struct sync_entry){tag, ++w->number, marker, SYNC_NONE};
    if (f->head == SYNC_NONE)
        f->head = i;
    else
        w->entry[f->tail].next = i;
    f->tail = i;
    return true;
}

bool write_cache_store(struct write_cache *w, uint64_t tag, uint32_t set, uint64_t mask,
                       uint32_t version, uint32_t group)
{
    struct write_line *l = line_for(w, tag, set);
    if (!l->mask || !is_entered(w, l, group)) {
        if (!append_entry(w, group, tag, SYNC_NONE)) return false;
        w->blocks++;
        l->entered = w->number;
        l->group = group;
    }
    l->mask |= mask;
    l->version = version;
    l->used = ++w->clock;
    return true;
}

bool write_cache_release(struct write_cache *w, uint32_t marker, uint32_t group)
{
    if (!append_entry(w, group, 0, marker)) return false;
    w->fifo[group].last_marker = w->number;
    w->fifo[group].markers++;
    w->markers++;
    return true;
}

uint32_t write_cache_youngest_marker(const struct write_cache *w, uint32_t group)
{
    const struct sync_fifo *f = &w->fifo[group];
    return f->head == SYNC_NONE ? SYNC_NONE : w->entry[f->tail].marker;
}

uint32_t write_cache_dequeues(const struct write_cache *w)
{
    bool full = w->blocks >= w->blocks_max;
    uint32_t oldest = SYNC_NONE;
    if (!w->markers && !full) return SYNC_NONE;
    for (uint32_t i = 0; i < w->groups; i++) {
        const struct sync_fifo *f = &w->fifo[i];
        if (f->head == SYNC_NONE || !(f->markers || full)) continue;
        if (oldest == SYNC_NONE || w->entry[f->head].number < write_cache_head(w, oldest)->number)
            oldest = i;
    }
    return oldest;
}

void write_cache_pop(struct write_cache *w, uint32_t fifo)
{
    struct sync_fifo *f = &w->fifo[fifo];
    uint32_t i = f->head;
    bool marker = w->entry[i].marker != SYNC_NONE;
    f->head = w->entry[i].next;
    f->markers -= marker;
    w->markers -= marker;
    w->blocks -= !marker;
    w->entry[i].next = w->entry_free;
    w->entry_free = i;
}

/* Whether the line has an entry; it need not be its latest. */
static bool has_some_entry(const struct write_cache *w, const struct write_line *l)
{
    for (uint32_t i = w->fifo[l->group].head; i != SYNC_NONE; i = w->entry[i].next)
        if (w->entry[i].marker == SYNC_NONE && w->entry[i].tag == l->tag) return true;
    return false;
}

bool write_cache_check(const struct write_cache *w)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < w->sets * w->ways; i++) {
        if (!w->line[i].mask) continue;
        used++;
        if (!has_some_entry(w, &w->line[i])) return false;
    }
    return used == w->used && w->blocks <= w->blocks_max;
}
