/* compare_why.h - explains in words how two answers differ.
 *
 * It follows cause and effect: the parameters changed; the traffic that the caches let through; how
 * fast that is served; how much of it may be in flight; where it queues; and the time. */
#pragma once

#include "base/text/text.h"
#include "engine/engine.h"

struct machine;

struct compared {
    const struct machine *machine[2];
    const struct answer *answer[2]; /* the second one's `difference`, if known, has the parts */
};

/* Both print nothing if one of the two has no cycles. compare_say_ratio: how much faster the second
 * is; compare_say_why: what changed. */
void compare_say_ratio(struct text *out, const struct compared *c);
void compare_say_why(struct text *out, const struct compared *c, bool all);
