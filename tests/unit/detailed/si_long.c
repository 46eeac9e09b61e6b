/* si_long.c - SI on two L1s of which one has two requests under way at once. */
#include "tests/support/si_walk.h"

static void two_requests_of_an_l1(void **state)
{
    (void)state;
    si_walk_free(si_check(1, false, true, 2, 1));
    si_walk_free(si_check(1, true, true, 2, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_requests_of_an_l1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
