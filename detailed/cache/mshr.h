/* mshr.h - miss-status holding registers (MSHRs) of one cache.
 *
 * Remembers which sectors have a fill in flight and who waits for each.  The first miss takes an
 * entry, later ones merge into it; when neither is possible the access stalls and nothing but a
 * counter has changed.  An unsectored cache has one sector per line, so the key is the line.
 *
 * Units:      keys are sector numbers (byte address / sector size).
 * Ownership:  waiters are opaque handles; the caller owns what they name.
 * Memory:     bounded files allocate only in init; an unbounded file (entries = 0) grows when it
 * must. Invariants: used <= entries if bounded; live keys are distinct; each live entry
 * has 1..max_merge waiters, except that a fill for nobody (a prefetch by a store) may have none;
 * see mshr_check. Source:     Candel 2019, section 4.5.1; Khairy III-C. */
#ifndef PLUMB_DETAILED_CACHE_MSHR_H
#define PLUMB_DETAILED_CACHE_MSHR_H

#include "base/linemap.h"
#include "base/text.h"
#include "machine/cache.h"

enum { MSHR_NONE = UINT32_MAX };

struct mshr_entry {
    uint64_t key;
    uint32_t head, tail, waiters; /* nodes, oldest first */
    uint32_t line;                /* the owner's: cache line reserved for it, or UINT32_MAX */
    uint64_t since;               /* the owner's: when the miss was known */
    bool killed;   /* a store overtook the fill: serve the waiters, do not keep the data */
    uint8_t phase; /* the owner's (conventional miss management) */
};

struct mshr_node {
    uint32_t value, next;
};

struct mshr_stats {
    uint64_t alloc, merge, stall_full, stall_merge, fill;
};

struct mshr {
    struct mshr_params p;
    struct mshr_stats s;
    struct linemap index; /* key -> entry */
    struct mshr_entry *entry;
    uint32_t entry_cap, entry_free;
    struct mshr_node *node;
    uint32_t node_cap, node_free;
    uint32_t used;
};

bool mshr_init(struct mshr *m, const struct mshr_params *p); /* false: no memory */
void mshr_fini(struct mshr *m);
void mshr_clear(struct mshr *m);

static inline uint32_t mshr_find(const struct mshr *m, uint64_t key) /* entry or MSHR_NONE */
{
    const uint32_t *e = linemap_get(&m->index, key);
    return e ? *e : MSHR_NONE;
}
static inline bool mshr_has_room(const struct mshr *m)
{
    return !m->p.entries || m->used < m->p.entries;
}
static inline bool mshr_can_merge(const struct mshr *m, uint32_t e)
{
    return !m->p.max_merge || m->entry[e].waiters < m->p.max_merge;
}
/* Precondition: not there, mshr_has_room.  MSHR_NONE: no memory. */
uint32_t mshr_alloc(struct mshr *m, uint64_t key);
/* Adds a waiter.  Precondition: mshr_can_merge.  false: no memory. */
bool mshr_wait(struct mshr *m, uint32_t e, uint32_t waiter);
/* The oldest waiter stays.  Precondition: there is one. */
static inline uint32_t mshr_first_waiter(const struct mshr *m, uint32_t e)
{
    return m->node[m->entry[e].head].value;
}
/* Takes the oldest waiter.  false: none left. */
bool mshr_next_waiter(struct mshr *m, uint32_t e, uint32_t *waiter);
void mshr_release(struct mshr *m, uint32_t e); /* precondition: no waiters left */
void mshr_kill_all(struct mshr *m);            /* no fill in flight is to be kept */
bool mshr_check(const struct mshr *m);

#endif
