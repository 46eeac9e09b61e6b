/* answer_memo.c - see answer_memo.h. */
#include "estimator/answer_memo.h"

uint32_t memo_place(struct memo *m, struct digest key, bool *found)
{
    uint32_t set = (uint32_t)(key.lo % MEMO_SETS), *used = m->used[set], oldest = 0;
    *found = true;
    for (uint32_t w = 0; w < MEMO_WAYS; w++) {
        if (used[w] && digest_equal(m->key[set][w], key)) {
            used[w] = ++m->uses;
            return set * MEMO_WAYS + w;
        }
        if (used[w] < used[oldest]) oldest = w;
    }
    *found = false;
    used[oldest] = ++m->uses;
    m->key[set][oldest] = key;
    return set * MEMO_WAYS + oldest;
}
