/* random_long.c - random machines x random programs, thousands: see random_runs.h. */
#include "tests/support/random_runs.h"

static void thousands_of_runs(void **state)
{
    (void)state;
    random_machines_run_random_programs(100, 6900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_of_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
