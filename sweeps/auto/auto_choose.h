/* auto_choose.h - chooses the points that engine auto simulates next. */
#pragma once

#include "sweeps/auto/auto_model.h"
#include "sweeps/ranking/summary.h"

struct choice_set {
    uint32_t *point; /* [n]; the first `even` of them were drawn evenly over all axes */
    uint32_t n, even;
    uint32_t confirming; /* how many are members of the predicted front */
    bool certain;        /* as the wish has it: that is why there are none */
};

/* Chooses the first points: most of them spread evenly over all axes, the rest among the best
 * quarter by the estimated first objective.  c->point has room for `count`; false: no memory. */
bool auto_spread(const struct plan *p, const struct summary *ranked, uint32_t count,
                 struct choice_set *c, struct error *e);

struct choice_wish {
    uint32_t count;
    uint32_t even;      /* how many of these are drawn evenly */
    uint32_t confirm;   /* at most this many members of the front */
    bool until_certain; /* none, where no point is left that may be on the front or near the edge */
};
/* Chooses at most `count` points that are neither simulated nor failed, in this order: the even
 * ones; members of the front; the point with the largest expected improvement over the best one, if
 * that is at least a fifth of a percent; points whose interval contains the edge of the best 5 % by
 * the first objective, those nearest to the edge relative to their standard error first; points
 * whose optimistic values (summary.low / high) no known or predicted member of the front dominates;
 * any points. Members of the front and the last three kinds are sorted by standard error times
 * distance from the known points.  c->point has room for `count`; false: no memory. */
bool auto_choose(const struct auto_model *m, const struct summary *ranked,
                 const struct choice_wish *wish, struct choice_set *c, struct error *e);
/* The number of members of the front that can still be simulated. */
uint32_t auto_unconfirmed(const struct auto_model *m, const struct summary *ranked);
