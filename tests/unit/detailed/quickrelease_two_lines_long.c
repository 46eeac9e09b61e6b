/* quickrelease_two_lines_long.c - QuickRelease on two L1s and two lines, which share the caches'
 * frames and the S-FIFOs: states as far as there is time for. */
#include "tests/support/quickrelease_walk.h"

static void lines_share_frames_and_fifos(void **state)
{
    (void)state;
    struct sync_shape p = {.up = 2,
                           .down = 1,
                           .entries1 = 1,
                           .entries2 = 1,
                           .masks = ONE_BYTE,
                           .may = {MAY_STORE | MAY_RELEASE, MAY_LOAD}};
    sync_walk_free(sync_check(&p, 4000000)); /* of 16,310,057 */
    p.entries1 = p.entries2 = 2;
    sync_walk_free(sync_check(&p, 2000000));
    p.may[0] = MAY_ALL;
    sync_walk_free(sync_check(&p, 2000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_share_frames_and_fifos),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
