/* auto_choose.h - which points engine auto simulates next. */
#ifndef PLUMB_SWEEPS_AUTO_AUTO_CHOOSE_H
#define PLUMB_SWEEPS_AUTO_AUTO_CHOOSE_H

#include "sweeps/analyse/summary.h"
#include "sweeps/auto/auto_model.h"

struct choice_set {
    uint32_t *point; /* [n]; the first `even` of them were drawn evenly over all axes */
    uint32_t n, even;
    uint32_t confirming; /* members of the predicted front among them */
};

/* The first points: most of them spread evenly over all axes, the others among the best quarter by
 * the first objective as estimated.  c->point holds `count`; false: no memory. */
bool auto_spread(const struct plan *p, const struct summary *ranked, uint32_t count,
                 struct choice_set *c, struct error *e);

struct choice_wish {
    uint32_t count;
    uint32_t even;    /* of these, drawn evenly */
    uint32_t confirm; /* at most so many members of the front */
};
/* At most `count` points that are neither simulated nor failed.  First the even ones; then members
 * of the front; then the point that may be expected to better the best one most, if by
 * a fifth of a percent; then points whose interval holds the edge of the best 5 % by the first
 * objective, the nearest for how unsure they are; then points whose optimistic values (summary.low
 * / high) no known or predicted member of the front dominates; then any.  Members of the front and
 * the last three kinds by standard error times distance from what is known.  c->point holds
 * `count`; false: no memory. */
bool auto_choose(const struct auto_model *m, const struct summary *ranked,
                 const struct choice_wish *wish, struct choice_set *c, struct error *e);
/* Members of the front that can still be simulated. */
uint32_t auto_unconfirmed(const struct auto_model *m, const struct summary *ranked);

#endif
