/* replacement_rrip.c - re-reference interval prediction with two bits and hit promotion: SRRIP, and
 * DRRIP, which duels it with BRRIP.
 *
 * Each line has a predicted distance to its next use, 0 (near) to 3 (distant).  A new line starts
 * at 2, a hit sets 0.  The victim is the leftmost way at 3; if there is none, all lines age by one
 * until there is.  Ageing is done when the victim is claimed, so that looking for one changes
 * nothing: the best victims are the ways in the order of falling prediction, leftmost first.  Where
 * a fill in flight forbids the best one, lines age until the chosen one stands at 3 [A]; the others
 * stop there.
 *
 * BRRIP puts new lines at 3, each 32nd one at 2, so that some of a cycle larger than the cache
 * stays. Under DRRIP two sets of each group have one policy each, and the others have that whose
 * sets miss less: a counter of 10 bits rises with misses of SRRIP's sets and falls with those of
 * BRRIP's. A miss counts when its victim is claimed [A]. There are 32 groups, fewer where they
 * would have less than four sets [A]; the two sets move on by one from group to group. A line's
 * note carries which policy leads, so that a warm state begins with it.
 *
 * Source: Jaleel et al. 2010, sections 3 and 4 (SRRIP-HP, BRRIP with 1/32, DRRIP; M = 2). */
#include "base/memory/alloc.h"
#include "gpu/cache/replacement.h"

#include <string.h>

enum { NEAR = 0, LONG = 2, DISTANT = 3, INVALID = 4, PREDICTION = 7, CLAIMED = 8, BIMODAL = 16 };
enum { GROUPS = 32, GROUP_SETS = 4, MOST = 1023, HALF = 512, LONG_ONES = 32 };

struct rrip {
    uint32_t lead;     /* from HALF on BRRIP's sets miss less */
    uint32_t inserted; /* by BRRIP */
    uint8_t line[];    /* [sets * ways] */
};

static uint8_t *set_of(const struct repl *r, uint32_t set)
{
    return ((struct rrip *)r->state)->line + (size_t)set * r->ways;
}

static void rrip_clear(struct repl *r)
{
    struct rrip *s = r->state;
    s->lead = HALF - 1;
    s->inserted = 0;
    memset(s->line, INVALID, (size_t)r->sets * r->ways);
}

static void rrip_fini(struct repl *r)
{
    mem_free(r->state);
    r->state = NULL;
}

static bool rrip_init(struct repl *r)
{
    r->state = mem_new_unset(sizeof(struct rrip) + (size_t)r->sets * r->ways, 1);
    if (!r->state) return false;
    rrip_clear(r);
    return true;
}

static void rrip_touch(struct repl *r, uint32_t set, uint32_t way)
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

static void rrip_retire(struct repl *r, uint32_t set, uint32_t way)
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

static uint32_t rrip_first(const struct repl *r, uint32_t set)
{
    return search_ways(r, set, 0, INVALID);
}

static uint32_t rrip_next(const struct repl *r, uint32_t set, uint32_t way)
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
    serialize_data(t, set_of(r, 0), (size_t)r->sets * r->ways);
}

const struct repl_ops repl_srrip = {.init = rrip_init,
                                    .serialize = srrip_serialize,
                                    .fini = rrip_fini,
                                    .clear = rrip_clear,
                                    .touch = rrip_touch,
                                    .claim = srrip_claim,
                                    .insert = srrip_insert,
                                    .retire = rrip_retire,
                                    .first = rrip_first,
                                    .next = rrip_next,
                                    .note = srrip_note,
                                    .recall = srrip_recall};

/* --- DRRIP --- */

enum leader { FOLLOWS, LEADS_STATIC, LEADS_BIMODAL };

static enum leader leader_of(const struct repl *r, uint32_t set)
{
    uint32_t groups = r->sets / GROUP_SETS < GROUPS ? r->sets / GROUP_SETS : GROUPS;
    uint32_t span = groups ? r->sets / groups : r->sets, group = set / span, at = set % span;
    if (span < 2 || (groups && group >= groups)) return FOLLOWS;
    if (at == group % span) return LEADS_STATIC;
    return at == (group + span / 2) % span ? LEADS_BIMODAL : FOLLOWS;
}

static void drrip_claim(struct repl *r, uint32_t set, uint32_t way)
{
    struct rrip *s = r->state;
    enum leader l = leader_of(r, set);
    s->lead += l == LEADS_STATIC && s->lead < MOST;
    s->lead -= l == LEADS_BIMODAL && s->lead;
    srrip_claim(r, set, way);
}

static void drrip_insert(struct repl *r, uint32_t set, uint32_t way)
{
    struct rrip *s = r->state;
    if (!(set_of(r, set)[way] & CLAIMED)) drrip_claim(r, set, way);
    enum leader l = leader_of(r, set);
    bool bimodal = l == LEADS_BIMODAL || (l == FOLLOWS && s->lead >= HALF);
    bool distant = bimodal && ++s->inserted % LONG_ONES;
    set_of(r, set)[way] = distant ? DISTANT : LONG;
}

static uint8_t drrip_note(const struct repl *r, uint32_t set, uint32_t way)
{
    bool bimodal = ((const struct rrip *)r->state)->lead >= HALF;
    return (uint8_t)(srrip_note(r, set, way) | (bimodal ? BIMODAL : 0));
}

static void drrip_recall(struct repl *r, uint32_t set, uint32_t way, uint8_t note)
{
    ((struct rrip *)r->state)->lead = note & BIMODAL ? HALF : HALF - 1;
    srrip_recall(r, set, way, note);
}

static void drrip_serialize(struct repl *r, struct serializer *t)
{
    struct rrip *s = r->state;
    serialize_data(t, s, sizeof *s + (size_t)r->sets * r->ways);
}

const struct repl_ops repl_drrip = {.init = rrip_init,
                                    .serialize = drrip_serialize,
                                    .fini = rrip_fini,
                                    .clear = rrip_clear,
                                    .touch = rrip_touch,
                                    .claim = drrip_claim,
                                    .insert = drrip_insert,
                                    .retire = rrip_retire,
                                    .first = rrip_first,
                                    .next = rrip_next,
                                    .note = drrip_note,
                                    .recall = drrip_recall};
