/* set_view.c - see set_view.h. */
#include "estimator/profile/set_view.h"

#include <string.h>

#include "estimator/constants.h"

enum { WINDOW = REUSE_ORGS - 1 }; /* doublings; windows share their ends */

static uint32_t slices_of(const struct set_view *v)
{
    return v->slices > 1 ? v->slices : 1;
}

/* A single set needs no organisation, as it is the whole cache.  ipoly supports 16 to 1024 sets. */
static uint32_t first_of(enum index_kind index, uint32_t odd, uint32_t k)
{
    enum { IPOLY_LEAST = 4, IPOLY_MOST = 10 };
    uint32_t first = odd == 1;
    if (index == INDEX_IPOLY) return k <= IPOLY_LEAST + WINDOW ? IPOLY_LEAST : IPOLY_MOST - WINDOW;
    return k < first ? first : first + (k - first) / WINDOW * WINDOW;
}

static struct set_view window_of(enum index_kind index, uint32_t sets)
{
    uint32_t k = sets ? (uint32_t)__builtin_ctz(sets) : 0, odd = sets >> k;
    return (struct set_view){
        .odd = odd, .from = first_of(index, odd, k), .n = REUSE_ORGS, .index = index, .slices = 1};
}

struct set_view set_view_l1(const struct l1_params *l1)
{
    uint32_t sets = l1->cache.sets;
    if (!l1->enabled || sets <= 1) return (struct set_view){.odd = 0};
    return (struct set_view){.odd = sets, .n = 1, .index = l1->cache.index, .slices = 1};
}

/* If interleaving blocks fill whole sets, slice and set together are the digits of the line
 * number. */
struct set_view set_view_l2(const struct l2_params *l2)
{
    uint32_t block = l2->interleave_bytes / l2->cache.line_bytes, sets = l2->cache.sets;
    if (l2->banks <= 1) return window_of(l2->cache.index, sets);
    if (l2->slice_hash != SLICE_MODULO) return (struct set_view){.odd = 0};
    if (l2->cache.index == INDEX_MODULO && sets % block == 0)
        return window_of(INDEX_MODULO, l2->banks * sets);
    struct set_view v = window_of(l2->cache.index, sets);
    v.slices = l2->banks;
    v.block_lines = block;
    return v;
}

void set_view_numbers(const struct set_view *v, uint32_t out[SET_VIEW_NUMBERS])
{
    const uint32_t n[SET_VIEW_NUMBERS] = {SET_VIEW(VIEW_NUMBER)};
    memcpy(out, n, sizeof n);
}

static uint32_t sets_of(const struct set_view *v, uint32_t org)
{
    return v->odd << (v->from + org);
}

static uint32_t ways_of(const struct set_view *v, uint32_t lines, uint32_t org)
{
    uint32_t sets = sets_of(v, org), most = sets > SETS_OF_ONE ? (uint32_t)SETS_WAYS : REUSE_WAYS;
    uint32_t ways = (lines / slices_of(v) / sets + 3) / 4 * 4;
    return ways < 4 ? 4 : ways < most ? ways : most;
}

void set_view_orgs(const struct set_view *v, uint32_t lines, struct reuse_params *p)
{
    p->n_orgs = v->odd ? v->n : 0;
    p->at = (struct line_sets){v->index, v->slices, v->block_lines};
    for (uint32_t o = 0; o < p->n_orgs; o++)
        p->org[o] = (struct reuse_org){sets_of(v, o), ways_of(v, lines, o)};
}

uint32_t set_view_org(const struct set_view *v, uint32_t sets)
{
    for (uint32_t o = 0; v->odd && o < v->n; o++)
        if (sets_of(v, o) == sets) return o;
    return ORG_NONE;
}

void set_view_find(const struct set_view *v, uint32_t lines, double ways, struct geometry_view *g)
{
    g->org = set_view_org(v, (uint32_t)(g->sets / slices_of(v)));
    if (g->org == ORG_NONE) return;
    g->org_ways = ways_of(v, lines, g->org);
    if (ways > g->org_ways) g->org = ORG_NONE;
}

uint32_t set_view_nominal(const struct set_view *v, uint32_t lines, uint32_t *ways)
{
    uint32_t org = 0;
    if (!v->odd) return ORG_NONE;
    while (org + 1 < v->n && lines / slices_of(v) / sets_of(v, org + 1) >= SET_VIEW_WAYS)
        org++;
    *ways = lines / slices_of(v) / sets_of(v, org);
    if (*ways == 0) *ways = 1;
    return org;
}
