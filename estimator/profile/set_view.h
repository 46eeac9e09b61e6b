/* set_view.h - the set counts for which a profile records distances inside a set, and which of them
 * a cache uses.
 *
 * A cache has `odd` * 2^k sets.  A profile of an L2 records REUSE_ORGS such numbers, a window of k
 * that contains the machine's: other capacities and ways inside the window need no new profile.
 * Of an L1, whose sets and ways decide who runs ahead, it records the machine's alone.  Index
 * functions are those of gpu/geometry/set_index.h.  Slices selected by modulo are part of the
 * index; with hashed slices a line's set is random (odd = 0: no set counts are recorded).
 *
 * One of these set counts is that of the view's nominal cache, with which the functional pass
 * decides hits. */
#pragma once

#include "estimator/profile/hit_curve.h"
#include "estimator/profile/view/view_rows.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/l2.h"

#define SET_VIEW(F)                                                   \
    F(uint32_t, odd) /* sets of a slice: odd * 2^(from + i), i < n */ \
    F(uint32_t, from)                                                 \
    F(uint32_t, n) /* at most REUSE_ORGS */                           \
    F(enum index_kind, index)                                         \
    F(uint32_t, slices)                                               \
    F(uint32_t, block_lines)
struct set_view {
    SET_VIEW(VIEW_MEMBER)
};
enum { SET_VIEW_NUMBERS = SET_VIEW(VIEW_COUNT) };

struct set_view set_view_l1(const struct l1_params *l1);
struct set_view set_view_l2(const struct l2_params *l2);
void set_view_numbers(const struct set_view *v, uint32_t out[SET_VIEW_NUMBERS]);
/* The organisations of a profile that tracks `lines` lines. */
void set_view_orgs(const struct set_view *v, uint32_t lines, struct reuse_params *p);
/* Sets g->org for a cache of g->sets sets (of all slices) and so many ways; ORG_NONE: not
 * recorded. */
void set_view_find(const struct set_view *v, uint32_t lines, double ways, struct geometry_view *g);
/* The organisation with so many sets in a slice, or ORG_NONE. */
uint32_t set_view_org(const struct set_view *v, uint32_t sets);
/* The organisation of a nominal cache of `lines`: the one with most sets and at least SET_VIEW_WAYS
 * ways. */
enum { SET_VIEW_WAYS = 16 };
uint32_t set_view_nominal(const struct set_view *v, uint32_t lines, uint32_t *ways);
