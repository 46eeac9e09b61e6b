/* replacement.h - replacement policies: which line of a set is evicted.
 *
 * A policy keeps an order of the ways of each set and offers them beginning with the best victim;
 * the cache takes the first that is eligible (for example, not reserved by a fill in flight).
 * Invalid ways come before valid ones. Operations receive sets and ways, never the cache. Names:
 * gpu/machine/params/cache.h.
 *
 * Events of a way, in order:
 *   - claim: it was chosen as the victim of a miss; its old line may still be valid (conventional
 *     miss management evicts first). Optional: an insert without a claim before it means both.
 *   - insert: the new line is in.
 *   - touch: an access used the line.
 *   - retire: the line became invalid.
 *
 * Asking for victims changes nothing, so that a miss that cannot be carried out leaves no
 * trace.
 *
 * Warm state: cache_save lists a set's lines in the order of eviction, and cache_load inserts them
 * into an empty set in that order. That alone restores LRU, FIFO and the tree of a full set. A
 * policy with `note` and `recall` is saved in the order of ways, with a note on each line. */
#pragma once

#include "base/memory/serialize.h"
#include "gpu/machine/params/cache.h"

#include <stdbool.h>
#include <stdint.h>

enum { WAY_NONE = UINT32_MAX };

struct repl {
    const struct repl_ops *ops;
    uint32_t sets, ways;
    uint32_t short_sets; /* the last ones lack the last way: it is never offered, nor named */
    uint64_t seed;       /* of random policies */
    void *state;         /* private to the policy */
};

static inline uint32_t repl_ways(const struct repl *r, uint32_t set)
{
    return r->ways - (set >= r->sets - r->short_sets);
}

struct repl_ops {
    bool (*init)(struct repl *r); /* false: no memory */
    void (*fini)(struct repl *r);
    void (*clear)(struct repl *r); /* all ways invalid */
    void (*touch)(struct repl *r, uint32_t set, uint32_t way);
    void (*claim)(struct repl *r, uint32_t set, uint32_t way);
    void (*insert)(struct repl *r, uint32_t set, uint32_t way);
    void (*retire)(struct repl *r, uint32_t set, uint32_t way);
    uint32_t (*first)(const struct repl *r, uint32_t set); /* best victim */
    /* The next best, WAY_NONE at the end. */
    uint32_t (*next)(const struct repl *r, uint32_t set, uint32_t way);
    /* Optional: prefetches the way's state into the host's caches. */
    void (*expect)(const struct repl *r, uint32_t set, uint32_t way);
    /* Optional: the policy's state of a valid way, apart from its place in the order. */
    uint8_t (*note)(const struct repl *r, uint32_t set, uint32_t way);
    void (*recall)(struct repl *r, uint32_t set, uint32_t way, uint8_t note);
    /* The whole state; both sides have the same sets and ways. */
    void (*serialize)(struct repl *r, struct serializer *t);
};

extern const struct repl_ops repl_lru, repl_fifo, repl_plru, repl_random, repl_srrip, repl_drrip;
extern const struct repl_ops *const repl_table[REPL_N];
