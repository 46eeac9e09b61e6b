/* register_observer.h - counts a launch's accesses to registers (estimator/profile/register_use.h).
 *
 * Memory: only register_observer_launch allocates. */
#pragma once

#include "estimator/profile/register_use.h"
#include "gpu/geometry/register_map.h"

#include <stddef.h>

struct register_observer {
    struct register_map map; /* of the launch */
    uint32_t *last;          /* [warps * map.registers] when each was written; 0: not yet */
    size_t cap;
};

void register_observer_fini(struct register_observer *o);
/* false: no memory. */
bool register_observer_launch(struct register_observer *o, const struct launch *l, uint32_t warps);
void register_observer_begins(struct register_observer *o, uint32_t warp);
/* Counts how long after the last access to its registers the warp's instruction number `now` (from
 * 1) comes. */
void register_observer_issues(struct register_observer *o, uint32_t warp,
                              const struct warp_inst *inst, uint32_t now, struct register_use *to);
/* Counts what does not depend on order: instruction `code`, of class `cls`, was issued `times`
 * times. */
void register_observer_issued(const struct register_observer *o, uint32_t code, uint8_t cls,
                              double times, struct register_use *to);
void register_use_add(struct register_use *to, const struct register_use *from);
void register_use_scale(struct register_use *u, double by);
