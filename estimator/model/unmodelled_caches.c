/* unmodelled_caches.c - see unmodelled_caches.h. */
#include "estimator/model/unmodelled_caches.h"

#include "estimator/profile/profile_data.h"

static bool exceeds_bound(const char *path, double kb, double most, struct text *why)
{
    if (kb <= most) return false;
    text_add(
        why,
        "%s: %.0f KB; the estimate follows reuse up to %.0f KB and counts what lies farther as "
        "misses; check with sample or simulate",
        path, kb, most);
    return true;
}

static bool has_too_many_ways(const char *path, const struct set_view *v, uint32_t lines,
                              struct geometry_view *g, struct text *why)
{
    double ways = g->lines / g->sets;
    set_view_find(v, lines, ways, g);
    if (!v->odd || g->sets <= 1 || g->org != ORG_NONE) return false;
    text_add(why,
             "%s: %.0f; the estimate counts conflicts up to %u ways and spreads lines over these "
             "sets at random; check with sample or simulate",
             path, ways, g->org_ways);
    return true;
}

bool unmodelled_l1(const struct l1_params *l1, struct text *why)
{
    uint32_t line = l1->cache.line_bytes, kb = l1->adaptive ? l1_kb_beside(l1, 0) : l1->kb;
    struct set_view v = set_view_l1(l1);
    struct geometry_view g = {.lines = kb * 1024.0 / line, .sets = l1->cache.sets};
    if (!l1->enabled) return false;
    return exceeds_bound("l1.kb", kb, PROFILE_L1_BOUND_BYTES / 1024.0, why) ||
           has_too_many_ways("l1.ways", &v, PROFILE_L1_BOUND_BYTES / line, &g, why);
}

bool unmodelled_l2(const struct l2_params *l2, struct text *why)
{
    uint32_t line = l2->cache.line_bytes;
    double kb = (double)l2->banks * l2->bank_kb, sets = (double)l2->banks * l2->cache.sets;
    struct set_view v = set_view_l2(l2);
    struct geometry_view g = {.lines = sets * l2->cache.ways, .sets = sets};
    return exceeds_bound("l2.bank_kb", kb, PROFILE_L2_BOUND_BYTES / 1024.0, why) ||
           has_too_many_ways("l2.ways", &v, PROFILE_L2_BOUND_BYTES / line, &g, why);
}
