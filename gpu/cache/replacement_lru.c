/* replacement_lru.c - exact least recently used and first in first out: one doubly linked list of
 * ways per set, so that 256-way sets cost as little as 4-way ones. An access moves a line to the
 * list's young end under LRU only.
 *
 * A way's number has 16 bits, so that the lists of many sets fit into the host's caches, or 32
 * where the ways are more than those name: a fully associative TLB may have 2^20. */
#include "base/memory/alloc.h"
#include "base/memory/prefetch.h"
#include "gpu/cache/replacement.h"

static bool lru_init(struct repl *r), fifo_init(struct repl *r);

#define WAY uint16_t
#define NIL UINT16_MAX
#define LIST(name) narrow_##name
#include "gpu/cache/way_list.h"
#undef WAY
#undef NIL
#undef LIST

#define WAY uint32_t
#define NIL UINT32_MAX
#define LIST(name) wide_##name
#include "gpu/cache/way_list.h"

/* From here on the operations are those of the width that holds the ways. */
static bool lru_init(struct repl *r)
{
    bool narrow = r->ways <= UINT16_MAX;
    r->ops = narrow ? &narrow_lru : &wide_lru;
    return narrow ? narrow_init(r) : wide_init(r);
}

static bool fifo_init(struct repl *r)
{
    bool narrow = r->ways <= UINT16_MAX;
    r->ops = narrow ? &narrow_fifo : &wide_fifo;
    return narrow ? narrow_init(r) : wide_init(r);
}

const struct repl_ops repl_lru = {.init = lru_init, .fini = narrow_fini};
const struct repl_ops repl_fifo = {.init = fifo_init, .fini = narrow_fini};
