/* cta_queues.c - queues of CTAs: every CTA is given out once, whoever asks when. */
#include "gpu/policies/cta_queues.h"

#include "base/memory/rng.h"
#include "tests/support/check.h"

enum { SMS = 7, CTAS = 50 };

static void begin(struct cta_queues *q, struct cta_queue *of, uint32_t n, uint64_t ctas)
{
    *q = (struct cta_queues){.of = of, .n = n};
    cta_queues_fill(q, ctas);
}

/* In order and without a gap, no two lengths more than one apart. */
static void queues_are_equal_parts_in_order(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= SMS; n++)
        for (uint64_t ctas = 0; ctas <= CTAS; ctas++) {
            struct cta_queue of[SMS];
            struct cta_queues q;
            uint64_t next = 0;
            begin(&q, of, n, ctas);
            for (uint32_t i = 0; i < n; i++) {
                uint64_t length = of[i].end - of[i].next;
                assert_true(of[i].next == next && length >= ctas / n && length <= ctas / n + 1);
                next = of[i].end;
            }
            assert_true(next == ctas && q.left == ctas);
        }
}

/* SMs ask in a drawn order, one of them twice as often. */
static void give_out(enum dispatch_kind kind, uint64_t seed, uint64_t ctas)
{
    struct cta_queue of[SMS];
    struct cta_queues q;
    struct rng r;
    bool given[CTAS] = {0};
    uint64_t n = 0, own_end[SMS];
    begin(&q, of, SMS, ctas);
    rng_seed(&r, seed, ctas);
    for (uint32_t i = 0; i < SMS; i++)
        own_end[i] = of[i].end;
    for (uint32_t asks = 0; asks < 100 * CTAS; asks++) {
        uint32_t drawn = (uint32_t)rng_below(&r, SMS + 1), sm = drawn < SMS ? drawn : 0;
        if (!cta_queues_any(&q, kind, sm)) continue;
        uint64_t cta = cta_queues_next(&q, sm);
        assert_true(cta < ctas && !given[cta]);
        assert_true(cta_queues_next(&q, sm) == cta); /* until it is taken */
        if (kind == DISPATCH_SERIAL) assert_true(cta < own_end[sm]);
        cta_queues_take(&q, sm);
        given[cta] = true;
        n++;
        assert_true(q.left == ctas - n);
    }
    assert_true(n == ctas);
    for (uint32_t i = 0; i < SMS; i++)
        assert_false(cta_queues_any(&q, kind, i));
}

static void each_cta_is_given_out_once(void **state)
{
    (void)state;
    for (uint64_t ctas = 0; ctas <= CTAS; ctas++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            give_out(DISPATCH_SERIAL, seed, ctas);
            give_out(DISPATCH_BALANCED, seed, ctas);
        }
}

/* One SM asks alone: it takes the second half of the longest queue, the first of equal ones. */
static void who_has_none_takes_half_of_the_longest(void **state)
{
    (void)state;
    struct cta_queue of[2];
    struct cta_queues q;
    begin(&q, of, 2, 8); /* 0..3, 4..7 */
    static const uint64_t want[] = {0, 1, 2, 3, 6, 7, 5, 4};
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(cta_queues_any(&q, DISPATCH_BALANCED, 0));
        assert_true(cta_queues_next(&q, 0) == want[i]);
        cta_queues_take(&q, 0);
    }
    assert_false(cta_queues_any(&q, DISPATCH_BALANCED, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_are_equal_parts_in_order),
        cmocka_unit_test(each_cta_is_given_out_once),
        cmocka_unit_test(who_has_none_takes_half_of_the_longest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
