/* replacement_lru.c - exact least recently used and first in first out: one doubly linked list of
 * ways per set, so that 256-way sets cost as little as 4-way ones. An access moves a line to the
 * list's young end under LRU only. */
#include "base/memory/alloc.h"
#include "base/memory/prefetch.h"
#include "gpu/cache/replacement.h"

#include <assert.h>

struct link {
    uint16_t older, newer;
};

enum { NIL = UINT16_MAX };

struct ends {
    uint16_t oldest, newest;
};

struct lru {
    struct link *link; /* [sets * ways] */
    struct ends *ends; /* [sets] */
};

static void lru_clear(struct repl *r)
{
    struct lru *l = r->state;
    for (uint32_t s = 0; s < r->sets; s++) {
        struct link *link = l->link + (uint64_t)s * r->ways;
        uint32_t ways = repl_ways(r, s);
        for (uint32_t w = 0; w < ways; w++) {
            link[w].older = w ? (uint16_t)(w - 1) : NIL;
            link[w].newer = w + 1 < ways ? (uint16_t)(w + 1) : NIL;
        }
        if (ways < r->ways) link[ways] = (struct link){NIL, NIL};
        l->ends[s] = (struct ends){.oldest = 0, .newest = (uint16_t)(ways - 1)};
    }
}

static void lru_fini(struct repl *r)
{
    struct lru *l = r->state;
    if (!l) return;
    mem_free(l->link);
    mem_free(l->ends);
    mem_free(l);
    r->state = NULL;
}

static bool lru_init(struct repl *r)
{
    struct lru *l = r->state = mem_new(1, sizeof *l);
    assert(r->ways <= NIL);
    if (!l) return false;
    l->link = mem_new_unset((size_t)r->sets * r->ways, sizeof *l->link);
    l->ends = mem_new_unset(r->sets, sizeof *l->ends);
    if (!l->link || !l->ends) {
        lru_fini(r);
        return false;
    }
    lru_clear(r);
    return true;
}

static void unlink_way(struct ends *ends, struct link *link, uint32_t way)
{
    struct link at = link[way];
    if (at.older == NIL)
        ends->oldest = at.newer;
    else
        link[at.older].newer = at.newer;
    if (at.newer == NIL)
        ends->newest = at.older;
    else
        link[at.newer].older = at.older;
}

static void lru_expect(const struct repl *r, uint32_t set, uint32_t way)
{
    const struct lru *l = r->state;
    prefetch_line(&l->ends[set]);
    prefetch_line(&l->link[(uint64_t)set * r->ways + way]);
}

static void lru_touch(struct repl *r, uint32_t set, uint32_t way)
{
    const struct lru *l = r->state;
    struct ends *ends = &l->ends[set];
    if (ends->newest == way) return;
    struct link *link = l->link + (uint64_t)set * r->ways;
    unlink_way(ends, link, way);
    link[ends->newest].newer = (uint16_t)way;
    link[way] = (struct link){.older = ends->newest, .newer = NIL};
    ends->newest = (uint16_t)way;
}

static void lru_retire(struct repl *r, uint32_t set, uint32_t way)
{
    const struct lru *l = r->state;
    struct ends *ends = &l->ends[set];
    if (ends->oldest == way) return;
    struct link *link = l->link + (uint64_t)set * r->ways;
    unlink_way(ends, link, way);
    link[ends->oldest].older = (uint16_t)way;
    link[way] = (struct link){.older = NIL, .newer = ends->oldest};
    ends->oldest = (uint16_t)way;
}

static uint32_t lru_first(const struct repl *r, uint32_t set)
{
    const struct lru *l = r->state;
    struct ends ends = l->ends[set];
    const struct link *link = l->link + (uint64_t)set * r->ways;
    prefetch_line(&link[ends.oldest]); /* replacing this way will write it */
    prefetch_line(&link[ends.newest]);
    return ends.oldest;
}

static uint32_t lru_next(const struct repl *r, uint32_t set, uint32_t way)
{
    const struct lru *l = r->state;
    uint16_t newer = l->link[(uint64_t)set * r->ways + way].newer;
    return newer == NIL ? WAY_NONE : newer;
}

static void lru_serialize(struct repl *r, struct serializer *t)
{
    const struct lru *l = r->state;
    serialize_data(t, l->link, (size_t)r->sets * r->ways * sizeof *l->link);
    serialize_data(t, l->ends, r->sets * sizeof *l->ends);
}

static void fifo_touch(struct repl *r, uint32_t set, uint32_t way)
{
    (void)r;
    (void)set;
    (void)way;
}

#define ORDER_OPS                                                                    \
    .init = lru_init, .fini = lru_fini, .clear = lru_clear, .claim = lru_touch,      \
    .insert = lru_touch, .retire = lru_retire, .first = lru_first, .next = lru_next, \
    .serialize = lru_serialize

const struct repl_ops repl_lru = {ORDER_OPS, .touch = lru_touch, .expect = lru_expect};
const struct repl_ops repl_fifo = {ORDER_OPS, .touch = fifo_touch};
