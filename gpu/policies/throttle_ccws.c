/* throttle_ccws.c - CCWS: warps that lose cache lines to other warps get more of the L1 (Rogers
 * 2012; Mao 4.2.1).
 *
 * Each warp has a victim tag array: the blocks that it brought into the L1 and that were evicted. A
 * miss on one of them is lost locality: the warp's score becomes
 *     hits of all victim tags / instructions issued * gain * cut-off
 * and from then on falls by a point per cycle until it is back at the base. The cut-off is the base
 * times the number of warps. With the scores stacked from the highest down, warps whose top is
 * above the cut-off may not issue loads. Scores are stored as the cycle at which they will be back
 * at the base, so that their order does not change with time and nothing is done per cycle.
 *
 * [A] A score stays between the base and the cut-off, so that the first warp can always issue; a
 * tag that is found leaves the array. */
#include "gpu/policies/throttle.h"

#include "base/memory/alloc.h"
#include "base/memory/serialize.h"

#include <string.h>

static bool ccws_init(struct throttle *t)
{
    t->ccws = mem_new(1, sizeof *t->ccws);
    if (!t->ccws) return false;
    t->ccws->tag = mem_new((size_t)THROTTLE_WARPS * t->p->ccws.tags, sizeof *t->ccws->tag);
    return hash_map_init(&t->ccws->owner, 2 * t->l1_blocks) && t->ccws->tag;
}

static void ccws_launch(struct throttle *t, double warps, uint64_t issued)
{
    (void)warps;
    hash_map_clear(&t->ccws->owner);
    t->ccws->hits = 0;
    t->ccws->issued_before = issued;
    t->ccws->live = 0;
}

static void ccws_born(struct throttle *t, uint32_t warp)
{
    struct ccws *c = t->ccws;
    memset(&c->tag[(size_t)warp * t->p->ccws.tags], 0, t->p->ccws.tags * sizeof *c->tag);
    c->expires[warp] = 0;
    c->live++;
}

static void ccws_ended(struct throttle *t, uint32_t warp)
{
    t->ccws->expires[warp] = 0;
    t->ccws->live--;
}

/* The warp's set for a block. */
static uint64_t *set_of(const struct throttle *t, uint32_t warp, uint64_t block)
{
    uint32_t ways = t->p->ccws.tag_ways, sets = t->p->ccws.tags / ways;
    return &t->ccws->tag[(size_t)warp * t->p->ccws.tags + block % sets * ways];
}

static bool take_tag(const struct throttle *t, uint32_t warp, uint64_t block)
{
    uint64_t *set = set_of(t, warp, block);
    for (uint32_t i = 0; i < t->p->ccws.tag_ways; i++) {
        if (set[i] != block + 1) continue;
        memmove(&set[i], &set[i + 1], (t->p->ccws.tag_ways - 1 - i) * sizeof *set);
        set[t->p->ccws.tag_ways - 1] = 0;
        return true;
    }
    return false;
}

static void ccws_left(struct throttle *t, uint64_t block)
{
    uint32_t *owner = hash_map_get(&t->ccws->owner, block);
    if (!owner) return;
    uint64_t *set = set_of(t, *owner, block);
    memmove(&set[1], &set[0], (t->p->ccws.tag_ways - 1) * sizeof *set);
    set[0] = block + 1;
    hash_map_del(&t->ccws->owner, block);
}

static bool ccws_access(struct throttle *t, const struct throttle_access *a, uint64_t issued,
                        uint64_t now)
{
    struct ccws *c = t->ccws;
    if (!a->load || !a->miss) return false;
    bool lost = take_tag(t, a->warp, a->block);
    if (!hash_map_put(&c->owner, a->block, a->warp)) t->no_memory = true;
    if (!lost) return false;
    double base = t->p->ccws.base_score, cutoff = base * c->live;
    double score =
        (double)++c->hits / (double)(issued - c->issued_before) * t->p->ccws.gain * cutoff;
    if (score > cutoff) score = cutoff;
    c->expires[a->warp] = now + (score > base ? (uint64_t)(score - base) : 0);
    return true;
}

