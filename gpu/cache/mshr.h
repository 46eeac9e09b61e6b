/* mshr.h - miss-status holding registers (MSHRs) of one cache.
 *
 * The file records which sectors have a fill in flight and which accesses wait for each. The first
 * miss allocates an entry, later ones merge into it; when neither is possible the access stalls and
 * nothing has changed. An unsectored cache has one sector per line, so the key is the line.
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

struct mshr_entry {
    uint64_t key;
    uint32_t first;      /* the oldest waiter; MSHR_NONE: none, or it has been removed */
    uint32_t head, tail; /* nodes of the other waiters, oldest first */
    uint32_t line;       /* set by the owner: the cache line reserved for the fill, or UINT32_MAX */
    uint32_t chain; /* next entry of its hash bucket, of its line's chain, or of the free list */
    uint32_t waiters : 24;
    bool killed : 1; /* a store has overtaken the fill: serve the waiters, do not keep the data */
    bool stored_over : 1; /* a store has overtaken the fill and left its bytes in a line: the data
                             are merged under them */
    uint32_t phase : 4;   /* set by the owner (conventional miss management) */
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
    return !m->p.max_merge || m->entry[e].waiters < m->p.max_merge;
}
/* Whether a store has overtaken the fill, so that its data are older than the store. */
static inline bool mshr_overtaken(const struct mshr *m, uint32_t e)
{
    return m->entry[e].killed || m->entry[e].stored_over;
}
/* Allocates an entry. Precondition: no entry has this key, and mshr_has_room. MSHR_NONE: no memory.
 */
uint32_t mshr_alloc(struct mshr *m, uint64_t key);
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
