/* repl_lru.c - least recently used and first in first out, exact: one doubly linked list of ways
 * per set, so that 256-way sets cost as little as 4-way ones.  The two differ in one thing: an
 * access renews a line under LRU and leaves it where it is under FIFO. */
#include "base/mem.h"
#include "detailed/cache/repl.h"

struct link {
    uint16_t older, newer;
};

enum { NIL = UINT16_MAX };

struct lru {
    struct link *link;         /* [sets * ways] */
    uint16_t *oldest, *newest; /* [sets] */
};

static void lru_clear(struct repl *r)
{
    struct lru *l = r->state;
    for (uint32_t s = 0; s < r->sets; s++) {
        struct link *link = l->link + (uint64_t)s * r->ways;
        for (uint32_t w = 0; w < r->ways; w++) {
            link[w].older = w ? (uint16_t)(w - 1) : NIL;
            link[w].newer = w + 1 < r->ways ? (uint16_t)(w + 1) : NIL;
        }
        l->oldest[s] = 0;
        l->newest[s] = (uint16_t)(r->ways - 1);
    }
}

static void lru_fini(struct repl *r)
{
    struct lru *l = r->state;
    if (!l) return;
    mem_free(l->link);
    mem_free(l->oldest);
    mem_free(l->newest);
    mem_free(l);
    r->state = NULL;
}

static bool lru_init(struct repl *r)
{
    struct lru *l = r->state = mem_new(1, sizeof *l);
    if (!l) return false;
    l->link = mem_new((size_t)r->sets * r->ways, sizeof *l->link);
    l->oldest = mem_new(r->sets, sizeof *l->oldest);
    l->newest = mem_new(r->sets, sizeof *l->newest);
    if (!l->link || !l->oldest || !l->newest) {
        lru_fini(r);
        return false;
    }
    lru_clear(r);
    return true;
}

static void unlink_way(struct lru *l, struct link *link, uint32_t set, uint32_t way)
{
    struct link at = link[way];
    if (at.older == NIL)
        l->oldest[set] = at.newer;
    else
        link[at.older].newer = at.newer;
    if (at.newer == NIL)
        l->newest[set] = at.older;
    else
        link[at.newer].older = at.older;
}

static void lru_touch(struct repl *r, uint32_t set, uint32_t way)
{
    struct lru *l = r->state;
    if (l->newest[set] == way) return;
    struct link *link = l->link + (uint64_t)set * r->ways;
    unlink_way(l, link, set, way);
    link[l->newest[set]].newer = (uint16_t)way;
    link[way] = (struct link){.older = l->newest[set], .newer = NIL};
    l->newest[set] = (uint16_t)way;
}

static void lru_retire(struct repl *r, uint32_t set, uint32_t way)
{
    struct lru *l = r->state;
    if (l->oldest[set] == way) return;
    struct link *link = l->link + (uint64_t)set * r->ways;
    unlink_way(l, link, set, way);
    link[l->oldest[set]].older = (uint16_t)way;
    link[way] = (struct link){.older = NIL, .newer = l->oldest[set]};
    l->oldest[set] = (uint16_t)way;
}

static uint32_t lru_first(const struct repl *r, uint32_t set)
{
    const struct lru *l = r->state;
    return l->oldest[set];
}

static uint32_t lru_next(const struct repl *r, uint32_t set, uint32_t way)
{
    const struct lru *l = r->state;
    uint16_t newer = l->link[(uint64_t)set * r->ways + way].newer;
    return newer == NIL ? WAY_NONE : newer;
}

static void fifo_touch(struct repl *r, uint32_t set, uint32_t way)
{
    (void)r;
    (void)set;
    (void)way;
}

#define ORDER_OPS                                                               \
    .init = lru_init, .fini = lru_fini, .clear = lru_clear, .claim = lru_touch, \
    .insert = lru_touch, .retire = lru_retire, .first = lru_first, .next = lru_next

const struct repl_ops repl_lru = {ORDER_OPS, .touch = lru_touch};
const struct repl_ops repl_fifo = {ORDER_OPS, .touch = fifo_touch};
