/* CTA dispatch: every CTA is given out once, whoever asks when. */
#include "gpu/policies/cta_dispatch.h"

#include "base/memory/rng.h"
#include "tests/support/check.h"

enum { SMS = 7, CTAS = 50 };

static void begin(struct cta_dispatch *d, enum dispatch_kind kind, struct cta_queue *queue,
                  uint32_t sms, uint64_t ctas)
{
    *d = (struct cta_dispatch){.kind = kind, .sms = sms, .queue = queue};
    cta_dispatch_launch(d, ctas);
}

/* In order and without a gap, no two lengths more than one apart. */
static void queues_are_equal_parts_in_order(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= SMS; n++)
        for (uint64_t ctas = 0; ctas <= CTAS; ctas++) {
            struct cta_queue of[SMS];
            struct cta_dispatch d;
            uint64_t next = 0;
            begin(&d, DISPATCH_SERIAL, of, n, ctas);
            for (uint32_t i = 0; i < n; i++) {
                uint64_t length = of[i].end - of[i].next;
                assert_true(of[i].next == next && length >= ctas / n && length <= ctas / n + 1);
                next = of[i].end;
            }
            assert_true(next == ctas && d.dispatched == 0);
        }
}

/* SMs ask in a drawn order, one of them twice as often. */
static void give_out(enum dispatch_kind kind, uint64_t seed, uint64_t ctas)
{
    struct cta_queue of[SMS];
    struct cta_dispatch d;
    struct rng r;
    bool given[CTAS] = {0};
    uint64_t n = 0, own_end[SMS];
    begin(&d, kind, of, SMS, ctas);
    rng_seed(&r, seed, ctas);
    for (uint32_t i = 0; i < SMS; i++)
        own_end[i] = of[i].end;
    for (uint32_t asks = 0; asks < 100 * CTAS; asks++) {
        uint32_t drawn = (uint32_t)rng_below(&r, SMS + 1), sm = drawn < SMS ? drawn : 0;
        if (!cta_dispatch_any(&d, sm)) continue;
        uint64_t cta = cta_dispatch_peek(&d, sm);
        assert_true(cta < ctas && !given[cta]);
        assert_true(cta_dispatch_peek(&d, sm) == cta); /* until it is taken */
        if (kind == DISPATCH_INTERLEAVED) assert_true(cta == n);
        if (kind == DISPATCH_SERIAL) assert_true(cta < own_end[sm]);
        cta_dispatch_take(&d, sm);
        given[cta] = true;
        assert_true(d.dispatched == ++n);
    }
    assert_true(n == ctas);
    for (uint32_t i = 0; i < SMS; i++)
        assert_false(cta_dispatch_any(&d, i));
}

static void each_cta_is_given_out_once(void **state)
{
    (void)state;
    for (uint64_t ctas = 0; ctas <= CTAS; ctas++)
        for (uint64_t seed = 0; seed < 20; seed++)
            for (int kind = 0; kind < DISPATCH_N; kind++)
                give_out((enum dispatch_kind)kind, seed, ctas);
}

/* One SM asks alone: it takes the second half of the longest queue, the first of equal ones. */
static void who_has_none_takes_half_of_the_longest(void **state)
{
    (void)state;
    struct cta_queue of[2];
    struct cta_dispatch d;
    begin(&d, DISPATCH_BALANCED, of, 2, 8); /* 0..3, 4..7 */
    static const uint64_t want[] = {0, 1, 2, 3, 6, 7, 5, 4};
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(cta_dispatch_any(&d, 0));
        assert_true(cta_dispatch_peek(&d, 0) == want[i]);
        cta_dispatch_take(&d, 0);
    }
    assert_false(cta_dispatch_any(&d, 1));
}

/* SMs that take one CTA each in turn get the same as by shares, where no queue is refilled. */
static void shares_are_what_sms_get_in_turn(void **state)
{
    (void)state;
    for (int kind = DISPATCH_INTERLEAVED; kind <= DISPATCH_SERIAL; kind++)
        for (uint64_t ctas = 0; ctas <= CTAS; ctas++) {
            struct cta_queue of[SMS];
            struct cta_dispatch d;
            struct cta_share share[SMS];
            begin(&d, (enum dispatch_kind)kind, of, SMS, ctas);
            for (uint32_t i = 0; i < SMS; i++)
                share[i] = cta_dispatch_share((enum dispatch_kind)kind, SMS, i, ctas);
            for (uint32_t k = 0; k < SMS * (CTAS + 1); k++) {
                struct cta_share *own = &share[k % SMS];
                assert_true(cta_dispatch_any(&d, k % SMS) == (own->next < own->end));
                if (own->next >= own->end) continue;
                assert_true(cta_dispatch_peek(&d, k % SMS) == own->next);
                cta_dispatch_take(&d, k % SMS);
                own->next += own->step;
            }
            assert_true(d.dispatched == ctas);
        }
}

/* The dispatcher is never ahead of its rate, and what it did not do while nobody asked is lost. */
static void turns_come_at_the_rate(void **state)
{
    const struct sm_params p = {.cta_rate = 0.25};
    struct cta_dispatch d = {.sms = SMS, .period = cta_dispatch_period(&p, 1)};
    (void)state;
    cta_dispatch_launch(&d, CTAS);
    assert_true(cta_dispatch_period(&(struct sm_params){.cta_rate = 0}, 1) == 0);
    assert_true(cta_dispatch_period(&p, 0.5) == 8);
    for (uint32_t i = 0; i < SMS; i++)
        assert_true(cta_dispatch_turn(&d, 10) == 10 + 4.0 * i);
    assert_true(cta_dispatch_turn(&d, 100) == 100);
    assert_true(cta_dispatch_turn(&d, 101) == 104);
    cta_dispatch_launch(&d, CTAS);
    assert_true(cta_dispatch_turn(&d, 101) == 101);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_are_equal_parts_in_order),
        cmocka_unit_test(each_cta_is_given_out_once),
        cmocka_unit_test(shares_are_what_sms_get_in_turn),
        cmocka_unit_test(who_has_none_takes_half_of_the_longest),
        cmocka_unit_test(turns_come_at_the_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
