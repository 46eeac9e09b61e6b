/* mshr.h - miss-status holding registers (MSHRs) of one cache.
 *
 * Remembers which sectors have a fill in flight and who waits for each.  The first miss takes an
 * entry, later ones merge into it; when neither is possible the access stalls and nothing has
 * changed.  An unsectored cache has one sector per line, so the key is the line.
 *
 * Units:      keys are sector numbers (byte address / sector size).
 * Ownership:  waiters are opaque handles (never MSHR_NONE); the caller owns what they name.
 * Memory:     bounded files allocate only in init; an unbounded file (entries = 0) grows when it
 * must. Invariants: used <= entries if bounded; live keys are distinct; each live entry
 * has 1..max_merge waiters, except that a fill for nobody (a prefetch by a store) may have none;
 * see mshr_check. Source:     Candel 2019, section 4.5.1; Khairy III-C. */
#ifndef PLUMB_GPU_CACHE_MSHR_H
#define PLUMB_GPU_CACHE_MSHR_H

#include "base/memory/prefetch.h"
#include "base/text/text.h"
#include "gpu/machine/params/cache.h"

enum { MSHR_NONE = UINT32_MAX };

struct mshr_entry {
    uint64_t key;
    uint32_t first;      /* the oldest waiter, MSHR_NONE: none, or it has been taken */
    uint32_t head, tail; /* nodes of the others, oldest first */
    uint32_t line;       /* the owner's: cache line reserved for it, or UINT32_MAX */
    uint32_t chain;      /* next entry of its hash bucket, of its line, or of the free ones */
    uint32_t waiters : 24;
    bool killed : 1;      /* a store overtook the fill: serve the waiters, do not keep the data */
    bool stored_over : 1; /* one did and left its bytes: the data are merged under them */
    uint32_t phase : 4;   /* the owner's (conventional miss management) */
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
    uint32_t *bucket; /* [bucket_mask + 1] by hash of the key: first entry + 1, 0 = empty; NULL: the
                         owner finds its entries without (mshr_unhash) */
    uint32_t bucket_mask;
    /* Entries and nodes that were never used are never touched: free ones are chained, then come
     * those from *_fresh on. */
    struct mshr_entry *entry;
    uint64_t *since; /* [entry_cap] the owner's: when the miss was known */
    uint32_t entry_cap, entry_free, entry_fresh;
    struct mshr_node *node;
    uint32_t node_cap, node_free, node_fresh;
    uint32_t used;
};

bool mshr_init(struct mshr *m, const struct mshr_params *p); /* false: no memory */
void mshr_fini(struct mshr *m);
void mshr_clear(struct mshr *m);
/* From now on the owner keeps a live entry's `chain` and finds it by that.  Precondition: empty. */
void mshr_unhash(struct mshr *m);

static inline uint32_t *mshr_bucket(const struct mshr *m, uint64_t key)
{
    return &m->bucket[(uint32_t)((key * 0x9E3779B97F4A7C15u) >> 32) & m->bucket_mask];
}
/* The bucket is used soon. */
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
    return !m->p.max_merge || m->entry[e].waiters < m->p.max_merge;
}
/* What the fill brings is older than a store that has gone by. */
static inline bool mshr_overtaken(const struct mshr *m, uint32_t e)
{
    return m->entry[e].killed || m->entry[e].stored_over;
}
/* Precondition: not there, mshr_has_room.  MSHR_NONE: no memory. */
uint32_t mshr_alloc(struct mshr *m, uint64_t key);
/* Adds a waiter.  Precondition: mshr_can_merge.  false: no memory. */
bool mshr_wait(struct mshr *m, uint32_t e, uint32_t waiter);
/* The oldest waiter stays.  Precondition: there is one. */
static inline uint32_t mshr_first_waiter(const struct mshr *m, uint32_t e)
{
    const struct mshr_entry *at = &m->entry[e];
    return at->first != MSHR_NONE ? at->first : m->node[at->head].value;
}
/* Takes the oldest waiter.  false: none left. */
bool mshr_next_waiter(struct mshr *m, uint32_t e, uint32_t *waiter);
void mshr_release(struct mshr *m, uint32_t e);           /* precondition: no waiters left */
void mshr_kill_all(struct mshr *m);                      /* no fill in flight is to be kept */
bool mshr_entry_check(const struct mshr *m, uint32_t e); /* a live entry's waiters */
bool mshr_check(
    const struct mshr *m); /* all entries where they are hashed, else the counts alone */

#endif
