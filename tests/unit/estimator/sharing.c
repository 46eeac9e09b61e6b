/* sharing.c - the directory without time: counts of hand-made streams, and of random ones
 * against who-stored-last kept per SM and line. */
#include "base/memory/rng.h"
#include "estimator/reuse/moesi_write_sharing.h"
#include "tests/support/check.h"

enum { SMS = 70, LINES = 5, STEPS = 20000 };

static const struct shared_op LOAD = {.near = true, .sectors = 1},
                              STORE = {.store = true, .near = true, .sectors = 1},
                              ATOMIC = {.store = true, .near = true, .atomic = true, .sectors = 1};

static void taking_turns(void **state)
{
    struct sharing s;
    (void)state;
    assert_true(sharing_init(&s, 2, 100));
    sharing_start(&s);
    for (uint32_t i = 0; i < 10; i++)
        sharing_access(&s, i % 2, 7, &STORE);
    /* all but the first ask; each SM's first has nothing to lose */
    assert_true(s.count.asked == 9 && s.count.hottest == 9);
    assert_true(s.count.lost_stores == 8 && s.count.lost_loads == 0);
    sharing_access(&s, 0, 7, &LOAD);
    sharing_access(&s, 0, 7, &LOAD);
    assert_true(s.count.lost_loads == 1 && s.count.asked == 10);
    sharing_start(&s);
    assert_true(s.count.asked == 0 && s.count.hottest == 0);
    /* atomics of an SM that wait for the line are performed together */
    for (uint32_t i = 0; i < 10; i++)
        sharing_access(&s, i % 2, 7, &ATOMIC);
    assert_true(s.count.asked == 10 && s.count.hottest == 0);
    sharing_fini(&s);
}

static void who_is_alone_asks_nobody(void **state)
{
    struct sharing s;
    (void)state;
    assert_true(sharing_init(&s, 4, 100));
    sharing_start(&s);
    for (uint32_t i = 0; i < 100; i++)
        sharing_access(&s, i % 4, i % 4, i % 3 ? &STORE : &LOAD);
    assert_true(s.count.asked == 0 && s.count.lost_loads == 0 && s.count.lost_stores == 0);
    sharing_fini(&s);
}

/* An SM has lost a line if another has stored to it since its own last access. */
static void lost_is_what_others_stored_to(void **state)
{
    static uint64_t seen[SMS][LINES], stored[LINES][SMS];
    struct sharing s;
    double lost = 0;
    (void)state;
    assert_true(sharing_init(&s, SMS, 100));
    sharing_start(&s);
    for (uint64_t t = 1; t <= STEPS; t++) {
        uint64_t r = rng_splitmix64(t);
        uint32_t sm = (uint32_t)(r % SMS), line = (uint32_t)(r >> 20) % LINES;
        bool store = (r >> 40) % 8 == 0, gone = false;
        for (uint32_t o = 0; o < SMS; o++)
            gone |= o != sm && stored[line][o] > seen[sm][line];
        lost += !store && seen[sm][line] && gone;
        sharing_access(&s, sm, line, store ? &STORE : &LOAD);
        seen[sm][line] = t;
        if (store) stored[line][sm] = t;
    }
    assert_true(lost > STEPS / 10);
    assert_true(s.count.lost_loads == lost);
    sharing_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taking_turns),
        cmocka_unit_test(who_is_alone_asks_nobody),
        cmocka_unit_test(lost_is_what_others_stored_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
