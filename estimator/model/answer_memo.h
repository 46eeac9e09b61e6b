/* answer_memo.h - places for answers that are kept, found by the digest of all that they depend on.
 *
 * The owner has as many answers as there are places.  A set's oldest use makes room.
 * Memory: none; zeroed = empty. */
#ifndef PLUMB_ESTIMATOR_MODEL_ANSWER_MEMO_H
#define PLUMB_ESTIMATOR_MODEL_ANSWER_MEMO_H

#include "base/text/digest.h"

enum { MEMO_SETS = 1024, MEMO_WAYS = 4, MEMO_PLACES = MEMO_SETS * MEMO_WAYS };

struct memo {
    uint32_t uses, used[MEMO_SETS][MEMO_WAYS]; /* used: when last; 0: never */
    struct digest key[MEMO_SETS][MEMO_WAYS];
};
/* The key's place, which is its own from now on.  *found: it was before. */
uint32_t memo_place(struct memo *m, struct digest key, bool *found);

#endif
