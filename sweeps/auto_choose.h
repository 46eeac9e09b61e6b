/* auto_choose.h - which points engine auto simulates next. */
#ifndef PLUMB_SWEEPS_AUTO_CHOOSE_H
#define PLUMB_SWEEPS_AUTO_CHOOSE_H

#include "sweeps/auto_model.h"
#include "sweeps/summary.h"

struct choice_set {
    uint32_t *point;        /* [n] */
    uint32_t n, confirming; /* of these, members of the predicted front */
};

/* At most `count` points that are neither simulated nor failed.  First, at most `confirm` members
 * of the front, then, for half of the rest, points whose interval holds the edge of the best 5 % by
 * the first objective, then points whose optimistic values (summary.low / high) no known or
 * predicted member of the front dominates, by standard error times distance from what is known;
 * then any. c->point holds `count`; false: no memory. */
bool auto_choose(const struct auto_model *m, const struct summary *ranked, uint32_t count,
                 uint32_t confirm, struct choice_set *c, struct error *e);
/* Members of the front that can still be simulated. */
uint32_t auto_unconfirmed(const struct auto_model *m, const struct summary *ranked);

#endif
