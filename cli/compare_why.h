/* compare_why.h - in words: how two answers differ, and what changed most. */
#ifndef PLUMB_CLI_COMPARE_WHY_H
#define PLUMB_CLI_COMPARE_WHY_H

#include "base/text.h"
#include "sampler/engine.h"

/* Of A and B; says nothing where one of them has no cycles. */
void compare_say_why(struct text *out, const struct answer *a, const struct answer *b);

#endif
