/* replacement_plru.c - pseudo-LRU by a binary tree per set (ways: a power of two).
 *
 * A node's bit names the side whose lines are older; an access turns the bits on its way away from
 * itself.  The best victim is where the bits lead.  Further victims are those that would follow if
 * each were replaced at once: the successive sides of a node alternate, so that the victim of rank
 * k takes the older side at the root when bit 0 of k is 0, at the next node when bit 1 is 0, and so
 * on.
 *
 * Nodes stand as in a heap: root 1, children 2i and 2i + 1, leaf of way w: ways + w.
 * Source: So & Rechtschaffen 1988; Al-Zoubi et al. 2004. */
#include "base/memory/alloc.h"
#include "gpu/cache/replacement.h"

#include <string.h>

struct tree {
    uint8_t *older;      /* [sets * ways] by node: the older side */
    uint8_t *valid;      /* [sets * ways] */
    uint32_t *n_invalid; /* [sets] */
};

static void plru_clear(struct repl *r)
{
    struct tree *t = r->state;
    memset(t->older, 0, (size_t)r->sets * r->ways);
    memset(t->valid, 0, (size_t)r->sets * r->ways);
    for (uint32_t s = 0; s < r->sets; s++)
        t->n_invalid[s] = r->ways;
}

static void plru_fini(struct repl *r)
{
    struct tree *t = r->state;
    if (!t) return;
    mem_free(t->older);
    mem_free(t->valid);
    mem_free(t->n_invalid);
    mem_free(t);
    r->state = NULL;
}

static bool plru_init(struct repl *r)
{
    struct tree *t = r->state = mem_new(1, sizeof *t);
    if (!t) return false;
    t->older = mem_new((size_t)r->sets * r->ways, sizeof *t->older);
    t->valid = mem_new((size_t)r->sets * r->ways, sizeof *t->valid);
    t->n_invalid = mem_new(r->sets, sizeof *t->n_invalid);
    if (!t->older || !t->valid || !t->n_invalid) {
        plru_fini(r);
        return false;
    }
    plru_clear(r);
    return true;
}

static size_t tree_of(const struct repl *r, uint32_t set)
{
    return (size_t)set * r->ways;
}

static void plru_touch(struct repl *r, uint32_t set, uint32_t way)
{
    struct tree *t = r->state;
    uint8_t *older = t->older + tree_of(r, set);
    for (uint32_t i = r->ways + way; i > 1; i /= 2)
        older[i / 2] = (i & 1) == 0;
}

static void plru_insert(struct repl *r, uint32_t set, uint32_t way)
{
    struct tree *t = r->state;
    uint8_t *valid = &t->valid[tree_of(r, set) + way];
    if (!*valid) t->n_invalid[set]--;
    *valid = 1;
    plru_touch(r, set, way);
}

static void plru_retire(struct repl *r, uint32_t set, uint32_t way)
{
    struct tree *t = r->state;
    uint8_t *valid = &t->valid[tree_of(r, set) + way];
    if (*valid) t->n_invalid[set]++;
    *valid = 0;
}

static uint32_t way_of_rank(const struct repl *r, uint32_t set, uint32_t rank)
{
    const struct tree *t = r->state;
    const uint8_t *older = t->older + tree_of(r, set);
    uint32_t i = 1;
    for (; i < r->ways; rank /= 2)
        i = 2 * i + (older[i] ^ (rank & 1));
    return i - r->ways;
}

static uint32_t rank_of_way(const struct repl *r, uint32_t set, uint32_t way)
{
    const struct tree *t = r->state;
    const uint8_t *older = t->older + tree_of(r, set);
    uint32_t rank = 0;
    for (uint32_t i = r->ways + way; i > 1; i /= 2)
        rank = 2 * rank | (older[i / 2] ^ (i & 1));
    return rank;
}

/* The first way from `rank` on that is valid, or invalid. */
static uint32_t search_tree(const struct repl *r, uint32_t set, uint32_t rank, bool valid)
{
    const struct tree *t = r->state;
    for (; rank < r->ways; rank++) {
        uint32_t way = way_of_rank(r, set, rank);
        if (t->valid[tree_of(r, set) + way] == valid) return way;
    }
    return WAY_NONE;
}

static uint32_t plru_first(const struct repl *r, uint32_t set)
{
    const struct tree *t = r->state;
    return search_tree(r, set, 0, t->n_invalid[set] == 0);
}

static uint32_t plru_next(const struct repl *r, uint32_t set, uint32_t way)
{
    const struct tree *t = r->state;
    bool valid = t->valid[tree_of(r, set) + way];
    uint32_t more = search_tree(r, set, rank_of_way(r, set, way) + 1, valid);
    return more == WAY_NONE && !valid ? search_tree(r, set, 0, true) : more;
}

static void plru_serialize(struct repl *r, struct serializer *t)
{
    const struct tree *s = r->state;
    size_t n = (size_t)r->sets * r->ways;
    serialize_data(t, s->older, n * sizeof *s->older);
    serialize_data(t, s->valid, n * sizeof *s->valid);
    serialize_data(t, s->n_invalid, r->sets * sizeof *s->n_invalid);
}

const struct repl_ops repl_plru = {.init = plru_init,
                                   .serialize = plru_serialize,
                                   .fini = plru_fini,
                                   .clear = plru_clear,
                                   .touch = plru_touch,
                                   .claim = plru_touch,
                                   .insert = plru_insert,
                                   .retire = plru_retire,
                                   .first = plru_first,
                                   .next = plru_next};
