/* repl.h - replacement policies: who leaves a set.
 *
 * A policy keeps an order of the ways of each set and offers them from the best victim on; the
 * cache takes the first that is eligible (not reserved by a fill in flight, say).  Operations see
 * sets and ways, never the cache. Names: machine/cache.h. */
#ifndef PLUMB_DETAILED_CACHE_REPL_H
#define PLUMB_DETAILED_CACHE_REPL_H

#include "machine/cache.h"

#include <stdbool.h>
#include <stdint.h>

enum { WAY_NONE = UINT32_MAX };

struct repl {
    const struct repl_ops *ops;
    uint32_t sets, ways;
    void *state; /* the policy's */
};

struct repl_ops {
    const char *name;
    bool (*init)(struct repl *r); /* false: no memory */
    void (*fini)(struct repl *r);
    void (*clear)(struct repl *r);
    void (*touch)(struct repl *r, uint32_t set, uint32_t way); /* an access used it */
    void (*retire)(struct repl *r, uint32_t set,
                   uint32_t way); /* it became invalid: best victim from now on */
    uint32_t (*first)(const struct repl *r, uint32_t set); /* best victim */
    uint32_t (*next)(const struct repl *r, uint32_t set,
                     uint32_t way); /* the next best, WAY_NONE at the end */
};

extern const struct repl_ops repl_lru;
extern const struct repl_ops *const repl_table[REPL_N];

#endif
