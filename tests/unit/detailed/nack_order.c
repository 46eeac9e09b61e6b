/* nack_order.c - do requests that were sent back get in in the order in which they first
 * came?
 */
#include "detailed/l2/nack_order.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

enum { REQS = 40, STEPS = 4000, SMS = 3, SECTORS = 2 };

/* Requests arrive in order of their numbers, are sent back for want of room or because it is not
 * their turn, and come again in the order in which they were sent back, new ones between them. */
static void none_passes_an_older_one(void **state)
{
    struct nack_order t;
    struct rng r;
    struct req req[REQS] = {0};
    uint64_t sector[REQS];
    uint32_t queue[STEPS], head = 0, tail = 0, last[SMS][SECTORS] = {{0}}, in = 0;
    (void)state;
    rng_seed(&r, 3, 0);
    assert_true(nack_order_init(&t));
    for (uint32_t i = 0; i < REQS; i++) {
        req[i].sm = rng_below(&r, SMS) & 1023;
        sector[i] = rng_below(&r, SECTORS);
    }
    for (uint32_t fresh = 0; in < REQS;) {
        bool comes = fresh < REQS && (head == tail || rng_below(&r, 2));
        uint32_t i = comes ? fresh++ : queue[head++];
        bool room = rng_below(&r, 3) == 0;
        if (nack_order_allows(&t, &req[i], sector[i]) && room) {
            if (req[i].refused) nack_order_admit(&t, &req[i], sector[i]);
            uint32_t *newest = &last[req[i].sm][sector[i]];
            assert_true(*newest <= i); /* older ones have all been let in */
            *newest = i;
            in++;
            continue;
        }
        assert_true(nack_order_add(&t, &req[i], sector[i]));
        assert_true(tail < STEPS);
        queue[tail++] = i;
    }
    assert_int_equal(t.by_sector.n, 0);
    assert_true(tail > REQS); /* some were sent back again and again */
    nack_order_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(none_passes_an_older_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
