/* frc.c - the entries of a fetch and replacement cache: free ones are chained by set, victims that
 * leave are found by their tag, fetches of an L1 by their MSHR entry. What an entry goes through,
 * and when: l2_miss_frc.c and l1_frc.c. Source: Candel 2019, 5.5, 6.5. */
#include "gpu/cache/frc.h"

#include "base/memory/alloc.h"

#include <assert.h>

bool frc_init(struct frc *f, const struct frc_params *p)
{
    uint32_t ways = p->ways < p->entries ? p->ways : p->entries;
    *f = (struct frc){.p = p, .sets = p->entries / ways, .ways = ways};
    f->entry = mem_new(p->entries, sizeof *f->entry);
    f->free = mem_new(f->sets, sizeof *f->free);
    if (!f->entry || !f->free || !hash_map_init(&f->leaving, p->entries) ||
        !hash_map_init(&f->fetching, p->entries)) {
        frc_fini(f);
        return false;
    }
    frc_clear(f);
    return true;
}

void frc_fini(struct frc *f)
{
    mem_free(f->entry);
    mem_free(f->free);
    if (f->leaving.slot) hash_map_fini(&f->leaving);
    if (f->fetching.slot) hash_map_fini(&f->fetching);
    *f = (struct frc){0};
}

void frc_clear(struct frc *f)
{
    hash_map_clear(&f->leaving);
    hash_map_clear(&f->fetching);
    f->busy = f->fetched = 0;
    for (uint32_t i = 0; i < f->p->entries; i++) {
        bool last = i % f->ways == f->ways - 1;
        f->entry[i] = (struct frc_entry){.next = last ? FRC_NONE : i + 1};
    }
    for (uint32_t set = 0; set < f->sets; set++)
        f->free[set] = set * f->ways;
}

uint32_t frc_take(struct frc *f, uint32_t l2_set)
{
    uint32_t set = l2_set % f->sets, i = f->free[set];
    if (i == FRC_NONE) return FRC_NONE;
    f->free[set] = f->entry[i].next;
    f->entry[i] = (struct frc_entry){.line = LINE_NONE, .state = FRC_FETCHING};
    f->busy++;
    return i;
}

void frc_release(struct frc *f, uint32_t entry)
{
    struct frc_entry *e = &f->entry[entry];
    uint32_t set = entry / f->ways;
    assert(e->state != FRC_FREE);
    if (e->state == FRC_FETCHING && f->fetching.n) hash_map_del(&f->fetching, e->mshr);
    *e = (struct frc_entry){.next = f->free[set]};
    f->free[set] = entry;
    f->busy--;
}

bool frc_has_room(const struct frc *f, uint32_t set)
{
    return f->free[set % f->sets] != FRC_NONE;
}

void frc_fetch_for(struct frc *f, uint32_t entry, uint32_t mshr)
{
    f->entry[entry].mshr = mshr;
    hash_map_put(&f->fetching, mshr, entry); /* the map has room for all entries */
}

uint32_t frc_fetching(const struct frc *f, uint32_t mshr)
{
    const uint32_t *entry = f->fetching.n ? hash_map_get(&f->fetching, mshr) : NULL;
    return entry ? *entry : FRC_NONE;
}

void frc_filled(struct frc *f, uint32_t entry)
{
    hash_map_del(&f->fetching, f->entry[entry].mshr);
    f->entry[entry].state = FRC_SWAPPING;
}

uint32_t frc_leaving(const struct frc *f, uint64_t tag)
{
    const uint32_t *entry = f->leaving.n ? hash_map_get(&f->leaving, tag) : NULL;
    return entry ? *entry : FRC_NONE;
}

bool frc_check(const struct frc *f)
{
    uint32_t busy = 0, fetched = 0, leaving = 0, fetching = 0;
    for (uint32_t i = 0; i < f->p->entries; i++) {
        const struct frc_entry *e = &f->entry[i];
        busy += e->state != FRC_FREE;
        fetched += e->state == FRC_FETCHED;
        fetching += e->state == FRC_FETCHING && frc_fetching(f, e->mshr) == i;
        if (e->state != FRC_LEAVING) continue;
        leaving++;
        if (frc_leaving(f, e->block.tag) != i) return false;
    }
    return busy == f->busy && fetched == f->fetched && leaving == f->leaving.n &&
           fetching == f->fetching.n;
}

uint64_t frc_bytes(uint32_t entries)
{
    return entries * (sizeof(struct frc_entry) + 4 * sizeof(struct hash_map_slot));
}