/* Warps above the base, highest score first, then the others; both in the roster's order. */
static uint32_t sort_roster(const struct ccws *c, const struct rostered *r, uint32_t n,
                            uint64_t now, uint16_t *out)
{
    uint32_t high = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t e = c->expires[r[i].warp];
        if (e <= now) continue;
        uint32_t at = high++;
        for (; at && c->expires[out[at - 1]] < e; at--)
            out[at] = out[at - 1];
        out[at] = r[i].warp;
    }
    for (uint32_t i = 0, at = high; i < n; i++)
        if (c->expires[r[i].warp] <= now) out[at++] = r[i].warp;
    return high;
}

/* First cycle at which the scores of the first `high` of that many warps fit under the cut-off: the
 * sum of max(0, expires - t) is at most `room`; equivalently, every partial sum of expires - t is.
 */
static uint64_t fits_at(const struct ccws *c, const uint16_t *order, uint32_t high, uint64_t room)
{
    uint64_t sum = 0, at = 0;
    for (uint32_t m = 1; m <= high; m++) {
        sum += c->expires[order[m - 1]];
        uint64_t least = sum > room ? (sum - room + m - 1) / m : 0;
        if (least > at) at = least;
    }
    return at;
}

static void ccws_choose(struct throttle *t, const struct rostered *r, uint32_t n, uint64_t now)
{
    struct ccws *c = t->ccws;
    uint16_t order[THROTTLE_WARPS];
    uint64_t base = t->p->ccws.base_score, cutoff = base * n, top = 0;
    t->due = UINT64_MAX;
    memset(t->no_loads, 0, sizeof t->no_loads);
    uint32_t high = sort_roster(c, r, n, now, order), k = 0;
    for (; k < n; k++) {
        top += base + (k < high ? c->expires[order[k]] - now : 0);
        if (k && top > cutoff)
            break; /* the first warp may always issue, even with a score from before */
    }
    if (k == n) return;
    for (uint32_t i = k; i < n; i++)
        throttle_set(t->no_loads, order[i]);
    t->due = fits_at(c, order, k + 1 < high ? k + 1 : high, (n - k - 1) * base);
}

static bool ccws_serialize(struct throttle *t, struct serializer *serializer)
{
    struct ccws *c = t->ccws;
    uint32_t slots = t->p->max_warps / t->p->subcores; /* slots of a sub-core that exist */
    SERIALIZE_VALUE(serializer, c->hits);
    SERIALIZE_VALUE(serializer, c->issued_before);
    SERIALIZE_VALUE(serializer, c->live);
    SERIALIZE_VALUE(serializer, c->expires);
    for (uint32_t i = 0; i < t->p->subcores; i++)
        serialize_data(serializer, &c->tag[(size_t)i * 64 * t->p->ccws.tags],
                       slots * t->p->ccws.tags * sizeof *c->tag);
    return hash_map_serialize(&c->owner, serializer);
}

/* Moves the scores to the new time base: a score above the base stays so for as many cycles. */
static void ccws_moved(struct throttle *t, uint64_t issued, uint64_t then, uint64_t now)
{
    struct ccws *c = t->ccws;
    c->issued_before -= issued; /* may be negative, modulo 2^64: it is only ever subtracted */
    for (uint32_t i = 0; i < THROTTLE_WARPS; i++)
        c->expires[i] = c->expires[i] > then ? c->expires[i] - then + now : 0;
}

const struct throttle_ops throttle_ccws = {.name = "ccws",
                                           .learns = true,
                                           .init = ccws_init,
                                           .launch = ccws_launch,
                                           .born = ccws_born,
                                           .ended = ccws_ended,
                                           .access = ccws_access,
                                           .left = ccws_left,
                                           .serialize = ccws_serialize,
                                           .moved = ccws_moved,
                                           .choose = ccws_choose};
