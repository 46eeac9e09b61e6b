/* set_view.h - which set counts a profile knows the distances of, and which stand for a cache.
 *
 * A cache has `odd` * 2^k sets.  A profile counts distances in REUSE_ORGS such numbers, a window of
 * k that holds the machine's: other capacities and ways inside it need no new profile.  Index
 * functions are those of gpu/geometry/set_index.h; slices that are dealt out by modulo belong to
 * the index, hashed slices meet lines by chance (odd = 0: no sets are told apart).
 *
 * The view's nominal cache, by which the functional pass says what hits, is one of its set counts.
 */
#ifndef PLUMB_ESTIMATOR_CACHE_SET_VIEW_H
#define PLUMB_ESTIMATOR_CACHE_SET_VIEW_H

#include "estimator/profile/hit_curve.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/l2.h"

struct set_view {
    uint32_t odd, from; /* sets of a slice: odd * 2^(from + i), i < REUSE_ORGS */
    enum index_kind index;
    uint32_t slices, block_lines;
};
enum { SET_VIEW_NUMBERS = 5 };

struct set_view set_view_l1(const struct l1_params *l1);
struct set_view set_view_l2(const struct l2_params *l2);
bool set_view_equal(const struct set_view *a, const struct set_view *b);
void set_view_numbers(const struct set_view *v, uint32_t out[SET_VIEW_NUMBERS]);
/* The organisations of a profile that follows `lines` of them. */
void set_view_orgs(const struct set_view *v, uint32_t lines, struct reuse_params *p);
/* Of a cache of g->sets (all slices') and so many ways: g->org, ORG_NONE where they are not known.
 */
void set_view_find(const struct set_view *v, uint32_t lines, double ways, struct geometry_view *g);
/* The organisation with so many sets, of a slice; ORG_NONE. */
uint32_t set_view_org(const struct set_view *v, uint32_t sets);
/* Of a nominal cache of `lines`: the most sets with at least SET_VIEW_WAYS ways. */
enum { SET_VIEW_WAYS = 16 };
uint32_t set_view_nominal(const struct set_view *v, uint32_t lines, uint32_t *ways);

#endif
