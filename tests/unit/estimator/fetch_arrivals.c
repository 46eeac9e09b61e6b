/* fetch_arrivals.c - do fetches come back in the order of their times, and do lines that are being
 * fetched keep their places meanwhile? */
#include "estimator/reuse/fetch_arrivals.h"
#include "base/memory/rng.h"
#include "estimator/profile/sector_reuse.h"
#include "tests/support/check.h"

/* Against the obvious way: of all that are under way, the earliest. */
static void arrivals_come_in_order(void **state)
{
    (void)state;
    enum { ROUNDS = 2000, MOST = 64 };
    struct fetch_arrivals a = {0};
    uint64_t time[MOST], taken, now = 0;
    uint32_t n = 0;
    struct rng r;
    rng_seed(&r, 1, 1);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        now += rng_below(&r, 8);
        if (n < MOST && rng_below(&r, 2)) {
            time[n] = now + rng_below(&r, 500);
            assert_true(fetch_arrivals_add(&a, time[n], time[n]));
            n++;
        }
        while (fetch_arrivals_take(&a, now, &taken)) {
            uint32_t first = 0;
            for (uint32_t i = 1; i < n; i++)
                if (time[i] < time[first]) first = i;
            assert_int_equal(taken, time[first]);
            assert_true(taken <= now);
            time[first] = time[--n];
        }
        for (uint32_t i = 0; i < n; i++)
            assert_true(time[i] > now);
    }
    fetch_arrivals_fini(&a);
}

/* Eight lines pass while a ninth is fetched: whoever comes for it then finds it at once. */
static void a_fetched_line_is_young(void **state)
{
    (void)state;
    const struct chain_params p = {
        .sectors = 1, .write_miss = WRITE_MISS_NO_ALLOCATE, .nominal_lines = 4, .reuse.lines = 64};
    for (uint32_t stays = 0; stays < 2; stays++) {
        struct chain c;
        uint32_t value[CHAIN_SECTORS];
        assert_true(chain_init(&c, &p));
        chain_read(&c, 100, 1, value);
        for (uint64_t line = 0; line < 8; line++)
            chain_read(&c, line, 1, value);
        if (stays) chain_stay(&c, 100);
        chain_stay(&c, 200); /* not there, and not brought */
        chain_read(&c, 8, 1, value);
        chain_read(&c, 100, 1, value);
        assert_int_equal(value[0], stays ? 1 : 9);
        assert_int_equal(c.missed, !stays);
        chain_read(&c, 200, 1, value);
        assert_int_equal(value[0], REUSE_FAR);
        chain_fini(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrivals_come_in_order),
                                       cmocka_unit_test(a_fetched_line_is_young)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
