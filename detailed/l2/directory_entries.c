/* directory_entries.c - the store of directory entries: a hash map from block to entry, and beside
 * each entry one bit per SM that has a copy.
 *
 * Entries lie in an array that doubles when none is free. An entry without copies, owner, lock and
 * awaited answers is freed at once, so that there are as many as blocks with copies or a
 * transaction. The blocks that a finite directory covers are allocated here and chosen in
 * directory.c. */
#include "detailed/l2/directory_entries.h"

#include "base/memory/alloc.h"

#include <string.h>

static bool grow_directory(struct directory *d)
{
    uint32_t cap = d->cap ? d->cap * 2 : 1024;
    struct dir_entry *entry = mem_new(cap, sizeof *entry);
    uint64_t *sharers = mem_new((size_t)cap * d->words, sizeof *sharers);
    uint32_t *unused = mem_new(cap, sizeof *unused);
    bool ok = entry && sharers && unused;
    if (ok && d->cap) {
        memcpy(entry, d->entry, d->cap * sizeof *entry);
        memcpy(sharers, d->sharers, (size_t)d->cap * d->words * sizeof *sharers);
        memcpy(unused, d->free, d->n_free * sizeof *unused);
    }
    mem_free(ok ? d->entry : entry);
    mem_free(ok ? d->sharers : sharers);
    mem_free(ok ? d->free : unused);
    if (!ok) return false;
    d->entry = entry;
    d->sharers = sharers;
    d->free = unused;
    d->cap = cap;
    return true;
}

struct directory *directory_new(uint32_t sms)
{
    struct directory *d = mem_new(1, sizeof *d);
    if (!d) return NULL;
    d->words = (sms + 63) / 64;
    if (hash_map_init(&d->at, 1024) && grow_directory(d)) return d;
    directory_free(d);
    return NULL;
}

void directory_free(struct directory *d)
{
    if (!d) return;
    hash_map_fini(&d->at);
    mem_free(d->cover.tag);
    mem_free(d->cover.used);
    fifo_fini(&d->far);
    mem_free(d->entry);
    mem_free(d->sharers);
    mem_free(d->free);
    mem_free(d);
}

void directory_clear(struct directory *d)
{
    hash_map_clear(&d->at);
    d->n = d->n_free = d->busy = 0;
    fifo_clear(&d->far);
    if (d->cover.sets)
        memset(d->cover.used, 0, (size_t)d->cover.sets * d->cover.ways * sizeof *d->cover.used);
    d->s = (struct directory_stats){0};
}

bool directory_place(struct directory *d, const struct coherence_params *p, uint32_t slices)
{
    uint32_t entries = p->directory_entries / slices;
    d->far_cycles = p->directory_latency;
    d->cover = (struct dir_cover){.ways = p->directory_ways, .sets = entries / p->directory_ways};
    if (!entries) return fifo_init(&d->far, 0);
    d->cover.tag = mem_new(entries, sizeof *d->cover.tag);
    d->cover.used = mem_new(entries, sizeof *d->cover.used);
    return d->cover.tag && d->cover.used && fifo_init(&d->far, 0);
}

const struct directory_stats *directory_stats(const struct directory *d)
{
    return &d->s;
}

bool directory_idle(const struct directory *d)
{
    return !d->busy && !d->far.n;
}

static uint64_t *sharers_of(const struct directory *d, const struct dir_entry *e)
{
    return &d->sharers[(size_t)(e - d->entry) * d->words];
}

bool dir_entry_lists(const struct directory *d, const struct dir_entry *e, uint32_t sm)
{
    return sharers_of(d, e)[sm / 64] >> sm % 64 & 1;
}

void dir_entry_list(const struct directory *d, const struct dir_entry *e, uint32_t sm)
{
    sharers_of(d, e)[sm / 64] |= UINT64_C(1) << sm % 64;
}

void dir_entry_unlist(const struct directory *d, struct dir_entry *e, uint32_t sm)
{
    sharers_of(d, e)[sm / 64] &= ~(UINT64_C(1) << sm % 64);
    if (e->owner == sm) e->owner = NOBODY;
}

uint32_t dir_entry_count(const struct directory *d, const struct dir_entry *e)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->words; i++)
        n += (uint32_t)__builtin_popcountll(sharers_of(d, e)[i]);
    return n;
}

uint32_t dir_entry_next(const struct directory *d, const struct dir_entry *e, uint32_t from)
{
    for (uint32_t i = from / 64; i < d->words; i++) {
        uint64_t rest = sharers_of(d, e)[i];
        if (i == from / 64) rest &= UINT64_MAX << from % 64;
        if (rest) return i * 64 + (uint32_t)__builtin_ctzll(rest);
    }
    return NOBODY;
}

struct dir_entry *dir_entry_find(const struct directory *d, uint64_t key)
{
    const uint32_t *i = hash_map_get(&d->at, key);
    return i ? &d->entry[*i] : NULL;
}

struct dir_entry *dir_entry_obtain(struct directory *d, uint64_t key)
{
    struct dir_entry *e = dir_entry_find(d, key);
    if (e) return e;
    if (!d->n_free && d->n == d->cap && !grow_directory(d)) return NULL;
    uint32_t i = d->n_free ? d->free[--d->n_free] : d->n++;
    if (!hash_map_put(&d->at, key, i)) return NULL;
    d->entry[i] =
        (struct dir_entry){.key = key, .owner = NOBODY, .req = REQ_NONE, .leaves = MSHR_NONE};
    memset(&d->sharers[(size_t)i * d->words], 0, d->words * sizeof *d->sharers);
    return &d->entry[i];
}

void dir_entry_forget_empty(struct directory *d, struct dir_entry *e)
{
    if (e->lock || e->waits || e->owner != NOBODY || dir_entry_count(d, e)) return;
    hash_map_del(&d->at, e->key);
    d->free[d->n_free++] = (uint32_t)(e - d->entry);
}
