/* replacement_srrip.c - static re-reference interval prediction with two bits and hit promotion.
 *
 * Each line has a predicted distance to its next use, 0 (near) to 3 (distant).  A new line starts
 * at 2, a hit sets 0.  The victim is the leftmost way at 3; if there is none, all lines age by one
 * until there is.  Ageing is done when the victim is claimed, so that looking for one changes
 * nothing: the best victims are the ways in the order of falling prediction, leftmost first.  Where
 * a fill in flight forbids the best one, lines age until the chosen one stands at 3 [A]; the others
 * stop there. Source: Jaleel et al. 2010, section 3 (SRRIP-HP, M = 2). */
#include "base/memory/alloc.h"
#include "gpu/cache/replacement.h"

#include <string.h>

enum { NEAR = 0, LONG = 2, DISTANT = 3, INVALID = 4, PREDICTION = 7, CLAIMED = 8 };

static uint8_t *set_of(const struct repl *r, uint32_t set)
{
    return (uint8_t *)r->state + (size_t)set * r->ways;
}

static void srrip_clear(struct repl *r)
{
    memset(r->state, INVALID, (size_t)r->sets * r->ways);
}

static void srrip_fini(struct repl *r)
{
    mem_free(r->state);
    r->state = NULL;
}

static bool srrip_init(struct repl *r)
{
    r->state = mem_new((size_t)r->sets * r->ways, 1);
    if (!r->state) return false;
    srrip_clear(r);
    return true;
}

static void srrip_touch(struct repl *r, uint32_t set, uint32_t way)
{
    uint8_t *p = &set_of(r, set)[way];
    *p &= CLAIMED; /* NEAR */
}

static void srrip_claim(struct repl *r, uint32_t set, uint32_t way)
{
    uint8_t *p = set_of(r, set), at = p[way] & PREDICTION;
    for (uint32_t w = 0; at < DISTANT && w < repl_ways(r, set); w++) {
        int aged = (p[w] & PREDICTION) + DISTANT - at;
        if ((p[w] & PREDICTION) != INVALID)
            p[w] = (uint8_t)((p[w] & CLAIMED) | (aged < DISTANT ? aged : DISTANT));
    }
    p[way] = LONG | CLAIMED;
}

static void srrip_insert(struct repl *r, uint32_t set, uint32_t way)
{
    if (!(set_of(r, set)[way] & CLAIMED)) srrip_claim(r, set, way);
    set_of(r, set)[way] = LONG;
}

static void srrip_retire(struct repl *r, uint32_t set, uint32_t way)
{
    set_of(r, set)[way] = INVALID;
}

/* The leftmost way, from `from` on, among the ways with the highest prediction that is at most
 * `most`. */
static uint32_t search_ways(const struct repl *r, uint32_t set, uint32_t from, int most)
{
    const uint8_t *p = set_of(r, set);
    for (; most >= NEAR; most--, from = 0)
        for (uint32_t w = from; w < repl_ways(r, set); w++)
            if ((p[w] & PREDICTION) == most) return w;
    return WAY_NONE;
}

static uint32_t srrip_first(const struct repl *r, uint32_t set)
{
    return search_ways(r, set, 0, INVALID);
}

static uint32_t srrip_next(const struct repl *r, uint32_t set, uint32_t way)
{
    return search_ways(r, set, way + 1, set_of(r, set)[way] & PREDICTION);
}

static uint8_t srrip_note(const struct repl *r, uint32_t set, uint32_t way)
{
    return set_of(r, set)[way] & PREDICTION;
}

static void srrip_recall(struct repl *r, uint32_t set, uint32_t way, uint8_t note)
{
    set_of(r, set)[way] = note & PREDICTION;
}

static void srrip_serialize(struct repl *r, struct serializer *t)
{
    serialize_data(t, r->state, (size_t)r->sets * r->ways);
}

const struct repl_ops repl_srrip = {.init = srrip_init,
                                    .serialize = srrip_serialize,
                                    .fini = srrip_fini,
                                    .clear = srrip_clear,
                                    .touch = srrip_touch,
                                    .claim = srrip_claim,
                                    .insert = srrip_insert,
                                    .retire = srrip_retire,
                                    .first = srrip_first,
                                    .next = srrip_next,
                                    .note = srrip_note,
                                    .recall = srrip_recall};
