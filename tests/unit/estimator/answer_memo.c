/* Are kept answers found as long as their set has not seen too many others, and only then? */
#include "estimator/answer_memo.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

enum { KEYS = 40, ASKED = 20000, NEVER = -1 };

/* Keys of a handful of sets. */
static struct digest key_of(uint32_t k)
{
    return (struct digest){.hi = k, .lo = k % 5 + (uint64_t)MEMO_SETS * (k / 2)};
}

/* Slow reference: of the keys of its set asked for since, fewer than there are ways. */
static bool kept(const int last[KEYS], uint32_t k)
{
    uint32_t since = 0;
    for (uint32_t i = 0; i < KEYS; i++)
        since +=
            i != k && key_of(i).lo % MEMO_SETS == key_of(k).lo % MEMO_SETS && last[i] > last[k];
    return last[k] != NEVER && since < MEMO_WAYS;
}

static void the_last_ways_of_a_set_are_kept(void **state)
{
    static struct memo memo;
    static uint32_t answer[MEMO_PLACES];
    int last[KEYS];
    uint32_t hits = 0;
    struct rng r;
    (void)state;
    rng_seed(&r, 1, 0);
    for (uint32_t i = 0; i < KEYS; i++)
        last[i] = NEVER;
    for (int t = 0; t < ASKED; t++) {
        uint32_t k = (uint32_t)rng_below(&r, 1 + rng_below(&r, KEYS));
        bool found;
        uint32_t at = memo_place(&memo, key_of(k), &found);
        assert_int_equal(found, kept(last, k));
        assert_true(at < MEMO_PLACES);
        if (found) assert_int_equal(answer[at], k);
        answer[at] = k;
        last[k] = t;
        hits += found;
    }
    assert_true(hits > ASKED / 4 && hits < ASKED);
}

/* All zeros is a key like others: an empty place is not taken for it. */
static void an_empty_memo_has_nothing(void **state)
{
    static struct memo memo;
    bool found;
    (void)state;
    memo_place(&memo, (struct digest){0}, &found);
    assert_false(found);
    memo_place(&memo, (struct digest){0}, &found);
    assert_true(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_ways_of_a_set_are_kept),
        cmocka_unit_test(an_empty_memo_has_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
