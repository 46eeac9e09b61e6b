/* mshr.h - miss-status holding registers (MSHRs) of one cache.
 *
 * The file records which sectors have a fill in flight and which accesses wait for each. The first
 * miss allocates an entry, later ones merge into it; when neither is possible the access stalls and
 * nothing has changed. An unsectored cache has one sector per line, so the key is the line.
 * Neighbouring sectors that one request fetches share a record and count as an entry each.
 *
 * Units: keys are sector numbers (byte address / sector size). Ownership: waiters are opaque
 * handles (never MSHR_NONE); the caller owns what they name. Memory: bounded files allocate only in
 * init; an unbounded file (entries = 0) grows when it must. Invariants: used <= entries if bounded;
 * live keys are distinct; each live entry has 1..max_merge waiters, except that a fill without a
 * reader (a prefetch by a store) may have none; see mshr_check. Source: Candel 2019, section 4.5.1;
 * Khairy III-C. */
#pragma once

#include "base/memory/prefetch.h"
#include "base/text/text.h"
#include "gpu/machine/params/cache.h"

enum { MSHR_NONE = UINT32_MAX };
enum { MSHR_SECTORS = 4, MSHR_ALL = (1 << MSHR_SECTORS) - 1, MSHR_WAITERS = (1 << 19) - 1 };

struct mshr_entry {
    uint64_t key;        /* of the first sector */
    uint32_t first;      /* the oldest waiter; MSHR_NONE: none, or it has been removed */
    uint32_t head, tail; /* nodes of the other waiters, oldest first */
    uint32_t line;       /* set by the owner: the cache line reserved for the fill, or UINT32_MAX */
    uint32_t chain; /* next entry of its hash bucket, of its line's chain, or of the free list */
    uint32_t waiters : 19;
    uint32_t more : 2; /* sectors behind the first */
    /* By sector, from the first on. A store has overtaken the fill: */
    uint32_t killed : MSHR_SECTORS;      /* serve the waiters, do not keep the data */
    uint32_t stored_over : MSHR_SECTORS; /* it has left its bytes in a line: the data are merged
                                            under them */
    uint32_t phase : 3;                  /* set by the owner (conventional miss management) */
};
_Static_assert(sizeof(struct mshr_entry) == 32, "two to a cache line of the host");

struct mshr_node {
    uint32_t value, next;
};

struct mshr_stats {
    uint64_t alloc, fill;
};

struct mshr {
    struct mshr_params p;
    struct mshr_stats s;
    uint32_t *bucket; /* [bucket_mask + 1] by hash of the key: first entry + 1, 0 = empty; NULL
                         after mshr_unhash */
    uint32_t bucket_mask;
    /* Entries and nodes are initialized at their first use: the free list is used first, then those
     * from *_fresh on. */
    struct mshr_entry *entry;
    uint64_t *since; /* [entry_cap] set by the owner: time of the miss */
    uint32_t entry_cap, entry_free, entry_fresh;
    struct mshr_node *node;
    uint32_t node_cap, node_free, node_fresh;
    uint32_t used;
};

bool mshr_init(struct mshr *m, const struct mshr_params *p); /* false: no memory */
void mshr_fini(struct mshr *m);
void mshr_clear(struct mshr *m);
/* Switches off the hash table: from now on the owner finds live entries by their `chain`.
 * Precondition: the file is empty. */
void mshr_unhash(struct mshr *m);

static inline uint32_t *mshr_bucket(const struct mshr *m, uint64_t key)
{
    return &m->bucket[(uint32_t)((key * 0x9E3779B97F4A7C15u) >> 32) & m->bucket_mask];
}
/* Prefetches the key's bucket into the host's caches. */
static inline void mshr_expect(const struct mshr *m, uint64_t key)
{
    if (m->bucket) prefetch_line(mshr_bucket(m, key));
}
/* Entry or MSHR_NONE.  Precondition: hashed. */
static inline uint32_t mshr_find(const struct mshr *m, uint64_t key)
{
    uint32_t e = *mshr_bucket(m, key) - 1;
    while (e != MSHR_NONE && m->entry[e].key != key)
        e = m->entry[e].chain;
    return e;
}
static inline bool mshr_has_room(const struct mshr *m)
{
    return !m->p.entries || m->used < m->p.entries;
}
static inline bool mshr_can_merge(const struct mshr *m, uint32_t e)
{
    return m->entry[e].waiters < (m->p.max_merge ? m->p.max_merge : MSHR_WAITERS);
}
/* How many more sectors behind a first one may have a fill. Precondition: mshr_has_room. */
static inline uint32_t mshr_room_for_more(const struct mshr *m)
{
    return m->p.entries ? m->p.entries - m->used - 1 : MSHR_SECTORS;
}
/* Whether the entry is for the sector with this key. */
static inline bool mshr_covers(const struct mshr_entry *e, uint64_t key)
{
    return key - e->key <= e->more;
}
/* The sectors, as bits from the entry's first on, whose fill a store has overtaken: their data are
 * older than the store. */
static inline uint32_t mshr_overtaken(const struct mshr *m, uint32_t e)
{
    return m->entry[e].killed | m->entry[e].stored_over;
}
/* Allocates an entry for a sector and `more` behind it. Precondition: none of them has one, and
 * mshr_has_room for all. MSHR_NONE: no memory.
 */
uint32_t mshr_alloc_run(struct mshr *m, uint64_t key, uint32_t more);
static inline uint32_t mshr_alloc(struct mshr *m, uint64_t key)
{
    return mshr_alloc_run(m, key, 0);
}
/* Adds a waiter.  Precondition: mshr_can_merge.  false: no memory. */
bool mshr_wait(struct mshr *m, uint32_t e, uint32_t waiter);
/* The oldest waiter, which is not removed. Precondition: there is one. */
static inline uint32_t mshr_first_waiter(const struct mshr *m, uint32_t e)
{
    const struct mshr_entry *at = &m->entry[e];
    return at->first != MSHR_NONE ? at->first : m->node[at->head].value;
}
/* Removes the oldest waiter. false: there is none. */
bool mshr_next_waiter(struct mshr *m, uint32_t e, uint32_t *waiter);
void mshr_release(struct mshr *m, uint32_t e);           /* precondition: no waiters left */
void mshr_kill_all(struct mshr *m);                      /* no fill in flight will be kept */
bool mshr_entry_check(const struct mshr *m, uint32_t e); /* checks a live entry's waiters */
/* Checks all entries if they are hashed, else only the counts. */
bool mshr_check(const struct mshr *m);
