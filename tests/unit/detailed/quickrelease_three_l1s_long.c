/* quickrelease_three_l1s_long.c - QuickRelease on three L1s and a line: states as far as there is
 * time for. */
#include "tests/support/quickrelease_walk.h"

static struct sync_shape shape_of(uint8_t first, uint8_t second, uint8_t third)
{
    return (struct sync_shape){.up = 2,
                               .down = 1,
                               .entries1 = 1,
                               .entries2 = 1,
                               .masks = ONE_BYTE,
                               .may = {first, second, third}};
}

static void a_release_reaches_all_l1s(void **state)
{
    (void)state;
    struct sync_shape p = shape_of(MAY_STORE | MAY_RELEASE, MAY_LOAD, MAY_LOAD);
    sync_walk_free(sync_check(&p, 3000000));
}

/* The second stores nothing; its release covers what it has seen of the first. */
static void a_release_covers_what_was_seen(void **state)
{
    (void)state;
    struct sync_shape p = shape_of(MAY_STORE, MAY_ROUND | MAY_RELEASE, MAY_LOAD);
    sync_walk_free(sync_check(&p, 3000000));
    p.masks = SOME_BYTES;
    sync_walk_free(sync_check(&p, 3000000));
}

static void two_store_to_a_block(void **state)
{
    (void)state;
    struct sync_shape p = shape_of(MAY_STORE | MAY_RELEASE, MAY_STORE, MAY_LOAD);
    p.masks = ANY_BYTES;
    sync_walk_free(sync_check(&p, 3000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_release_reaches_all_l1s),
        cmocka_unit_test(a_release_covers_what_was_seen),
        cmocka_unit_test(two_store_to_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
