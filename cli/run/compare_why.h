/* compare_why.h - in words: how two answers differ, from what was changed to what it does.
 *
 * In the order of cause and effect: what was changed; what the caches let through then; how fast
 * that is served; how much of it may be under way; where it queues; and the time. */
#ifndef PLUMB_CLI_RUN_COMPARE_WHY_H
#define PLUMB_CLI_RUN_COMPARE_WHY_H

#include "base/text/text.h"
#include "engine/engine.h"

struct machine;

struct compared {
    const struct machine *machine[2];
    const struct answer *answer[2]; /* the second one's `difference`, where known, has the parts */
};

/* Says nothing where one of them has no cycles. */
void compare_say_why(struct text *out, const struct compared *c);

#endif
