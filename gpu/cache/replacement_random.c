/* replacement_random.c - every valid way has the same chance to be the next victim. A set's ways
 * stand in an array, the invalid ones first; the head of the valid ones is the best victim. After
 * each insertion the head is swapped with a way drawn among all valid ones (the new one included),
 * so that every victim is drawn afresh. Each set draws from its own stream of the seed, so that
 * sets do not influence each other. */
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "gpu/cache/replacement.h"

_Static_assert(CACHE_WAYS_MAX <= UINT16_MAX + 1, "a way has 16 bits");

struct shuffle {
    uint16_t *way, *place; /* [sets * ways] inverse of each other inside a set */
    uint32_t *n_invalid;   /* [sets] */
    struct rng *rng;       /* [sets] */
};

static void random_clear(struct repl *r)
{
    struct shuffle *f = r->state;
    for (uint32_t s = 0; s < r->sets; s++) {
        for (uint32_t w = 0; w < r->ways; w++)
            f->way[(size_t)s * r->ways + w] = f->place[(size_t)s * r->ways + w] = (uint16_t)w;
        f->n_invalid[s] = repl_ways(r, s);
        rng_seed(&f->rng[s], r->seed, s);
    }
}

static void random_fini(struct repl *r)
{
    struct shuffle *f = r->state;
    if (!f) return;
    mem_free(f->way);
    mem_free(f->place);
    mem_free(f->n_invalid);
    mem_free(f->rng);
    mem_free(f);
    r->state = NULL;
}

static bool random_init(struct repl *r)
{
    struct shuffle *f = r->state = mem_new(1, sizeof *f);
    if (!f) return false;
    size_t n = (size_t)r->sets * r->ways;
    f->way = mem_new(n, sizeof *f->way);
    f->place = mem_new(n, sizeof *f->place);
    f->n_invalid = mem_new(r->sets, sizeof *f->n_invalid);
    f->rng = mem_new(r->sets, sizeof *f->rng);
    if (!f->way || !f->place || !f->n_invalid || !f->rng) {
        random_fini(r);
        return false;
    }
    random_clear(r);
    return true;
}

static void swap_ways(const struct repl *r, uint32_t set, uint32_t a, uint32_t b)
{
    struct shuffle *f = r->state;
    uint16_t *way = f->way + (size_t)set * r->ways, *place = f->place + (size_t)set * r->ways;
    uint16_t was = way[a];
    way[a] = way[b];
    way[b] = was;
    place[way[a]] = (uint16_t)a;
    place[way[b]] = (uint16_t)b;
}

static void random_touch(struct repl *r, uint32_t set, uint32_t way)
{
    (void)r;
    (void)set;
    (void)way;
}

static void random_insert(struct repl *r, uint32_t set, uint32_t way)
{
    struct shuffle *f = r->state;
    uint32_t at = f->place[(size_t)set * r->ways + way];
    if (at < f->n_invalid[set]) swap_ways(r, set, at, --f->n_invalid[set]);
    uint32_t head = f->n_invalid[set];
    swap_ways(r, set, head, head + (uint32_t)rng_below(&f->rng[set], repl_ways(r, set) - head));
}

static void random_retire(struct repl *r, uint32_t set, uint32_t way)
{
    struct shuffle *f = r->state;
    uint32_t at = f->place[(size_t)set * r->ways + way];
    if (at >= f->n_invalid[set]) swap_ways(r, set, at, f->n_invalid[set]++);
}

static uint32_t random_first(const struct repl *r, uint32_t set)
{
    const struct shuffle *f = r->state;
    return f->way[(size_t)set * r->ways];
}

static uint32_t random_next(const struct repl *r, uint32_t set, uint32_t way)
{
    const struct shuffle *f = r->state;
    uint32_t after = f->place[(size_t)set * r->ways + way] + 1u;
    return after < repl_ways(r, set) ? f->way[(size_t)set * r->ways + after] : WAY_NONE;
}

static void random_serialize(struct repl *r, struct serializer *t)
{
    const struct shuffle *s = r->state;
    size_t n = (size_t)r->sets * r->ways;
    serialize_data(t, s->way, n * sizeof *s->way);
    serialize_data(t, s->place, n * sizeof *s->place);
    serialize_data(t, s->n_invalid, r->sets * sizeof *s->n_invalid);
    serialize_data(t, s->rng, r->sets * sizeof *s->rng);
}

const struct repl_ops repl_random = {.init = random_init,
                                     .serialize = random_serialize,
                                     .fini = random_fini,
                                     .clear = random_clear,
                                     .touch = random_touch,
                                     .claim = random_touch,
                                     .insert = random_insert,
                                     .retire = random_retire,
                                     .first = random_first,
                                     .next = random_next};
