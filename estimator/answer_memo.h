/* answer_memo.h - a small set-associative index for cached results, by the digest of all that they
 * depend on.
 *
 * The owner stores one result per place.  A full set evicts its least recently used place. Memory:
 * none; zeroed = empty. */
#pragma once

#include "base/text/digest.h"

enum { MEMO_SETS = 1024, MEMO_WAYS = 4, MEMO_PLACES = MEMO_SETS * MEMO_WAYS };

struct memo {
    uint32_t uses, used[MEMO_SETS][MEMO_WAYS]; /* used: time of the last use; 0: never */
    struct digest key[MEMO_SETS][MEMO_WAYS];
};
/* Returns the key's place, allocating it if needed.  *found: the place already had a result for the
 * key. */
uint32_t memo_place(struct memo *m, struct digest key, bool *found);
